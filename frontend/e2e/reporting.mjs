// A report is put together from the answers of a session, and saved or printed.
import { readFile } from 'node:fs/promises';
import { ask, findings } from './browser.mjs';
import { clipped } from './looks.mjs';

export async function reporting({ visit, site, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 800 });
  const dialog = page.getByRole('dialog', { name: 'Build a report' });
  const offers = dialog.getByRole('region', { name: 'From this session' });
  const list = dialog.getByRole('region', { name: 'The report, in its order' });
  const rows = list.getByRole('listitem');
  const begin = async (on = page) => {
    await on.getByRole('button', { name: 'This session' }).click();
    await on.locator('.menu').getByText('Build a report', { exact: true }).click();
    await on.getByRole('textbox', { name: 'Title of the report' }).waitFor();
  };
  const order = () =>
    rows.evaluateAll((all) =>
      all.map((row) =>
        (row.querySelector('input, textarea')?.value ?? row.querySelector('p')?.textContent ?? '').slice(0, 24),
      ),
    );
  const is = async (...wanted) => {
    for (let times = 0; times < 100; times++) {
      if ((await order()).join('|') === wanted.join('|')) return [];
      await page.waitForTimeout(50);
    }
    return [`the order is ${(await order()).join('|')}`];
  };
  const revenue = 'Revenue by category, 199';
  const units = 'Units sold by ship count';
  let session = '';

  await check('a report begins with what is pinned', async () => {
    await ask(page, 'revenue by category in 1997');
    await ask(page, 'units sold by ship country in 1997');
    session = await page.evaluate(() => location.hash.split('/')[1]);
    await page.getByRole('button', { name: 'Result menu' }).last().click();
    await page.locator('.menu').getByText('Pin to the top', { exact: true }).click();
    await begin();
    await shot(page, '94-report-begun');
    const found = [...(await findings(page)), ...(await clipped(page))];
    return [...found, ...(await is(revenue))];
  });
  await check('answers and their parts are chosen, and words are written between', async () => {
    await dialog.getByRole('textbox', { name: 'Title of the report' }).fill('Sales of 1997');
    await offers.getByRole('button', { name: 'Add all answers' }).click();
    await offers.getByRole('button', { name: 'Chart', exact: true }).first().click();
    await list.getByRole('button', { name: 'Heading', exact: true }).click();
    await page.keyboard.type('What went well');
    await list.getByRole('button', { name: 'Text', exact: true }).click();
    await page.keyboard.type('Revenue grew in *every* category but one:\n- Produce\n<script>alert(1)</script>');
    await shot(page, '94-report');
    const found = [...(await findings(page)), ...(await clipped(page))];
    return [...found, ...(await is(revenue, units, revenue, 'What went well', 'Revenue grew in *every* '))];
  });
  await check('they are moved by keys, by buttons and by drag, and that is said', async () => {
    await list.getByRole('button', { name: 'Move What went well' }).focus();
    for (let times = 0; times < 3; times++) await page.keyboard.press('ArrowUp');
    await list.getByText('Moved to place 1 of 5').waitFor({ state: 'attached' });
    const first = await is('What went well', revenue, units, revenue, 'Revenue grew in *every* ');
    await rows.last().getByRole('button', { name: 'Move up' }).click();
    const second = await is('What went well', revenue, units, 'Revenue grew in *every* ', revenue);
    const from = await rows
      .nth(2)
      .getByRole('button', { name: /^Move Units sold/ })
      .boundingBox();
    const to = await rows.nth(0).boundingBox();
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x + 8, to.y + 30, { steps: 8 });
    await page.mouse.move(from.x + 8, to.y + 2, { steps: 4 });
    await shot(page, '94-report-drag');
    await page.mouse.up();
    return [...first, ...second, ...(await is(units, 'What went well', revenue, 'Revenue grew in *every* ', revenue))];
  });
  await check('what was taken out comes back, by its line and by Ctrl+Z', async () => {
    await rows.first().getByRole('button', { name: 'Take out' }).click();
    await dialog.getByText(/^Taken out: Units sold/).waitFor();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    const back = await is(units, 'What went well', revenue, 'Revenue grew in *every* ', revenue);
    await dialog.getByRole('button', { name: 'Move What went well' }).focus();
    await page.keyboard.press('Control+z');
    return [...back, ...(await is('What went well', revenue, units, 'Revenue grew in *every* ', revenue))];
  });
  await check('the draft stays over a reload', async () => {
    await page.keyboard.press('Escape');
    await page.reload();
    await page.locator('#composer').waitFor();
    await page.getByText('units sold by ship country in 1997').first().waitFor();
    await begin();
    const title = await dialog.getByRole('textbox', { name: 'Title of the report' }).inputValue();
    const same = await is('What went well', revenue, units, 'Revenue grew in *every* ', revenue);
    return title === 'Sales of 1997' ? same : [`the title is ${title}`];
  });
  const saved = async () => {
    const waiting = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const download = await waiting;
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  await check('it is saved as a page in which words stay words', async () => {
    const { name, bytes } = await saved();
    await dialog.getByText(name).waitFor();
    const html = bytes.toString('utf8');
    const at = ['What went well', 'Beverages', 'Austria', '<em>every</em>'].map((words) =>
      html.indexOf(words, html.indexOf('<body')),
    );
    if (at.some((place) => place < 0)) return [`not there: ${at.join()}`];
    return html.includes('<script>alert(1)') ? ['words became a script'] : [];
  });
  await check('it is saved as a workbook and as a PDF, or it is said why not', async () => {
    await dialog.getByText('Workbook', { exact: true }).click();
    const book = await saved();
    if (!book.name.endsWith('.xlsx') || book.bytes.subarray(0, 2).toString() !== 'PK') return [book.name];
    await dialog.getByText('PDF', { exact: true }).click();
    const waiting = page.waitForEvent('download').catch(() => null);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const refused = dialog
      .locator('.notice')
      .first()
      .waitFor()
      .then(() => 'refused');
    const download = await Promise.race([waiting, refused.catch(() => null)]);
    if (download === 'refused') return findings(page);
    return (await readFile(await download.path())).subarray(0, 5).toString() === '%PDF-';
  });
  await check('it is printed from a tab of its own, in which nothing of it runs', async () => {
    await context.addInitScript(() => (window.print = () => (document.documentElement.dataset.printed = 'yes')));
    const waiting = context.waitForEvent('page');
    await dialog.getByRole('button', { name: 'Print' }).click();
    const tab = await waiting;
    await tab.waitForFunction(() => document.documentElement.dataset.printed === 'yes');
    await dialog.getByText('It is open in another tab, to be printed.').waitFor();
    const opener = await tab.evaluate(() => window.opener);
    await tab.close();
    return opener === null;
  });
  for (const [name, options] of Object.entries({
    dark: { width: 1280, height: 800, scheme: 'dark' },
    narrow: { width: 380, height: 780, scheme: 'light' },
    smallest: { width: 320, height: 640, scheme: 'dark' },
  })) {
    await check(`a report is put together just as well: ${name}`, async () => {
      const other = await visit(options);
      await other.page.goto(`${site}#session/${session}`);
      await other.page.getByText('units sold by ship country in 1997').first().waitFor();
      await begin(other.page);
      await shot(other.page, `94-report-offers-${name}`);
      const wrong = [...(await findings(other.page)), ...(await clipped(other.page))];
      const half = other.page.getByRole('tab', { name: /^Arrange/ });
      if (await half.isVisible()) await half.click();
      await other.page.getByRole('button', { name: 'Move up' }).first().waitFor();
      await shot(other.page, `94-report-${name}`);
      wrong.push(...(await findings(other.page)), ...(await clipped(other.page)), ...other.trouble);
      await other.context.close();
      return wrong;
    });
  }
  await check('nothing went wrong with reports', () => trouble);
  await context.close();
}
