// What a person does with a result: pin it, copy it, ask it again, take it along as a file.
import { readFileSync } from 'node:fs';
import { ask, copied, findings } from './browser.mjs';

export async function artifacts({ visit, check, shot }) {
  const { context, page, trouble } = await visit({ width: 1280, height: 900 });
  const menu = () => page.getByRole('button', { name: 'Result menu' }).first();
  const choose = async (name) => {
    await menu().click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };

  await ask(page, 'revenue by category in 1997');
  await check('the menu of a result names every way to take it along', async () => {
    await menu().click();
    const names = await page.getByRole('menuitem').allInnerTexts();
    await shot(page, '50-menu');
    const found = await findings(page);
    await page.keyboard.press('Escape');
    const missing = ['Copy rows as TSV', 'Copy rows as Markdown', 'Copy rows as JSON', 'Export CSV', 'Export Excel, with provenance', 'Export Parquet', 'Pin to the top', 'Ask again'].filter((name) => !names.some((known) => known.trim().endsWith(name))); // prettier-ignore
    return [...missing, ...found];
  });
  for (const [name, ending, magic] of [
    ['Export CSV', 'csv', 'category_name,revenue'],
    ['Export Excel, with provenance', 'xlsx', 'PK'],
    ['Export Parquet', 'parquet', 'PAR1'],
    ['Export JSON, with provenance', 'json', '{"title"'],
  ])
    await check(`${name} gives a file, called by its title`, async () => {
      const coming = page.waitForEvent('download');
      await choose(name);
      const file = await coming;
      await page.getByRole('status').getByText(`Revenue by category, 1997.${ending}`).waitFor();
      if (ending === 'xlsx') await shot(page, '51-exported');
      const body = readFileSync(await file.path(), 'latin1');
      await page.getByRole('button', { name: 'Close', exact: true }).last().click();
      return file.suggestedFilename() === `Revenue by category, 1997.${ending}` && body.startsWith(magic);
    });
  await check('copies as Markdown and as JSON', async () => {
    await choose('Copy rows as Markdown');
    const wrong = [await copied(page, /^\| /)];
    await choose('Copy rows as JSON');
    wrong.push(await copied(page, /^\[(\s*\{[^}]*\},?){8}\s*\]$/));
    return wrong.filter((text) => text !== null);
  });
  await check('a pinned result stays before newer ones, over a reload', async () => {
    await choose('Pin to the top');
    await ask(page, 'revenue by country');
    const first = () => page.locator('.from .question').first().innerText();
    await page.locator('.from').nth(1).waitFor();
    const before = await first();
    await shot(page, '52-pinned');
    await page.reload();
    await page.locator('.from').nth(1).waitFor();
    const after = await first();
    await choose('Unpin');
    await page.locator('.from .question').first().filter({ hasText: 'revenue by country' }).waitFor();
    return [before, after].join() === 'revenue by category in 1997,revenue by category in 1997';
  });
  await check('ask again runs the query as another version of its turn', async () => {
    const turns = page.locator('article[aria-label^="Question"]');
    const before = await turns.count();
    await choose('Ask again');
    await page.getByRole('group', { name: 'Versions of this answer' }).getByText('2 of 2').waitFor();
    return (await turns.count()) === before;
  });
  const showAs = async (name) => {
    await menu().click();
    await page.getByRole('menuitem', { name: 'Show as' }).hover();
    const item = page.getByRole('menuitem', { name });
    await item.waitFor();
    return item;
  };
  const picture = () =>
    page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const blob = await item.getType('image/png');
      const image = await createImageBitmap(blob);
      return { width: image.width, height: image.height, bytes: blob.size };
    });
  await check('a card is shown as another chart, a number or a table, over a reload', async () => {
    await page.getByRole('button', { name: 'New session' }).first().click();
    await ask(page, 'revenue by category in 1997');
    await (await showAs(/^(pie|Pie)/)).click();
    await page.locator('.chart svg .mark-arc path').first().waitFor();
    await (await showAs(/^Big number/)).click();
    await page.getByText('The total of 8 rows.').waitFor();
    await shot(page, '54-big-number');
    await page.waitForLoadState('networkidle');
    await page.reload();
    await page.getByText('The total of 8 rows.').waitFor();
    const why = await (await showAs(/^Comparison/)).innerText();
    await shot(page, '55-show-as');
    const found = await findings(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    return [...found, ...(why.includes('It is compared with nothing') ? [] : [why])];
  });
  await check('what is compared is shown side by side', async () => {
    await ask(page, 'revenue by category in 1997 compared to the previous year');
    await (await showAs(/^Comparison/)).click();
    await page
      .getByRole('columnheader', { name: /Change in %/ })
      .first()
      .waitFor();
    await shot(page, '56-comparison');
    return findings(page);
  });
  await check('a table is copied as an image, and so is a chart', async () => {
    await (await showAs(/^Table/)).click();
    await choose('Copy as image');
    await page.getByText('The image is on the clipboard.').first().waitFor();
    const table = await picture();
    await (await showAs(/^bars|^Bars/)).click();
    await page.locator('.chart svg .mark-rect path').first().waitFor();
    await choose('Copy as image');
    await page.getByText('The image is on the clipboard.').first().waitFor();
    const chart = await picture();
    return table.width > 300 && table.height > 200 && chart.width > 300 && chart.width !== table.width;
  });
  await check('where the clipboard takes no image, it is saved as a file and said', async () => {
    await page.evaluate(() => (navigator.clipboard.write = () => Promise.reject(new Error('no'))));
    const coming = page.waitForEvent('download');
    await choose('Copy as image');
    const file = await coming;
    await page.getByText('The image was saved as a file.').first().waitFor();
    return (
      file.suggestedFilename().endsWith('.png') &&
      readFileSync(await file.path())
        .subarray(1, 4)
        .toString() === 'PNG'
    );
  });
  await check('a session is branched from an answer: it goes on from there, and its parent is as it was', async () => {
    await page.getByRole('button', { name: 'New session' }).first().click();
    await ask(page, 'revenue by category in 1997');
    await ask(page, 'revenue by country in 1996');
    const parent = await page.evaluate(() => location.hash);
    await page.getByRole('button', { name: 'Result menu' }).nth(1).click();
    await page.getByRole('menuitem', { name: 'Branch from here', exact: true }).click();
    await page.getByText('Branched from “revenue by category in 1997”, at a result of question 1').waitFor();
    await shot(page, '57-branch');
    const branch = await page.evaluate(() => location.hash);
    const found = await findings(page);
    const turn = await ask(page, 'but for 1998');
    await turn.getByText(/1998/).first().waitFor();
    const read = await turn.innerText();
    await page.getByRole('button', { name: 'Open it', exact: true }).click();
    await page.waitForFunction((hash) => location.hash === hash, parent);
    await page.locator('article[aria-label^="Question"]').nth(1).waitFor();
    const turns = await page.locator('article[aria-label^="Question"]').count();
    return [
      ...found,
      ...(branch === parent ? ['the address is the same'] : []),
      ...(turns === 2 ? [] : [`${turns} turns`]),
      ...(/categor/i.test(read) ? [] : [read]),
    ];
  });
  await check('an export that fails says why and what to do', async () => {
    await page.route(
      '**/api/exports',
      (route) =>
      route.fulfill({ status: 503, contentType: 'application/json', body: JSON.stringify({ code: 'unavailable', message: 'The file could not be written.', hint: 'Make room.' }) }), // prettier-ignore
    );
    await choose('Export CSV');
    await page.getByText('Make room.').waitFor();
    await shot(page, '53-export-failed');
    await page.unroute('**/api/exports');
    trouble.splice(0, trouble.length, ...trouble.filter((line) => !line.includes('503')));
  });
  await check('what would be is said first, and its simulation stands before the rows that were observed', async () => {
    const turn = await ask(page, 'what if revenue grew by 10% in Germany?');
    await turn.getByText(/^Simulated, not observed: Revenue, all rows would be [\d,.]+ USD instead of/).waitFor();
    const cards = page.locator('#panels [data-result]');
    await cards.first().getByText('nobody measured these numbers').waitFor();
    await shot(page, '51-supposed');
    return findings(page);
  });
  await check('the results: nothing went wrong', () => trouble);
  await context.close();
}
