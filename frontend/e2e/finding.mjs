// Sessions are searched by what was asked and answered, cleared, and deleted for good.
import { ask, findings } from './browser.mjs';
import { clipped } from './looks.mjs';

export async function finding({ visit, site, check, shot }) {
  await searched({ visit, check, shot });
  await cleared({ visit, site, check, shot });
  await erased({ visit, check, shot });
  await kept({ visit, site, check, shot });
}

async function searched({ visit, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 800 });
  const drawer = page.getByRole('dialog', { name: 'Sessions' });
  const search = drawer.getByRole('searchbox', { name: 'Search sessions' });
  const turn = (n) => page.getByRole('article', { name: `Question ${n}`, exact: true });

  await check('a search finds what was asked and answered, not titles alone, and marks its words', async () => {
    await ask(page, 'average unit price by supplier');
    await ask(page, 'orders by ship country in 1996');
    await ask(page, 'discontinued products');
    await page.getByRole('button', { name: /New session/ }).click();
    await page.keyboard.press('Control+Shift+f');
    await search.fill('SHIP ord');
    const hit = drawer.getByRole('button', { name: /^Question 2 *orders by ship country/ });
    await hit.waitFor();
    const marks = await hit.locator('mark').allTextContents();
    await shot(page, '96-search');
    const found = [...(await findings(page)), ...(await clipped(page))];
    return marks.map((mark) => mark.toLowerCase()).join() === 'ord,ship' ? found : [`marked: ${marks.join()}`];
  });
  await check('what was found is opened where it stands, by keyboard alone', async () => {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => /^Question/.test(document.activeElement?.textContent?.trim() ?? ''));
    await page.keyboard.press('Enter');
    await drawer.waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Question 2');
    return turn(2).isVisible();
  });
  await check(
    'a metric is found, an archived session is found and says so, and what is typed is only text',
    async () => {
      await page.keyboard.press('Control+b');
      await search.fill('');
      const row = drawer.locator('.session', { has: page.locator('[aria-current]') }); // others may be pinned before it
      await row.hover();
      await row.getByRole('button', { name: 'Archive', exact: true }).click();
      await drawer.getByText(/^\d+ archived$/).waitFor();
      await search.fill('supplier price');
      await drawer
        .getByText(/· archived$/)
        .first()
        .waitFor();
      await shot(page, '96-search-archived');
      const found = await findings(page);
      for (const words of ['"', '100%', "' OR 1=1 --", '<img src=x onerror=alert(1)>', '%_%']) {
        await search.fill(words);
        await page.waitForFunction(
          () => document.querySelector('dialog [aria-busy]')?.getAttribute('aria-busy') === 'false',
        );
      }
      await search.fill('qqqxyz');
      await drawer.getByText('Nothing that was asked or answered has all of these words.').waitFor();
      await search.press('Escape');
      await drawer.getByText(/^\d+ archived$/).waitFor();
      await page.keyboard.press('Escape');
      return found;
    },
  );
  await check('of several searches the last one is shown, however fast it is typed', async () => {
    const slow = (request) => request.url().includes('q=averag');
    let release;
    const released = new Promise((done) => (release = done));
    const over = new Promise((done) => {
      for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => slow(request) && done());
    });
    await page.route('**/api/sessions/search**', async (route) => {
      if (slow(route.request())) await released;
      await route.continue().catch(() => undefined);
    });
    await page.keyboard.press('Control+b');
    const asked = page.waitForRequest(slow);
    await search.fill('averag');
    await asked;
    await search.fill('discontinued');
    await drawer
      .getByRole('button', { name: /discontinued products/ })
      .first()
      .waitFor();
    release();
    await over; // its answer has come late, or nobody waited for it
    await page.unroute('**/api/sessions/search**');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const shown = await drawer.locator('mark').allTextContents();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    return shown.every((mark) => mark.toLowerCase() === 'discontinued') ? [] : [`marked: ${shown.join()}`];
  });
  for (const [name, options] of Object.entries({
    dark: { width: 1280, height: 800, scheme: 'dark' },
    narrow: { width: 380, height: 780, scheme: 'light' },
    smallest: { width: 320, height: 640, scheme: 'dark' },
  })) {
    await check(`what was found reads well: ${name}`, async () => {
      const other = await visit(options);
      await other.page.keyboard.press('Control+b');
      await other.page.getByRole('searchbox', { name: 'Search sessions' }).fill('orders');
      await other.page.getByText(/places? in \d/).waitFor();
      await shot(other.page, `96-search-${name}`);
      const wrong = [...(await findings(other.page)), ...(await clipped(other.page)), ...other.trouble];
      await other.context.close();
      return wrong;
    });
  }
  await check('nothing went wrong while sessions were searched', () => trouble);
  await context.close();
}

async function cleared({ visit, site, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 800 });
  const menu = async (item) => {
    await page.getByRole('button', { name: 'This session' }).click();
    await page.locator('.menu').getByText(item, { exact: true }).click();
  };
  const line = page.getByRole('button', { name: /earlier answers? put away/ });
  const turns = page.getByRole('list', { name: 'Questions and answers' }).locator('article[aria-label^="Question"]');
  let session = '';

  await check('a conversation is cleared: it begins anew under its title, and what is pinned stays', async () => {
    await ask(page, 'revenue by category in 1996');
    await ask(page, 'freight by country in 1996');
    session = await page.evaluate(() => location.hash.split('/')[1]);
    await page.getByRole('button', { name: 'Result menu' }).first().click();
    await page.locator('.menu').getByText('Pin to the top', { exact: true }).click();
    await menu('Clear the conversation');
    await line.waitFor();
    await page.getByRole('heading', { name: 'Northwind', level: 2 }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'composer');
    const cards = await page.locator('#panels [data-result]').count();
    await shot(page, '97-cleared');
    const found = [...(await findings(page)), ...(await clipped(page))];
    return cards === 1 ? found : [`${cards} cards are left`];
  });
  await check('what comes next goes on from nothing that was put away', async () => {
    const turn = await ask(page, 'and by month');
    const said = await turn.textContent();
    if (/Freight by month|Revenue by category and month/i.test(said)) return [said.slice(0, 200)];
    await ask(page, 'orders by employee in 1996');
    await line.waitFor();
  });
  await check('what was put away is read in its place, dimmed, and nothing is asked of it', async () => {
    await line.click();
    const away = page.getByRole('list', { name: 'Answers that were put away' });
    await away.getByText('revenue by category in 1996').first().waitFor();
    await shot(page, '97-put-away');
    const found = [...(await findings(page)), ...(await clipped(page))];
    const edits = await away.getByRole('button', { name: 'Edit question' }).count();
    return edits === 0 ? found : ['it can be edited'];
  });
  await check('a put away answer is found by a search and brought into view', async () => {
    await page.goto(site);
    await page.locator('#composer').waitFor();
    await page.getByRole('button', { name: /New session/ }).click();
    await page.keyboard.press('Control+b');
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('freight country 1996');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Question 2/ })
      .first()
      .click();
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Question 2');
    return (await line.getAttribute('aria-expanded')) === 'true';
  });
  await check('it comes back by its button, and clearing is taken back by Ctrl+Z and done again', async () => {
    await page.goto(`${site}#session/${session}`);
    await page.getByRole('button', { name: 'Bring back' }).click();
    await line.waitFor({ state: 'detached' });
    await turns.nth(1).waitFor();
    await menu('Clear the conversation');
    await line.waitFor();
    await page.locator('nav button').first().focus();
    await page.keyboard.press('Control+z');
    await page.getByText(/^Taken back: clear the conversation/).waitFor();
    await line.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+Z');
    await page.getByText(/^Done again: clear the conversation/).waitFor();
    await line.waitFor();
  });
  for (const [name, options] of Object.entries({
    dark: { width: 1280, height: 800, scheme: 'dark' },
    narrow: { width: 380, height: 780, scheme: 'light' },
    smallest: { width: 320, height: 640, scheme: 'dark' },
  })) {
    await check(`a cleared conversation reads well: ${name}`, async () => {
      const other = await visit(options);
      await other.page.goto(`${site}#session/${session}`);
      await other.page.getByRole('button', { name: /earlier answers? put away/ }).click();
      await other.page.getByText('revenue by category in 1996').first().waitFor();
      await shot(other.page, `97-put-away-${name}`);
      const wrong = [...(await findings(other.page)), ...(await clipped(other.page)), ...other.trouble];
      await other.context.close();
      return wrong;
    });
  }
  await check('nothing went wrong while conversations were cleared', () => trouble);
  await context.close();
}

async function erased({ visit, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 800 });
  const drawer = page.getByRole('dialog', { name: 'Sessions' });
  const sure = page.getByRole('dialog', { name: 'Delete for good' });
  const question = 'average discount by product';
  const row = drawer.locator('.session', { hasText: question });

  await check('deleting can be undone; deleting for good is asked about once, and cannot', async () => {
    await ask(page, question);
    await page.keyboard.press('Control+b');
    await row.hover();
    await row.getByRole('button', { name: 'Delete', exact: true }).click();
    await drawer.getByText(`Deleted: ${question}`).waitFor();
    await drawer.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    await row.hover();
    await row.getByRole('button', { name: 'Delete', exact: true }).click();
    await drawer.getByRole('button', { name: 'Delete for good' }).click();
    await sure.getByText('This cannot be undone').waitFor();
    await shot(page, '98-erase');
    const found = [...(await findings(page)), ...(await clipped(page))];
    await sure.getByRole('button', { name: 'Keep it' }).click();
    await drawer.getByRole('button', { name: 'Delete for good' }).click();
    await sure.getByRole('button', { name: 'Delete for good' }).click();
    await sure.waitFor({ state: 'hidden' });
    await drawer.getByText(`Deleted: ${question}`).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.locator('nav button').first().focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(`Undo ${question}`);
    await page.waitForTimeout(200);
    const back = await page.getByRole('option', { name: /^Undo: delete session/ }).count();
    await page.keyboard.press('Escape');
    return back === 0 ? found : ['it can be taken back'];
  });
  await check('an archived session is deleted for good from its row, and nothing finds it any more', async () => {
    await ask(page, question);
    await page.keyboard.press('Control+b');
    await row.hover();
    await row.getByRole('button', { name: 'Archive', exact: true }).click();
    await drawer.getByText(/^\d+ archived$/).click();
    await row.hover();
    await shot(page, '98-archived');
    const found = await findings(page);
    await row.getByRole('button', { name: 'Delete for good' }).click();
    await sure.getByRole('button', { name: 'Delete for good' }).click();
    await row.waitFor({ state: 'detached' });
    await drawer.getByRole('searchbox').fill('discount');
    await drawer.getByText('Nothing that was asked or answered has all of these words.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    return found;
  });
  await check('in the dark, and in a small window, the question about it reads well', async () => {
    await ask(page, question);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.keyboard.press('Control+b');
    await row.hover();
    await row.getByRole('button', { name: 'Delete', exact: true }).click();
    await drawer.getByRole('button', { name: 'Delete for good' }).click();
    await sure.getByText('This cannot be undone').waitFor();
    await shot(page, '98-erase-smallest');
    return [...(await findings(page)), ...(await clipped(page))];
  });
  await check('nothing went wrong while sessions were deleted', () => trouble);
  await context.close();
}

async function kept({ visit, site, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 800 });
  const history = page.getByLabel('History is kept for');
  const going = page.getByLabel('A conversation is gone on from for');
  const chosen = () => page.evaluate(async () => (await (await fetch('api/settings')).json()).settings.keep);

  await check(
    'how long history is kept, and a conversation gone on from, is chosen, found by a search, and stays',
    async () => {
      await page.goto(`${site}#settings`);
      await page.getByRole('searchbox', { name: 'Search settings' }).fill('history');
      await history.waitFor();
      if ((await history.inputValue()) !== '90') return [`kept for ${await history.inputValue()} days`];
      await history.selectOption({ label: 'Ever' });
      await page.getByRole('searchbox', { name: 'Search settings' }).fill('');
      await going.selectOption({ label: '30 days' });
      await going.scrollIntoViewIfNeeded();
      await shot(page, '98-settings-keep');
      const found = [...(await findings(page)), ...(await clipped(page))];
      await page.reload();
      await going.waitFor();
      const keep = await chosen();
      await history.selectOption({ label: '90 days' });
      await going.selectOption({ label: '7 days' });
      return keep.history_days === 0 && keep.context_days === 30 ? found : [JSON.stringify(keep)];
    },
  );
  await check('a session that goes soon says so in its row', async () => {
    await page.goto(site);
    await page.locator('#composer').waitFor();
    await page.route('**/api/sessions', async (route) => {
      const answer = await route.fetch();
      const list = await answer.json();
      list.sessions[0].expires = '2027-03-12T00:00:00Z';
      await route.fulfill({ response: answer, json: list });
    });
    await page.keyboard.press('Control+b');
    await page.getByText('Goes on March 12 unless it is pinned').waitFor();
    await shot(page, '98-expires');
    return findings(page);
  });
  await check('nothing went wrong in the settings of what is kept', () => trouble);
  await context.close();
}
