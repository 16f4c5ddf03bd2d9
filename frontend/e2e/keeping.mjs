// What is kept: saved queries, how the window stood over a restart of the program on another port, and undo with redo.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, findings, freshQuery, open } from './browser.mjs';
import { clipped } from './looks.mjs';
import { serve } from './programs.mjs';

async function write(page, text) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
  await page.keyboard.press('Escape');
}

const editorHolds = (page, text) =>
  page.waitForFunction((want) => document.querySelector('.cm-content')?.textContent === want, text);

export async function keeping({ visit, site, browser, check, shot }) {
  await saved({ visit, site, check, shot });
  await undone({ visit, check, shot });
  await grown({ visit, check, shot });
  await restarts({ browser, check, shot });
}

async function grown({ visit, check, shot }) {
  const [one, two] = [await visit({ width: 1280, height: 800 }), await visit({ width: 1280, height: 800 })];
  const line = one.page.getByText('1 answer came from another window.');
  const turns = (page) => page.getByRole('list', { name: 'Questions and answers' }).locator('[data-turn]').count();

  await check(
    'an answer of a session that is open in two windows is said in the other one, and shown there',
    async () => {
      await ask(one.page, 'revenue by category');
      await two.page.goto(one.page.url());
      await two.page.reload();
      await two.page.getByText('revenue by category').first().waitFor();
      await ask(two.page, 'revenue by country');
      await line.waitFor();
      await shot(one.page, '79-grown');
      const serious = await findings(one.page);
      await one.page.getByRole('status').getByRole('button', { name: 'Show' }).click();
      await line.waitFor({ state: 'detached' });
      const [mine, theirs] = [await turns(one.page), await turns(two.page)];
      return mine === 2 && theirs === 2 ? serious : [`${mine} and ${theirs} turns`];
    },
  );
  await check('two windows of a session have no trouble', async () => [...one.trouble, ...two.trouble]);
  await one.context.close();
  await two.context.close();
}

async function saved({ visit, site, check, shot }) {
  const { page, trouble } = await visit({ width: 1280, height: 800 });
  const drawer = page.getByRole('dialog', { name: 'Queries that you ran or saved' });
  const rows = drawer.getByRole('list', { name: 'Saved queries' }).getByRole('listitem');
  const dialog = page.getByRole('dialog', { name: 'Save query' });
  const showSaved = async () => {
    await page.getByRole('button', { name: 'Queries that you ran or saved' }).click();
    await drawer.getByRole('tab', { name: 'Saved' }).click();
    await drawer.getByRole('list', { name: 'Saved queries' }).waitFor({ state: 'attached' });
  };
  const asked = [];
  page.on('request', (request) => /api\/(ask|query\/check)$/.test(request.url()) && asked.push(request.url()));
  const ran = () => asked.filter((url) => url.endsWith('/ask'));

  await check('Ctrl+S saves a query under a name, and Ctrl+S again in the same place, saying so', async () => {
    await page.goto(`${site}#query`);
    await freshQuery(page);
    await write(page, 'SELECT revenue AT category_name');
    await page.keyboard.press('Control+s');
    await dialog.getByRole('textbox', { name: 'Name of the query' }).fill('Revenue by category');
    await shot(page, '75-save-query');
    const serious = await findings(page);
    await page.keyboard.press('Enter');
    await page.getByText('Saved as “Revenue by category”.').waitFor();
    await page.getByRole('tab', { name: 'Revenue by category' }).waitFor();
    await write(page, 'SELECT revenue AT category_name DURING 1997');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved again as “Revenue by category”.').waitFor();
    return serious;
  });
  await check('a name that is taken is replaced only by a button that says so', async () => {
    await page.getByRole('button', { name: 'New query' }).click();
    await page.getByRole('radiogroup', { name: 'Language' }).getByText('SQL').click();
    await write(page, 'SELECT 1 AS one');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('textbox').fill('revenue BY category');
    await dialog.getByText('“Revenue by category” is saved already.').waitFor();
    await shot(page, '75-save-taken');
    const serious = await findings(page);
    if ((await dialog.getByRole('button', { name: 'Save', exact: true }).count()) > 0) return ['it can be saved'];
    await dialog.getByRole('textbox').fill('One');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved as “One”.').waitFor();
    return serious;
  });
  await check('saved queries are searched beside the history, and open in a tab without running', async () => {
    await showSaved();
    await rows.nth(1).waitFor();
    await drawer.getByRole('searchbox').fill('1997');
    await rows.filter({ hasText: 'One' }).waitFor({ state: 'detached' });
    await shot(page, '75-saved-queries');
    const serious = await findings(page);
    const before = ran().length;
    await rows.getByRole('button').filter({ hasText: 'SELECT revenue' }).click();
    await editorHolds(page, 'SELECT revenue AT category_name DURING 1997');
    return [...serious, ...ran().slice(before)];
  });
  await check('a saved query is renamed by the keyboard, deleted, and comes back by undo', async () => {
    await showSaved();
    await drawer.getByRole('searchbox').fill('');
    const one = rows.filter({ hasText: 'SELECT 1 AS one' });
    await one.getByRole('button', { name: 'Rename' }).focus();
    await page.keyboard.press('Enter');
    await drawer.getByRole('textbox', { name: 'Name of the query' }).fill('Just one');
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: 'Just one' }).waitFor();
    await one.getByRole('button', { name: 'Delete' }).click();
    await drawer.getByText('Deleted: Just one').waitFor();
    await shot(page, '75-saved-deleted');
    const serious = await findings(page);
    await drawer.getByRole('button', { name: 'Undo' }).click();
    await rows.filter({ hasText: 'Just one' }).waitFor();
    return serious;
  });
  await check('the palette opens a saved query by its name, from anywhere', async () => {
    await page.keyboard.press('Escape');
    await page.goto(site);
    await page.locator('#composer').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Just one');
    await page.getByRole('option', { name: 'Just one' }).waitFor();
    await page.keyboard.press('Enter');
    await editorHolds(page, 'SELECT 1 AS one');
  });
  await check('two windows save under one name: the second one is shown what is there', async () => {
    const other = await visit({ width: 1280, height: 800 });
    await other.page.goto(`${site}#query`);
    await other.page.getByRole('tab', { name: 'Just one' }).click();
    await editorHolds(other.page, 'SELECT 1 AS one');
    await write(page, 'SELECT 2 AS two');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved again as “Just one”.').waitFor();
    await write(other.page, 'SELECT 3 AS three');
    await other.page.keyboard.press('Control+s');
    const asking = other.page.getByRole('dialog', { name: 'Save query' });
    await asking.getByText('was changed since you saw it').waitFor();
    await asking.getByText('SELECT 2 AS two').waitFor();
    await asking.getByRole('button', { name: 'Replace' }).click();
    await other.page.getByText('Saved again as “Just one”.').waitFor();
    // Not in a field: what is taken back is the saving.
    await other.page.getByRole('button', { name: 'New query' }).focus();
    await other.page.keyboard.press('Control+z');
    await other.page.getByText('Taken back: replace saved query “Just one”').waitFor();
    await shot(other.page, '75-taken-back');
    const serious = [...(await findings(other.page)), ...(await clipped(other.page)), ...other.trouble.filter((one) => !one.includes('409'))]; // prettier-ignore
    await other.context.close();
    await showSaved();
    await rows.filter({ hasText: 'SELECT 2 AS two' }).waitFor();
    return serious;
  });
  for (const [name, options] of Object.entries({
    dark: { width: 1280, height: 800, scheme: 'dark' },
    wide: { width: 1920, height: 1000 },
    narrow: { width: 380, height: 720 },
  })) {
    await check(`saved queries read well: ${name}`, async () => {
      const other = await visit(options);
      await other.page.goto(`${site}#query`);
      await freshQuery(other.page);
      await other.page.getByRole('button', { name: 'Queries that you ran or saved' }).click();
      await other.page.getByRole('tab', { name: 'Saved' }).click();
      await other.page.getByText('Revenue by category').last().waitFor();
      await shot(other.page, `75-saved-${name}`);
      const wrong = [...(await findings(other.page)), ...(await clipped(other.page)), ...other.trouble];
      await other.context.close();
      return wrong;
    });
  }
  await check('nothing went wrong with saved queries', () => trouble);
}

async function undone({ visit, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 800 });
  const drawer = page.getByRole('dialog', { name: 'Sessions' });
  // Out of every field: there Ctrl+Z is the field's own.
  const away = () => page.locator('nav button').first().focus();
  const palette = async (words) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(words);
  };
  await check('what was done to sessions is taken back and done again, step by step, and named', async () => {
    await ask(page, 'revenue by country in 1997');
    await page.keyboard.press('Control+b');
    const row = drawer.locator('.session', { hasText: 'revenue by country in 1997' }).first();
    await row.hover();
    await row.getByRole('button', { name: 'Rename' }).click();
    await drawer.getByRole('textbox', { name: 'Title of the session' }).fill('Undo me');
    await page.keyboard.press('Enter');
    const named = drawer.locator('.session', { hasText: 'Undo me' });
    await named.hover();
    await named.getByRole('button', { name: 'Pin' }).click();
    await drawer.getByRole('heading', { name: 'Pinned' }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await palette('Undo');
    await page.getByRole('option', { name: 'Undo: pin session “Undo me”' }).waitFor();
    await shot(page, '76-undo-palette');
    const serious = await findings(page);
    await page.keyboard.press('Enter');
    await page.getByText('Taken back: pin session “Undo me”').waitFor();
    await away();
    await page.keyboard.press('Control+z');
    await page.getByText('Taken back: rename session to “Undo me”').waitFor();
    await page.keyboard.press('Control+Shift+Z');
    await page.getByText('Done again: rename session to “Undo me”').waitFor();
    await shot(page, '76-done-again');
    await page.keyboard.press('Control+b');
    await named.waitFor();
    await page.keyboard.press('Escape');
    return [...serious, ...(await findings(page))];
  });
  await check('a result that was pinned is unpinned by undo, and pinned again by redo', async () => {
    await page.getByRole('button', { name: 'Result menu' }).first().click();
    await page.locator('.menu').getByText('Pin to the top', { exact: true }).click();
    const pin = page.locator('#panels').getByLabel('Pinned', { exact: true }).first();
    await pin.waitFor();
    await palette('Undo');
    await page.getByRole('option', { name: /^Undo: pin result/ }).click();
    await pin.waitFor({ state: 'detached' });
    await away();
    await page.keyboard.press('Control+Shift+Z');
    await pin.waitFor();
  });
  await check('a column that was hidden is back by Ctrl+Z', async () => {
    const column = page.locator('#panels').getByRole('columnheader', { name: /Country/ });
    await page.locator('#panels [role=gridcell]').first().click();
    for (const key of ['Control+Home', 'ArrowUp', 'Alt+ArrowDown']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await column.waitFor({ state: 'detached' });
    await away();
    await page.keyboard.press('Control+z');
    await column.waitFor();
  });
  await check('Ctrl+Z in a text field is the field’s own', async () => {
    const composer = page.locator('#composer');
    await composer.click();
    await page.keyboard.type('revenue by month');
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => document.querySelector('#composer').value !== 'revenue by month');
    await page.keyboard.press('Control+b');
    await drawer.locator('.session', { hasText: 'Undo me' }).waitFor();
    await page.keyboard.press('Escape');
    await composer.fill('');
  });
  await check('nothing went wrong while things were taken back', () => trouble);
  await context.close();
}

async function restarts({ browser, check, shot }) {
  const home = mkdtempSync(join(tmpdir(), 'assay-keeping-'));
  let now = null;
  try {
    now = await serve(home);
    const first = await open(browser, now.address, { width: 1280, height: 800 });
    const { page } = first;
    const origin = new URL(page.url()).origin;
    await ask(page, 'revenue by category in 1997');
    const bar = page.getByRole('separator').first();
    await bar.focus();
    for (let times = 0; times < 4; times++) await page.keyboard.press('ArrowRight');
    const split = await bar.getAttribute('aria-valuenow');
    await page.goto(`${new URL('/', now.address).href}#query`);
    await freshQuery(page);
    await write(page, 'SELECT freight AT ship_country DURING 1997');
    await page.getByRole('button', { name: 'New query' }).click();
    await page.getByRole('radiogroup', { name: 'Language' }).getByText('SQL').click();
    await write(page, 'SELECT 41 + 1 AS answer');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('#query-panel .results').getByText('42', { exact: true }).first().waitFor();

    // Another window beside it, with a tab of its own.
    const beside = await first.context.newPage();
    await beside.goto(`${new URL('/', now.address).href}#query`);
    await beside.locator('.cm-content').waitFor();
    await beside.getByRole('tab').nth(1).waitFor();
    await beside.getByRole('button', { name: 'New query' }).click();
    await write(beside, 'SELECT revenue AT ship_country');
    await page.bringToFront();
    await check('what another window opens or closes is left alone here', async () => {
      await page.getByRole('tab').nth(1).waitFor();
      const before = await page.evaluate(() =>
        Object.keys(localStorage).find((key) => (localStorage.getItem(key) ?? '').includes('"SELECT freight')),
      );
      await beside.getByRole('tab').first().click();
      await beside.getByRole('button', { name: 'Close this query' }).click();
      // It is kept for this window under another name.
      await page.waitForFunction((gone) => {
        const kept = Object.keys(localStorage).filter((key) => /\/query\.tab\./.test(key) && !/unsent/.test(key));
        return kept.length === 3 && !kept.includes(gone);
      }, before);
      const mine = await page.getByRole('tab').count();
      const text = await page.locator('.cm-content').textContent();
      return mine === 2 && text === 'SELECT 41 + 1 AS answer' ? [] : [`${mine} tabs, ${text}`];
    });
    // The program has heard of everything that is here.
    for (const one of [page, beside])
      await one.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith('assay-unsent')));
    await now.kill();
    await first.context.close();

    now = await serve(home);
    const second = await open(browser, now.address, { width: 1280, height: 800 });
    await check('the program was killed and started again on another port: the session is open again', async () => {
      if (new URL(second.page.url()).origin === origin) return ['it has the same port'];
      await second.page.locator('article[aria-label^="Question"]').first().waitFor();
      await second.page.getByRole('heading', { name: 'revenue by category in 1997' }).first().waitFor();
      await shot(second.page, '77-session-again');
      return findings(second.page);
    });
    await check('the bar between the panels stands where it stood', async () => {
      const at = await second.page.getByRole('separator').first().getAttribute('aria-valuenow');
      return at === split ? [] : [`${at}, and stood at ${split}`];
    });
    await check('the query tabs of both windows are there with their results, the chosen one in view', async () => {
      await second.page.goto(`${new URL('/', now.address).href}#query`);
      const tabs = second.page.getByRole('tab');
      await tabs.nth(2).waitFor();
      const texts = await tabs.evaluateAll((all) => all.map((tab) => tab.title).sort());
      await tabs.filter({ hasText: '41 + 1' }).click();
      await second.page.locator('#query-panel .results').getByText('42', { exact: true }).first().waitFor();
      await shot(second.page, '77-tabs-again');
      const want = ['SELECT 41 + 1 AS answer', 'SELECT freight AT ship_country DURING 1997', 'SELECT revenue AT ship_country']; // prettier-ignore
      return JSON.stringify(texts) === JSON.stringify(want) ? [] : texts;
    });
    await check('a window that is opened beside it begins a session of its own', async () => {
      const beside = await second.context.newPage();
      await beside.goto(new URL('/', now.address).href);
      await beside.locator('#composer').waitFor();
      await beside.getByRole('tab', { name: 'Sources' }).waitFor();
      const turns = await beside.locator('article[aria-label^="Question"]').count();
      await beside.close();
      return turns === 0 ? [] : [`${turns} questions`];
    });
    await check('nothing went wrong over the restart', () => second.trouble);
    await second.context.close();
  } finally {
    await now?.kill();
    rmSync(home, { recursive: true, force: true });
  }
}
