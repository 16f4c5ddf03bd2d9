// One person's way through the window at 1280x800: ask, look, trust, follow up, stop, import, come back.
import { gzipSync } from 'node:zlib';
import { ask, drop, findings } from './browser.mjs';

export async function desk({ page, context, trouble, site, check, shot }) {
  const results = page.getByRole('tab', { name: /^Results/ });
  const sources = page.getByRole('tab', { name: 'Sources' }).last();
  const lit = page.locator('[role=gridcell].lit');
  let turn;

  await check('the first view names the workspace and offers four questions', async () => {
    await page.getByRole('heading', { name: 'Northwind', level: 2 }).waitFor();
    await shot(page, '01-welcome');
    return (await page.locator('section[aria-labelledby=welcome] li button').count()) === 4;
  });
  await check('the sources are listed with their rows', () =>
    page.getByRole('cell', { name: '830' }).first().waitFor(),
  );
  await check('the first view takes less than 250 kB, packed', async () => {
    const html = await (await context.request.get(site)).text();
    const parts = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path);
    let bytes = gzipSync(html).length;
    for (const path of parts) bytes += gzipSync(await (await context.request.get(site + path)).body()).length;
    return parts.length > 1 && bytes < 250_000 ? [] : [`${parts.length} files, ${bytes} bytes`];
  });
  await check('axe finds nothing serious in the first view', () => findings(page));

  await check('a starter question runs on a click', async () => {
    await page.locator('section[aria-labelledby=welcome] li button').first().click();
    await page.locator('.narration, .refusal, .clarification').first().waitFor();
    return (await page.locator('.narration').count()) > 0;
  });

  await check('a question gets an answer with narration, reading and grade', async () => {
    turn = await ask(page, 'revenue by category in 1997');
    await turn.locator('.narration').first().waitFor();
    await turn.getByRole('list', { name: 'How the question was read' }).waitFor();
    return (await turn.locator('svg[role=img][aria-label^="Grade"]').count()) === 1;
  });
  await check('the question names the session', () => page.locator('header .title').waitFor());
  await check('the table shows eight rows with the unit in the header', async () => {
    const grid = page.getByRole('grid').first();
    await grid.waitFor();
    const header = await grid.getByRole('columnheader').last().innerText();
    return (await grid.getAttribute('aria-rowcount')) === '9' && /USD/.test(header);
  });
  await check('a chart is drawn as SVG', async () => {
    await page.locator('.chart svg').first().waitFor();
    await shot(page, '02-answer');
    return (await page.locator('.chart').first().getAttribute('aria-label')).includes('Chart');
  });

  await check('hovering a number lights its cell, leaving it does not', async () => {
    const number = turn
      .locator('.narration button')
      .filter({ hasText: /\d[\d,.]{4,}/ })
      .first();
    await number.hover();
    await lit.first().waitFor();
    await shot(page, '03-lit');
    const same = (await lit.first().innerText()).trim().startsWith((await number.innerText()).trim().slice(0, 5));
    await page.mouse.move(5, 400);
    await lit.first().waitFor({ state: 'detached' });
    return same;
  });
  await check('a number takes the keyboard to its cell', async () => {
    const number = turn
      .locator('.narration button')
      .filter({ hasText: /\d[\d,.]{4,}/ })
      .first();
    await number.focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'gridcell');
  });
  await check('arrows move in the grid, Ctrl+C copies the cell', async () => {
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    const place = await page.evaluate(() => document.activeElement?.getAttribute('data-place'));
    await page.keyboard.press('Control+c');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const shown = await page.evaluate(() => document.activeElement?.textContent?.trim());
    return place === '1:0' && copied === shown;
  });
  await check('a click on a header sorts, and says so', async () => {
    const header = page.getByRole('grid').first().getByRole('columnheader').last();
    await header.click();
    const first = await header.getAttribute('aria-sort');
    await header.click();
    return first === 'descending' && (await header.getAttribute('aria-sort')) === 'ascending';
  });
  await check('the table copies as TSV with its header', async () => {
    await page.getByRole('button', { name: 'Result menu' }).first().click();
    await page.getByRole('menuitem', { name: 'Copy rows as TSV' }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    return text.split('\n').length === 9 && text.split('\n')[0].includes('\t');
  });

  await check('the provenance opens in place, in its order', async () => {
    await page
      .getByRole('button', { name: /^Provenance/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Trace' }).first().waitFor();
    const titles = await page.locator('section > h4').allInnerTexts();
    const order = ['Question', 'Frame-QL', 'SQL', 'Served', 'Checks', 'Risk', 'Trace'];
    const places = order.map((word) => titles.findIndex((title) => title.startsWith(word)));
    return places.every((place, index) => place >= 0 && (index === 0 || place > places[index - 1]));
  });
  await check('the SQL is shown and coloured', async () => {
    const code = page.getByRole('group', { name: /^SQL/ }).first();
    await code.scrollIntoViewIfNeeded();
    await shot(page, '04-provenance');
    return (await code.innerText()).includes('SELECT') && (await code.locator('.keyword').count()) > 2;
  });
  await check('axe finds nothing serious with an answer in view', () => findings(page));
  await check('its Frame-QL runs again from there', async () => {
    const turns = await page.locator('article[aria-label^="Question"]').count();
    await page.getByRole('button', { name: 'Run', exact: true }).first().click();
    await page.locator('article[aria-label^="Question"]').nth(turns).locator('.narration').waitFor();
  });

  await check('a follow-up is asked on a click', async () => {
    const turns = await page.locator('article[aria-label^="Question"]').count();
    await turn.getByRole('list', { name: 'Questions that may follow' }).getByRole('button').first().click();
    await page
      .locator('article[aria-label^="Question"]')
      .nth(turns)
      .locator('.narration, .refusal, .clarification')
      .first()
      .waitFor();
  });
  await check('a long list draws only what is in view and scrolls to its end', async () => {
    await ask(page, 'revenue by order');
    const grid = page.getByRole('grid').first();
    const rows = Number(await grid.getAttribute('aria-rowcount'));
    const drawn = await grid.getByRole('row').count();
    await grid.evaluate((element) => (element.scrollTop = element.scrollHeight));
    await grid.locator(`[role=row][aria-rowindex="${rows}"]`).waitFor();
    await shot(page, '05-list');
    return rows > 500 && drawn < 80;
  });
  await check('a number over time is drawn as a line', async () => {
    await ask(page, 'revenue by month in 1997');
    await page.locator('.chart svg .mark-line').first().waitFor();
    await shot(page, '06-line');
  });
  await check('one number is shown large', async () => {
    await ask(page, 'total revenue');
    await page.locator('.big-figure').first().waitFor();
    await shot(page, '07-number');
  });
  await check('a question that cannot be answered is declined with something to click', async () => {
    const declined = await ask(page, 'profit by region');
    await declined.locator('.refusal, .clarification').waitFor();
    await shot(page, '08-declined');
    const ways = declined.locator('.refusal button, .clarification button');
    if ((await ways.count()) === 0) return true;
    const turns = await page.locator('article[aria-label^="Question"]').count();
    await ways.first().click();
    await page.locator('article[aria-label^="Question"]').nth(turns).locator('.narration').waitFor();
  });

  await check('Esc stops a run at once and tells the program', async () => {
    await page.route('**/api/ask', () => undefined);
    await page.route('**/api/requests/*/cancel', (route) => route.fulfill({ json: { canceled: true } }));
    await page.locator('#composer').fill('something slow');
    await page.locator('#composer').press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).first().waitFor();
    await shot(page, '09-running');
    const told = page.waitForRequest('**/api/requests/*/cancel');
    await page.keyboard.press('Escape');
    await page.getByRole('article').getByText('You stopped this before it had an answer.').waitFor();
    await told;
    await page.unroute('**/api/ask');
    await page.unroute('**/api/requests/*/cancel');
    return true;
  });
  await check('a failure says what to do and can be asked again', async () => {
    await page.route('**/api/ask', (route) =>
      route.fulfill({
        status: 503,
        json: { code: 'unavailable', message: 'The disk is full.', hint: 'Free some space.' },
      }),
    );
    const broken = await ask(page, 'total revenue');
    await broken.getByText('Free some space.').waitFor();
    await shot(page, '10-failure');
    await page.unroute('**/api/ask');
    const turns = await page.locator('article[aria-label^="Question"]').count();
    await broken.getByRole('button', { name: 'Ask again' }).click();
    await page.locator('article[aria-label^="Question"]').last().locator('.narration').waitFor();
    trouble.splice(0, trouble.length, ...trouble.filter((line) => !line.includes('503')));
    return (await page.locator('article[aria-label^="Question"]').count()) === turns;
  });
  await check('Up recalls the last question', async () => {
    await page.locator('#composer').focus();
    await page.keyboard.press('ArrowUp');
    const text = await page.locator('#composer').inputValue();
    await page.locator('#composer').fill('');
    return text === 'total revenue';
  });

  await check('typing offers what the question may go on with', async () => {
    const field = page.locator('#composer');
    await field.click();
    await field.pressSequentially('revenue by cat');
    const list = page.getByRole('listbox', { name: 'Ways to go on' });
    await list
      .getByRole('option', { name: /categories/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await shot(page, '10-completions');
    const serious = await findings(page);
    const active = await field.getAttribute('aria-activedescendant');
    const chosen = await list.locator('[aria-selected=true]').getAttribute('id');
    if (serious.length > 0) return serious;
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    return active !== null && active === chosen && (await field.inputValue()) === 'revenue by cat';
  });
  await check('a completion is taken by Tab and asked by Enter', async () => {
    const field = page.locator('#composer');
    await field.fill('');
    await field.pressSequentially('order count in germ');
    await page
      .getByRole('option', { name: /Germany/ })
      .first()
      .waitFor();
    await page.keyboard.press('Tab');
    if ((await field.inputValue()).trim() !== 'order count in Germany') return [await field.inputValue()];
    const turns = await page.locator('article[aria-label^="Question"]').count();
    await page.keyboard.press('Enter');
    await page
      .locator('article[aria-label^="Question"]')
      .nth(turns)
      .locator('.narration, .clarification')
      .first()
      .waitFor();
    await shot(page, '10-completed');
  });

  await check('the split moves by keyboard and is remembered', async () => {
    const bar = page.getByRole('separator');
    const before = Number(await bar.getAttribute('aria-valuenow'));
    await bar.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const after = Number(await bar.getAttribute('aria-valuenow'));
    await page.reload();
    await page.locator('.narration').first().waitFor();
    return after === before + 4 && Number(await bar.getAttribute('aria-valuenow')) === after;
  });
  await check('after a reload the session is there with tables and charts', async () => {
    await page.getByRole('grid').first().waitFor();
    await page.locator('.chart svg').first().waitFor();
    return (await page.locator('article[aria-label^="Question"]').count()) > 5;
  });

  await check('a new session begins with Ctrl+N', async () => {
    await page.keyboard.press('Control+n');
    if (!(await page.getByRole('heading', { name: 'Northwind', level: 2 }).isVisible())) {
      // Chromium keeps Ctrl+N for itself in some modes; the button does the same.
      await page.getByRole('button', { name: 'New session' }).click();
    }
    await page.getByRole('heading', { name: 'Northwind', level: 2 }).waitFor();
  });
  await check('the drawer lists sessions by day, finds one, and opens it', async () => {
    await page.getByRole('button', { name: 'Sessions' }).click();
    const drawer = page.getByRole('dialog', { name: 'Sessions' });
    await drawer.getByRole('heading', { name: 'Today' }).waitFor();
    await shot(page, '11-drawer');
    const serious = await findings(page);
    if (serious.length > 0) return serious;
    await drawer.getByRole('searchbox').fill('no such words');
    await drawer.getByText('No session has these words').waitFor();
    await drawer.getByRole('searchbox').fill('');
    await drawer.locator('button.open').first().click();
    await page.locator('.narration').first().waitFor();
    await page.getByRole('grid').first().waitFor();
  });
  await check('a session is renamed in place', async () => {
    await page.getByRole('button', { name: 'Sessions' }).click();
    const drawer = page.getByRole('dialog', { name: 'Sessions' });
    await drawer.getByRole('button', { name: 'Rename' }).first().click();
    await drawer.getByRole('textbox', { name: 'Title of the session' }).fill('A new title');
    await page.keyboard.press('Enter');
    await drawer.getByText('A new title').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
  });

  await check('a stopped import leaves nothing', async () => {
    await page.route('**/api/import', () => undefined);
    await drop(page, 'never.csv', 'a,b\n1,2\n');
    await page.getByRole('progressbar').waitFor();
    await shot(page, '12-import');
    await page.getByRole('region', { name: 'Import' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing of it was kept.').waitFor();
    await page.unroute('**/api/import');
  });
  await check('a CSV dropped anywhere is imported and brings questions', async () => {
    const lines = Array.from({ length: 40 }, (_, day) => {
      const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
      return `${date},${['Bern', 'Oslo', 'Lyon'][day % 3]},${(day * 1.5 + 10).toFixed(2)}`;
    });
    const called = await drop(page, 'city_sales.csv', `date,city,amount\n${lines.join('\n')}\n`);
    await page.getByRole('article', { name: 'Imported' }).waitFor();
    await page.getByRole('article', { name: 'Imported' }).getByText('40 rows').waitFor();
    await shot(page, '13-imported');
    const serious = await findings(page);
    return serious.length > 0 ? serious : called;
  });
  await check('the new source stands among the sources', async () => {
    await sources.click();
    await page.locator('table').getByText('city_sales.csv').first().waitFor();
  });
  await check('the results are still there', async () => {
    await results.last().click();
    await page.getByRole('grid').first().waitFor();
  });
  await check('an address of its own opens the same session', async () => page.url().startsWith(`${site}#session/`));
  await check('no error, no warning, no foreign request on the way', () => trouble);
}
