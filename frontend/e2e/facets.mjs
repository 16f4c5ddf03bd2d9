// Values of a column with their counts to filter by, copies as SQL, the pivot, and the whole of a long cell.
import { readFileSync } from 'node:fs';
import { ask, copied, findings } from './browser.mjs';

const orders = 'SELECT "OrderID", "ShipCountry", "Freight", "OrderDate", "ShipRegion" FROM "Orders" ORDER BY "OrderID"';

/** Runs a statement as a script would, and opens its session. */
async function given(page, site, sql, rows) {
  const response = await page.request.post(new URL('api/ask', site).href, {
    data: { sql, max_rows: rows, confirm: true },
    headers: { Origin: new URL(site).origin },
  });
  const answer = await response.json();
  if (!answer.frame) throw new Error(JSON.stringify(answer).slice(0, 400));
  await page.goto(`${site}#session/${answer.session_id}`);
  await page.reload();
  await page.getByRole('grid').first().waitFor();
}

export async function facets({ visit, site, check, shot }) {
  const { context, page, trouble } = await visit({ width: 1280, height: 900 });
  const box = page.getByRole('grid').first();
  const header = (name) => box.getByRole('columnheader', { name });
  const bar = page.locator('[data-grid]:visible footer').first();
  const left = page.getByRole('list', { name: 'Rows are left out' });
  const panelOf = async (name) => {
    await header(name).hover();
    await header(name).getByRole('button').click();
    const panel = page.getByRole('dialog', { name: `Column ${name.source ?? name}` });
    await panel.getByRole('checkbox').first().waitFor();
    return panel;
  };
  const lines = async (panel) =>
    (
      await panel
        .getByRole('listitem')
        .filter({ has: page.getByRole('checkbox') })
        .allInnerTexts()
    ).map((line) => line.replace(/\s*\n\s*/g, '=').trim());

  await check(
    'the values of a column stand in its filter, the most frequent first, counted over all rows',
    async () => {
      await given(page, site, orders, 100);
      await page.getByRole('button', { name: 'Open all rows' }).click();
      await page.getByText('All 830 rows are open.').waitFor();
      const panel = await panelOf(/ShipCountry/);
      await shot(page, '200-facet');
      const found = await lines(panel);
      const serious = await findings(page);
      await page.keyboard.press('Escape');
      const wanted = ['Germany=122', 'USA=122', 'Brazil=83', 'France=77'];
      const wrong = wanted.filter((line, at) => found[at] !== line);
      return [...wrong.map((line) => `${line} is not in its place: ${found.slice(0, 5)}`), ...serious];
    },
  );
  await check('several are ticked by keyboard, NULL among them, and the rows are as many as was said', async () => {
    const panel = await panelOf(/ShipRegion/);
    const found = await lines(panel);
    const count = (name) => Number(found.find((line) => line.startsWith(`${name}=`))?.split('=')[1]);
    await panel.getByRole('checkbox', { name: /^null/ }).focus();
    await page.keyboard.press('Space');
    await panel.getByRole('checkbox', { name: /^RJ/ }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await bar.getByText(/of 830 rows/).waitFor();
    const rows = Number(await box.getAttribute('aria-rowcount')) - 1;
    await left.getByText('ShipRegion is null, RJ').waitFor();
    await shot(page, '201-facet-filter');
    return rows === count('null') + count('RJ') && count('null') === 507
      ? []
      : [`${rows} rows, where null has ${count('null')} and RJ ${count('RJ')}`];
  });
  await check('the counts of a column respect the filters of the others, and not its own', async () => {
    const panel = await panelOf(/ShipCountry/);
    const found = await lines(panel);
    await page.keyboard.press('Escape');
    const own = await panelOf(/ShipRegion/);
    const all = await lines(own);
    const ticked = await own.getByRole('checkbox', { checked: true }).count();
    await own.getByRole('button', { name: 'Clear' }).click();
    await bar.getByText('830 rows', { exact: true }).waitFor();
    const wrong = [];
    if (found[0] !== 'Germany=122' || found.some((line) => line.startsWith('USA='))) wrong.push(`countries: ${found}`);
    if (all.length < 15 || ticked !== 2) wrong.push(`${all.length} regions, ${ticked} ticked`);
    return wrong;
  });
  await check('a value is found by a part of it', async () => {
    const panel = await panelOf(/ShipCountry/);
    await panel.getByLabel('Find a value').fill('land');
    await panel.getByRole('checkbox', { name: /^Switzerland/ }).waitFor();
    await panel.getByRole('checkbox', { name: /^Germany/ }).waitFor({ state: 'detached' });
    const found = await lines(panel);
    await page.keyboard.press('Escape');
    return found.every((line) => line.toLowerCase().includes('land')) && found.length >= 3;
  });
  await check('days and amounts of many values stand in ranges, which filter', async () => {
    const wrong = [];
    for (const [name, form] of [
      [/OrderDate/, /Jul.*1996/],
      [/Freight/, /^0\.00 to under 100/],
    ]) {
      const panel = await panelOf(name);
      const found = await lines(panel);
      await shot(page, `202-ranges-${name.source}`);
      const sum = found.reduce((all, line) => all + Number(line.split('=')[1].replace(/,/g, '')), 0);
      if (!form.test(found[0]) || sum !== 830) wrong.push(`${name.source}: ${sum} rows in ${found.slice(0, 3)}`);
      await panel.getByRole('checkbox').first().check();
      await panel.getByRole('button', { name: 'Apply' }).click();
      await bar.getByText(/of 830 rows/).waitFor();
      const rows = Number(await box.getAttribute('aria-rowcount')) - 1;
      if (rows !== Number(found[0].split('=')[1])) wrong.push(`${name.source}: ${rows} rows for ${found[0]}`);
      await left.getByRole('button').first().click();
      await bar.getByText('830 rows', { exact: true }).waitFor();
    }
    return wrong;
  });
  await check('the values of a table of the data view are counted where they are', async () => {
    await page.goto(`${site}#data`);
    await page
      .getByRole('treeitem', { name: /Orders/ })
      .or(page.getByRole('button', { name: /^Orders/ }))
      .first()
      .click();
    await page.getByRole('tab', { name: /^Rows/ }).click();
    await bar.getByText('830 rows', { exact: true }).waitFor();
    await header(/ShipVia/).hover();
    await header(/ShipVia/)
      .getByRole('button')
      .click();
    const panel = page.getByRole('dialog', { name: 'Column ShipVia' });
    await panel.getByRole('checkbox', { name: /326/ }).check();
    await panel.getByRole('button', { name: 'Apply' }).click();
    await bar.getByText(/326 of 830 rows/).waitFor();
    await shot(page, '203-table-facet');
    await left.getByRole('button').first().click();
    await bar.getByText('830 rows', { exact: true }).waitFor();
  });
  await check('values that are personal are neither listed nor counted', async () => {
    await given(page, site, 'SELECT LastName, City FROM Employees', 100);
    await header(/LastName/).hover();
    await header(/LastName/)
      .getByRole('button')
      .click();
    const panel = page.getByRole('dialog', { name: 'Column LastName' });
    await panel.getByText('Values', { exact: true }).click();
    await panel.getByText('These values are personal').waitFor();
    const listed = await panel.getByRole('checkbox').count();
    await page.keyboard.press('Escape');
    return listed === 0;
  });
  await check('counting that takes long says so and is stopped', async () => {
    await given(page, site, orders, 100);
    await page.getByRole('button', { name: 'Open all rows' }).click();
    await page.getByText('All 830 rows are open.').waitFor();
    let canceled = '';
    page.on('request', (request) => (canceled ||= /\/requests\/[^/]+\/cancel/.exec(request.url())?.[0] ?? ''));
    await page.route('**/facet', () => undefined); // a program that takes its time
    await header(/ShipCountry/).hover();
    await header(/ShipCountry/)
      .getByRole('button')
      .click();
    const panel = page.getByRole('dialog', { name: 'Column ShipCountry' });
    await panel.getByRole('progressbar').waitFor();
    await shot(page, '204-counting');
    await panel.getByRole('button', { name: 'Stop' }).click();
    await panel.getByText('Counting was stopped.').waitFor();
    await page.unroute('**/facet');
    await panel.getByRole('button', { name: 'Count again' }).click();
    await panel.getByRole('checkbox', { name: /^Germany/ }).waitFor();
    await page.keyboard.press('Escape');
    return canceled !== '';
  });

  await check('Ctrl+Shift+C and the palette open the ways to copy; a column goes as a list for IN', async () => {
    const cells = box.locator('[role=row][aria-rowindex="2"] [role=gridcell]');
    await cells.nth(4).click();
    await page.keyboard.press('Shift+Control+ArrowDown');
    await page.keyboard.press('Control+Shift+c');
    await page.getByRole('menuitem', { name: 'SQL IN list' }).waitFor();
    await shot(page, '205-copy-as');
    await page.getByRole('menuitem', { name: 'SQL IN list' }).click();
    const wrong = [await copied(page, /^\('[^']+', .*'Co\. Cork'.*\)$/)];
    await bar.getByText('507 rows with null are not in the list').waitFor();
    await box.evaluate((element) => (element.scrollTop = 0));
    await cells.first().click();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').last().fill('copy as');
    await page
      .getByRole('option', { name: /Copy as/ })
      .first()
      .click();
    const list = page.getByRole('menuitem', { name: 'SQL IN list' });
    await list.waitFor();
    if ((await list.getAttribute('aria-disabled')) !== 'true') wrong.push('a list for IN of two columns');
    await page.getByRole('menuitem', { name: 'SQL INSERT' }).click();
    wrong.push(
      await copied(page, /^INSERT INTO "result" \("OrderID", "ShipCountry"\) VALUES\n {2}\(10248, 'France'\);$/),
    );
    await page.getByRole('button', { name: 'Result menu' }).first().click();
    await page.getByRole('menuitem', { name: 'Copy rows as SQL INSERT' }).click();
    wrong.push(
      await copied(page, /VALUES\n {2}\(10248, 'France', 32\.38, (DATE|TIMESTAMP) '1996-07-04[^']*', NULL\),/),
    );
    return wrong.filter((text) => text !== null);
  });

  await check('an answer of two dimensions is shown as a pivot, with totals that add up', async () => {
    await page.goto(site);
    await page.reload();
    await page.locator('#composer').waitFor();
    await ask(page, 'revenue by category and year');
    await page.getByRole('button', { name: 'Result menu' }).first().click();
    await page.getByRole('menuitem', { name: 'Show as' }).press('ArrowRight');
    await page.getByRole('menuitem', { name: 'Pivot' }).click();
    const pivot = page.getByRole('grid', { name: /as a pivot/ });
    await pivot.waitFor();
    await shot(page, '206-pivot');
    const heads = await pivot.getByRole('columnheader').allInnerTexts();
    const numbers = async (row) =>
      (await row.getByRole('gridcell').allInnerTexts()).slice(1).map((text) => Number(text.replace(/[^\d.-]/g, '')));
    const wrong = [];
    const rows = pivot.locator('[role=row][aria-rowindex]:not([aria-rowindex="1"])');
    if ((await rows.count()) !== 9) wrong.push(`${await rows.count()} rows`);
    for (const row of await rows.all()) {
      const all = await numbers(row);
      const total = all.pop();
      if (Math.abs(all.reduce((a, b) => a + b, 0) - total) > 0.02) wrong.push(`${all} is not ${total}`);
    }
    if (heads.length !== 5 || !/Total/.test(heads[4])) wrong.push(`heads ${heads}`);
    await page.getByLabel('Across').selectOption({ index: 0 });
    await page.waitForFunction(
      () => document.querySelector('[role=grid][aria-label$="as a pivot"]')?.getAttribute('aria-colcount') === '10',
    );
    await shot(page, '207-pivot-turned');
    return [...wrong, ...(await findings(page))];
  });
  await check('a pivot of too many members says so, and of how many', async () => {
    await given(page, site, 'SELECT OrderID::VARCHAR AS o, CustomerID AS c, Freight FROM Orders', 830);
    await page.getByRole('button', { name: 'Pivot' }).first().click();
    await page.getByText('A pivot shows 50 side by side at most.').waitFor();
    await shot(page, '208-pivot-many');
    return (await page.getByRole('grid', { name: /as a pivot/ }).count()) === 0;
  });

  await check('a cell of a megabyte is shown in parts, and saved whole', async () => {
    await given(page, site, `SELECT repeat('wörd ', 200000) AS long, '${'שלום 👩‍👩‍👧 '.repeat(3)}' AS rtl`, 10);
    await box.locator('[role=row][aria-rowindex="2"] [role=gridcell]').first().click();
    await page.keyboard.press('Enter');
    const viewer = page.getByRole('dialog', { name: 'long' });
    await viewer.getByText('1,000,000 letters').waitFor();
    const shown = (await viewer.locator('pre').innerText()).length;
    const download = page.waitForEvent('download');
    await viewer.getByRole('button', { name: 'Save' }).click();
    const file = readFileSync(await (await download).path(), 'utf8');
    await shot(page, '209-long-cell');
    await page.keyboard.press('Escape');
    return file === 'wörd '.repeat(200000) && shown < 30_000;
  });
  await check('nothing went wrong with facets, copies and pivots', () =>
    trouble.filter((text) => !/status of 4|Symbol legend/.test(text)),
  );
  await context.close();

  for (const size of [
    { width: 380, height: 760, scheme: 'dark' },
    { width: 1920, height: 1000, scheme: 'dark' },
  ]) {
    const other = await visit(size);
    await check(`${size.width} wide, in the dark, the values of a column fit`, async () => {
      await other.page.goto(`${site}#data`);
      await other.page
        .getByRole('treeitem', { name: /Orders/ })
        .or(other.page.getByRole('button', { name: /^Orders/ }))
        .first()
        .click();
      await other.page.getByRole('tab', { name: /^Rows/ }).click();
      const grid = other.page.getByRole('grid').first();
      await grid.getByRole('columnheader').nth(1).click();
      await other.page.keyboard.press('Alt+ArrowDown');
      const panel = other.page.locator('[data-grid] [role=dialog]');
      await panel.getByRole('checkbox').first().waitFor();
      await shot(other.page, `210-facet-${size.width}`);
      const place = await panel.boundingBox();
      const fits = place && place.x >= 0 && place.x + place.width <= size.width;
      return fits ? findings(other.page) : [`the panel stands at ${JSON.stringify(place)}`];
    });
    await other.context.close();
  }
}
