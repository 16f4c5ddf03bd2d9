// The grid: rows that stay in the engine, in any order and any part, ranges, columns, copies, and what is hard to show.
import { ask, copied, findings } from './browser.mjs';

/** Runs a statement as a script would, and opens its session. */
async function given(page, site, sql, rows = 100, ready = () => page.getByRole('grid').first().waitFor()) {
  const response = await page.request.post(new URL('api/ask', site).href, {
    data: { sql, max_rows: rows, confirm: true },
    headers: { Origin: new URL(site).origin },
  });
  if (!response.ok()) throw new Error(`${response.status()} ${await response.text()}`);
  const answer = await response.json();
  if (!answer.frame) throw new Error(JSON.stringify(answer).slice(0, 400));
  await page.goto(`${site}#session/${answer.session_id}`);
  await page.reload();
  await ready();
  return answer;
}

const orders = 'SELECT "OrderID", "ShipCountry", "Freight", "OrderDate", "ShipRegion" FROM "Orders" ORDER BY "OrderID"';
const hard = `SELECT a.range * 1000 + b.range AS n, 'مرحبا بالعالم ' || b.range AS rtl, '👩‍👩‍👧‍👦 🎉' AS emoji, CASE WHEN b.range % 500 = 0 THEN repeat('word ', 200000) ELSE 'short' END AS long,
  '{"a": [1.10, {"b": null}]}' AS json, '' AS empty, CAST(NULL AS VARCHAR) AS nothing, 9223372036854775807 AS big, b.range AS "${'n'.repeat(300)}"
  FROM range(2) a, range(1000) b ORDER BY n`;

export async function grid({ visit, site, check, shot }) {
  const { context, page, trouble } = await visit({ width: 1280, height: 900 });
  const box = page.getByRole('grid').first();
  const row = (index) => box.locator(`[role=row][aria-rowindex="${index}"]`);
  const header = (name) => box.getByRole('columnheader', { name });
  const bar = page
    .locator('footer')
    .filter({ has: page.getByRole('button', { name: 'Columns', exact: true }) })
    .first();
  const settled = () =>
    page.waitForFunction(() => !document.querySelector('[role=gridcell].coming, [role=grid][aria-busy=true]'));

  await check('a result that was cut says so in a bar, and opens whole', async () => {
    await given(page, site, orders);
    await page.getByText('Cut off: 100 of 830 rows are shown.').waitFor();
    const before = await box.getAttribute('aria-rowcount');
    await page.getByRole('button', { name: 'Open all rows' }).click();
    await page.getByText('All 830 rows are open.').waitFor();
    await shot(page, '40-all-rows');
    return before === '101' && (await box.getAttribute('aria-rowcount')) === '831';
  });
  await check('the last row is there when one goes to it', async () => {
    await row(2).locator('[role=gridcell]').first().click();
    await page.keyboard.press('Control+End');
    await row(831).waitFor();
    await settled();
    const last = await row(831).locator('[role=gridcell]').first().innerText();
    await page.keyboard.press('Control+Home');
    return last.replace(/\D/g, '') === '11077';
  });
  await check('a header sorts in the engine, with Shift by several columns', async () => {
    await header(/ShipCountry/).click();
    await page.waitForFunction(() => document.querySelector('[role=columnheader][aria-sort=ascending]'));
    await header(/Freight/).click({ modifiers: ['Shift'] });
    await page.waitForFunction(
      () => document.querySelectorAll('[role=columnheader]:not([aria-sort=none])').length === 2,
    );
    await settled();
    const first = await row(2).locator('[role=gridcell]').allInnerTexts();
    await shot(page, '41-sorted');
    return first[1] === 'Argentina' && first[2] === '217.86';
  });
  await check('a column is filtered in its panel, and the filter stands above and goes on a click', async () => {
    await header(/Freight/).hover();
    await header(/Freight/)
      .getByRole('button')
      .click();
    const panel = page.getByRole('dialog', { name: 'Column Freight' });
    await panel.getByText('Condition', { exact: true }).click();
    await panel.getByLabel('Value', { exact: true }).fill('500');
    await panel.getByLabel('up to (optional)').fill('600');
    await shot(page, '42-panel');
    await page.keyboard.press('Enter');
    await bar.getByText(/of 830 rows/).waitFor();
    const kept = Number(await box.getAttribute('aria-rowcount')) - 1;
    await page.getByRole('list', { name: 'Rows are left out' }).getByRole('button').first().click();
    await page.getByRole('list', { name: 'Rows are left out' }).getByRole('button').first().click();
    await bar.getByText('830 rows', { exact: true }).waitFor();
    return kept > 0 && kept < 30;
  });
  await check('a value that is none is refused with what to write', async () => {
    await header(/OrderDate/).hover();
    await header(/OrderDate/)
      .getByRole('button')
      .click();
    const panel = page.getByRole('dialog', { name: 'Column OrderDate' });
    await panel.getByText('Condition', { exact: true }).click();
    await panel.getByLabel('Value', { exact: true }).fill('soon');
    await page.keyboard.press('Enter');
    await page.getByText('"soon" is no value for OrderDate').waitFor();
    return (await box.getAttribute('aria-rowcount')) === '831';
  });
  await check('a search finds text in any column', async () => {
    await bar.getByRole('button', { name: 'Search in the rows' }).click();
    await page.getByRole('searchbox', { name: 'Search in the rows' }).fill('isle of');
    await page.keyboard.press('Enter');
    await bar.getByText(/of 830 rows/).waitFor();
    const kept = Number(await box.getAttribute('aria-rowcount')) - 1;
    await page.getByRole('searchbox', { name: 'Search in the rows' }).fill('');
    await bar.getByText('830 rows', { exact: true }).waitFor();
    return kept > 0 && kept < 100;
  });
  await check('Shift and the arrows select, and the bar below adds up', async () => {
    await row(2).locator('[role=gridcell]').nth(2).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await bar.getByText('Average').waitFor();
    const shown = [];
    for (const index of [2, 3, 4])
      shown.push(Number((await row(index).locator('[role=gridcell]').nth(2).innerText()).replace(/,/g, '')));
    const sum = Number((await bar.locator('.fact').first().locator('b').innerText()).replace(/,/g, ''));
    return Math.abs(sum - shown.reduce((a, b) => a + b)) < 0.001;
  });
  await check('Ctrl+A selects every row, loaded or not, and they are added up where they are', async () => {
    await page.keyboard.press('Control+a');
    await bar.getByText('Count').waitFor();
    await page.waitForFunction(() => /Count\s*3,\d{3}/.test(document.querySelector('footer .says')?.textContent ?? ''));
    await shot(page, '43-selection');
  });
  await check('Ctrl+C copies TSV; the menu copies CSV, Markdown, JSON and SQL', async () => {
    await row(2).locator('[role=gridcell]').first().click();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+c');
    const wrong = [await copied(page, /^\d+\t\w+\n\d+\t\w+$/)];
    const forms = {
      CSV: /^OrderID,ShipCountry\n/,
      Markdown: /^\| OrderID \| ShipCountry \|\n\| ---: \| --- \|/,
      JSON: /^\[\s*\{[^}]*\},\s*\{[^}]*\}\s*\]$/,
      SQL: /^SELECT \* FROM \(VALUES/,
    };
    for (const [format, form] of Object.entries(forms)) {
      await bar.getByRole('button', { name: 'Copy the selection as' }).click();
      await page.getByRole('menuitem', { name: format, exact: true }).click();
      wrong.push(await copied(page, form));
    }
    return wrong.filter((text) => text !== null);
  });
  await check('a column is pinned, moved, hidden and resized by keyboard, and stays so', async () => {
    await row(2).locator('[role=gridcell]').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Alt+ArrowDown');
    const panel = page.getByRole('dialog', { name: 'Column ShipCountry' });
    await panel.getByRole('button', { name: 'Pin to the left' }).click();
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'columnheader');
    const pinned = await header(/ShipCountry/).getAttribute('aria-colindex');
    await page.keyboard.press('Alt+ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Alt+Shift+ArrowRight');
    const moved = await header(/OrderID/).getAttribute('aria-colindex');
    await bar.getByRole('button', { name: 'Columns', exact: true }).click();
    const chooser = page.getByRole('dialog', { name: 'Columns' });
    await chooser.getByLabel('Find a column').fill('region');
    await chooser.getByRole('checkbox').uncheck();
    await shot(page, '44-columns');
    await page.reload();
    await box.waitFor();
    const kept = [await header(/ShipCountry/).getAttribute('aria-colindex'), await header(/ShipRegion/).count()];
    await bar.getByRole('button', { name: 'Columns', exact: true }).click();
    await chooser.getByRole('button', { name: 'As it came' }).click();
    await page.keyboard.press('Escape');
    const found = [pinned, moved, ...kept].join();
    return found === '1,3,1,0' ? [] : [`${found} where 1,3,1,0 was due`];
  });
  await check('a header is dragged to another place', async () => {
    await header(/Freight/).hover();
    await page.mouse.down();
    await header(/OrderID/).hover();
    await header(/OrderID/).hover({ position: { x: 8, y: 10 } });
    await page.mouse.up();
    const place = await header(/Freight/).getAttribute('aria-colindex');
    await bar.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('button', { name: 'As it came' }).click();
    return place === '1';
  });

  await check(
    'long text, JSON, right-to-left, emoji, a name of 300 letters and NULL are shown and told apart',
    async () => {
      await page.setViewportSize({ width: 1920, height: 900 }); // so that most columns are in view
      await given(page, site, hard);
      await page.getByRole('button', { name: 'Open all rows' }).click();
      await page.getByText('All 2,000 rows are open.').waitFor();
      await settled();
      await shot(page, '45-hard');
      const cells = row(2).locator('[role=gridcell]');
      const rtl = await cells.nth(1).evaluate((cell) => getComputedStyle(cell).direction);
      const texts = await cells.allInnerTexts();
      await cells.first().click();
      await page.keyboard.press('End');
      const wide = await header(/^n{300}/).evaluate((cell) => cell.clientWidth);
      await page.keyboard.press('Home');
      const found = [rtl, texts[5], texts[6], texts[7]?.replace(/,/g, ''), wide < 400];
      const wanted = ['rtl', '', 'null', '9223372036854775807', true];
      return wanted.flatMap((value, index) =>
        found[index] === value ? [] : [`${found[index]} where ${value} was due`],
      );
    },
  );
  await check('Enter opens the whole of a cell: a megabyte of text, and JSON on lines', async () => {
    await row(2).locator('[role=gridcell]').nth(3).click();
    await page.keyboard.press('Enter');
    const viewer = page.getByRole('dialog', { name: 'long' });
    await viewer.getByText('1,000,000 letters').waitFor();
    await viewer.getByRole('button', { name: 'Show more' }).waitFor();
    await page.keyboard.press('Escape');
    await row(2).locator('[role=gridcell]').nth(4).click();
    await page.keyboard.press('Enter');
    const json = await page.getByRole('dialog', { name: 'json' }).locator('pre').innerText();
    await shot(page, '46-cell');
    await page.keyboard.press('Escape');
    return json.split('\n').length > 5 && json.includes('1.10');
  });
  await check('two hundred columns draw those in view', async () => {
    const columns = Array.from({ length: 200 }, (_, n) => `a.range * ${n + 1} AS column_${n}`).join(', ');
    await given(page, site, `SELECT ${columns} FROM range(5000) a ORDER BY column_0`);
    await page.getByRole('button', { name: 'Open all rows' }).click();
    await page.getByText('All 5,000 rows are open.').waitFor();
    await row(2).locator('[role=gridcell]').first().click();
    const drawn = await row(2).locator('[role=gridcell]').count();
    await page.keyboard.press('Control+End');
    await settled();
    await shot(page, '47-wide');
    const last = await row(5001).locator('[role=gridcell][aria-colindex="200"]').innerText();
    return drawn < 40 && last.replace(/,/g, '') === String(4999 * 200);
  });
  await check('a name, an address or a phone number is not shown where a table is opened', async () => {
    const response = await page.request.post(new URL('api/results', site).href, {
      data: { table: 'Employees' },
      headers: { Origin: new URL(site).origin },
    });
    const set = await response.json();
    return (
      set.left_out.includes('LastName') &&
      set.left_out.includes('HomePhone') &&
      set.columns.every(({ name }) => !set.left_out.includes(name))
    );
  });
  await check('axe finds nothing serious with all rows open', () => findings(page));
  await check('a small answer has the same grid', async () => {
    await page.goto(site);
    await page.reload();
    await page.locator('#composer').waitFor();
    await ask(page, 'revenue by category');
    await header(/USD/).click();
    return (await header(/USD/).getAttribute('aria-sort')) === 'descending';
  });
  // The value that was none is refused by the program, which the browser writes down; charts of these statements have long legends.
  await check('nothing went wrong in the page meanwhile', () =>
    trouble.filter((text) => !/status of 400|Symbol legend/.test(text)),
  );
  await context.close();

  const narrow = await visit({ width: 380, height: 760, scheme: 'dark' });
  await check('a narrow window shows the grid whole, in the dark', async () => {
    // In a narrow window the dialogue is in view first.
    await given(narrow.page, site, orders, 100, () =>
      narrow.page
        .getByRole('tab', { name: /^Results/ })
        .first()
        .click(),
    );
    await narrow.page.getByRole('grid').first().waitFor();
    const box = await narrow.page.getByRole('grid').first().boundingBox();
    await shot(narrow.page, '48-narrow');
    const fits = box !== null && box.x >= 0 && box.x + box.width <= 380 && box.height > 100;
    return fits ? narrow.trouble : [`the grid stands at ${JSON.stringify(box)}`];
  });
  await narrow.context.close();
}
