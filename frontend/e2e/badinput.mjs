// Data that is hard to show: 200 columns, a text of a megabyte, names of 300 characters, right to left, emoji.
import { findings, freshQuery } from './browser.mjs';
import { clipped } from './looks.mjs';

const name300 = 'a_very_long_name_'.repeat(18).slice(0, 300);

export async function badinput({ visit, site, check, shot }) {
  const { context, page, trouble } = await visit({ width: 1280, height: 800 });
  const columns = [name300, 'words', ...Array.from({ length: 198 }, (_, i) => `c${i}`)];
  const cells = (row) => columns.map((_, i) => row * 1000 + i).slice(2);
  const lines = [
    columns.join(','),
    ['שלום עולם', 'x'.repeat(1_000_000), ...cells(1)].join(','),
    ['👩‍👩‍👧 emoji', 'short', ...cells(2)].join(','),
    ...Array.from({ length: 300 }, (_, i) => [`row ${i}`, 'w', ...cells(i + 3)].join(',')),
  ];

  await check('bad input: a file with all of it is imported', async () => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open files' }).first().click();
    await (
      await chooser
    ).setFiles({ name: `${name300.slice(0, 200)}.csv`, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
    await page.getByText('302 rows').first().waitFor();
    await page.getByRole('article', { name: 'Imported' }).waitFor();
    await shot(page, '95-bad-import');
    return [...(await clipped(page)), ...(await findings(page))];
  });
  await check('bad input: its rows stand in a grid that holds few of them', async () => {
    const { tables } = await (await page.request.get(new URL('api/workspace', site).href)).json().then((workspace) => ({
      tables: workspace.sources.flatMap((source) => source.tables ?? []),
    }));
    const table = tables.find((one) => one.rows === 302).name;
    await page.goto(`${site}#query`);
    await freshQuery(page);
    await page.locator('.cm-content').click();
    await page.getByText('SQL', { exact: true }).click();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(`SELECT * FROM "${table}"`);
    await page.keyboard.press('Control+Enter');
    const grid = page.locator('main:not([hidden])').getByRole('grid').first();
    await grid.waitFor();
    await shot(page, '96-bad-grid');
    const drawn = await grid.getByRole('gridcell').count();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    return drawn > 20 && drawn < 3000 && !wide;
  });
  await check('bad input: a long name keeps to its place in the list of tables', async () => {
    await page.goto(`${site}#data`);
    const item = page.locator('button.item', { hasText: 'a_very_long_name' }).first();
    await item.click(); // which something over it would catch
    const [place, list] = await Promise.all([item.boundingBox(), page.locator('aside').first().boundingBox()]);
    return place.x + place.width <= list.x + list.width + 1;
  });
  await check('bad input: nothing went wrong', () => trouble);
  await context.close();
}
