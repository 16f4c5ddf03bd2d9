// The query page: completion, diagnostics with repairs, running, explaining, parameters, tabs and history, in both languages.
import { findings, freshQuery } from './browser.mjs';
import { clipped } from './looks.mjs';

export async function query({ visit, site, check, shot }) {
  const { page, trouble } = await visit({ width: 1280, height: 800 });
  const code = page.locator('.cm-content');
  const offers = page.locator('.cm-tooltip-autocomplete');
  const verdict = page.getByRole('region', { name: 'What is said of this query' });
  const results = page.locator('#query-panel .results');

  /** Writes a query in place of all that is there, as a person does. */
  async function write(text) {
    await code.click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) await page.keyboard.press('Shift+Enter');
      await page.keyboard.insertText(line);
    }
    await page.keyboard.press('Escape');
  }

  await check('the query page has an address, and its editor loads with it', async () => {
    await page.goto(`${site}#query`);
    await code.waitFor();
    await freshQuery(page);
    await shot(page, '40-query');
    return findings(page);
  });
  await check(
    'Frame-QL is completed from the model: metrics, and values of the dimension that is compared',
    async () => {
      await code.click();
      await page.keyboard.type('SELECT reve');
      await offers.getByText('revenue', { exact: true }).waitFor();
      await shot(page, '41-query-completion');
      await page.waitForTimeout(150); // what appears is not taken at once
      await page.keyboard.press('Enter');
      await page.keyboard.type(" WHERE ship_country = 'Germ");
      await offers.getByText('Germany', { exact: true }).waitFor();
      await page.waitForTimeout(150);
      await page.keyboard.press('Enter');
      const text = await code.innerText();
      return text.trim() === "SELECT revenue WHERE ship_country = 'Germany'" || [text];
    },
  );
  await check('a name that nobody knows is marked where it stands, and a repair is one click', async () => {
    await write('SELECT revenue AT categry_name');
    await verdict.getByText('There is no "categry_name"').waitFor();
    const marked = await page.locator('.remark').first().innerText();
    await shot(page, '42-query-wrong');
    const serious = await findings(page);
    await verdict.getByRole('button', { name: 'Use categories.category_name' }).click();
    await verdict.getByText('Every name is known').waitFor();
    return marked === 'categry_name' ? serious : [`${marked} is marked`];
  });
  await check('what a query takes stands beside it before it runs', async () => {
    await verdict.getByText(/[\d,]+ rows/).waitFor();
    return (await verdict.getByText(/about .*ms/).count()) === 1;
  });
  await check('Ctrl+Enter runs it, with its number, chart and rows', async () => {
    await code.click();
    await page.keyboard.press('ControlOrMeta+Enter');
    await results.getByText('267,868.18').first().waitFor();
    await shot(page, '43-query-result');
    return findings(page);
  });
  await check('EXPLAIN shows the steps, the SQL, what it takes and the risk, and runs nothing', async () => {
    await page.getByRole('button', { name: 'Explain' }).click();
    await results.getByText('Nothing was run').waitFor();
    await results.getByText('What it takes').waitFor();
    await results.getByText(/It would read about [\d,]+ rows/).waitFor();
    await shot(page, '44-query-explain');
    return findings(page);
  });
  await check('the canonical form puts each clause on a line', async () => {
    await write('select revenue at category_name during 1997 limit 3');
    await page.getByRole('button', { name: 'Format' }).click();
    await page.getByText('DURING').nth(0).waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.cm-line').length === 4);
    const lines = await page.locator('.cm-line').allInnerTexts();
    return lines[2] === 'DURING 1997' || lines;
  });
  await check('a second query in SQL completes the columns of an alias', async () => {
    await page.getByRole('button', { name: 'New query' }).click();
    await page.getByText('SQL', { exact: true }).click();
    await write('SELECT * FROM "Orders" o WHERE o.');
    await page.keyboard.type('ShipC');
    await offers.getByText('ShipCountry', { exact: true }).waitFor();
    await shot(page, '45-query-sql-completion');
    await page.keyboard.press('Escape');
  });
  await check('the gate says while typing what it lets pass', async () => {
    await write('DELETE FROM "Orders"');
    await verdict.locator('.wrong').waitFor();
    await write('SELECT "ShipCounty" FROM "Orders"');
    await page.waitForFunction(() => document.querySelector('.remark')?.textContent === 'ShipCounty');
    await write('SELECT count(*) AS n FROM "Orders"');
    await verdict.getByText('the gate lets it pass').waitFor();
  });
  await check('named parameters are fields, and their values are values', async () => {
    await write('SELECT "ShipCountry", count(*) AS n FROM "Orders" WHERE "ShipCountry" = :country GROUP BY ALL');
    await page.getByRole('textbox', { name: 'country' }).fill("Germany' OR 'a' = 'a");
    await verdict.getByText('the gate lets it pass').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).first().click();
    await results.getByText('No rows').or(results.getByText('0 rows')).first().waitFor();
    await page.getByRole('textbox', { name: 'country' }).fill('Germany');
    await verdict.getByText('the gate lets it pass').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).first().click();
    await results.getByText('122', { exact: true }).first().waitFor();
    await shot(page, '46-query-parameters');
    return findings(page);
  });
  await check("EXPLAIN of SQL shows the engine's own plan", async () => {
    await page.getByRole('button', { name: 'Explain' }).click();
    const plan = results.locator('section', { hasText: 'Plan of the engine' }).last();
    await plan.getByText(/SEQ_SCAN\s+Orders/).waitFor();
    await shot(page, '46-query-sql-explain');
    return findings(page);
  });
  await check('what is selected runs alone', async () => {
    await write('SELECT 41 + 1 AS answer\nFROM nowhere');
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.press('ControlOrMeta+Enter');
    await results.getByText('42', { exact: true }).first().waitFor();
  });
  await check('both queries and the last result are there after a reload', async () => {
    await page.reload();
    await page.getByRole('tab').nth(1).click();
    await results.getByText('42', { exact: true }).first().waitFor();
    return (await page.getByRole('tab').count()) === 2;
  });
  await check('the history is searched, and a click puts a query into an editor without running it', async () => {
    await page.getByRole('button', { name: 'Queries that you ran' }).click();
    const drawer = page.getByRole('dialog', { name: 'Queries that you ran' });
    await drawer.getByRole('searchbox').fill('ShipCountry');
    await drawer.getByRole('button').filter({ hasText: 'Germany' }).first().waitFor();
    await shot(page, '47-query-history');
    const serious = await findings(page);
    const asked = [];
    page.on('request', (request) => request.url().endsWith('/api/ask') && asked.push(request.url()));
    await drawer.getByRole('button').filter({ hasText: "= 'Germany' GROUP" }).first().click();
    await verdict.getByText('the gate lets it pass').waitFor();
    return [...serious, ...asked, ...((await page.getByRole('tab').count()) === 3 ? [] : ['no tab was opened'])];
  });
  await check('a run opens in the workspace as a turn of its session', async () => {
    await page.getByRole('tab').first().click();
    await page.getByRole('button', { name: 'Open in workspace' }).click();
    await page.locator('article[aria-label^="Question"]').first().waitFor();
  });
  await check('tabs are chosen and closed by the keyboard alone', async () => {
    await page.goto(`${site}#query`);
    await code.waitFor();
    const before = await page.getByRole('tab').count();
    await page.getByRole('tab').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Delete');
    return (await page.getByRole('tab').count()) === before - 1;
  });
  for (const [name, options] of Object.entries({
    dark: { width: 1280, height: 800, scheme: 'dark' },
    wide: { width: 1920, height: 1000 },
    narrow: { width: 380, height: 720 },
  })) {
    await check(`the query page reads well: ${name}`, async () => {
      const other = await visit(options);
      await other.page.goto(`${site}#query`);
      await freshQuery(other.page);
      await other.page.locator('.cm-content').click();
      await other.page.keyboard.type('SELECT category_name, revenue, nothing_known');
      await other.page.keyboard.press('Escape');
      await other.page.locator('.remark').waitFor();
      await shot(other.page, `48-query-${name}`);
      const wrong = [...(await findings(other.page)), ...(await clipped(other.page)), ...other.trouble];
      await other.context.close();
      return wrong;
    });
  }
  await check('nothing went wrong on the query page', () => trouble);
}
