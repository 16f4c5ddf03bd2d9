// Sessions, thumbs, search in settings, shortcuts, a lost and a slow program, and names that are too long.
import { ask, findings } from './browser.mjs';
import { clipped } from './looks.mjs';

const long = 'Name '.repeat(60).trim();

export async function manners({ visit, site, check, shot }) {
  const { context, page, trouble } = await visit({ width: 1280, height: 800 });
  const drawer = page.getByRole('dialog', { name: 'Sessions' });
  const rows = drawer.locator('.open');
  const openDrawer = async () => {
    await page.keyboard.press('Control+b');
    await drawer.waitFor();
    await rows.first().waitFor();
  };
  const button = (row, name) => row.locator('..').getByRole('button', { name, exact: true });

  await check('a session is pinned before the others, and renamed by keyboard', async () => {
    await ask(page, 'revenue by country in 1996');
    await page.keyboard.press('Control+n');
    await ask(page, 'freight by month in 1997');
    await openDrawer();
    const row = rows.filter({ hasText: 'revenue by country in 1996' }).first();
    await row.focus();
    await button(row, 'Pin').focus();
    await page.keyboard.press('Enter');
    await drawer.getByRole('heading', { name: 'Pinned' }).waitFor();
    const first = rows.first();
    if (!(await first.textContent()).includes('revenue by country in 1996')) return false;
    await button(first, 'Rename').focus();
    await page.keyboard.press('Enter');
    await drawer.getByRole('textbox', { name: 'Title of the session' }).fill('Countries for the board');
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: 'Countries for the board' }).waitFor();
    await shot(page, '70-sessions');
    const on = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    return [...(await findings(page)), ...(on === 'Rename' ? [] : [`the keyboard is on ${on}`])];
  });
  await check('an archived session is out of sight, and comes back by its filter', async () => {
    const row = rows.filter({ hasText: 'freight by month in 1997' }).first();
    await row.hover();
    await button(row, 'Archive').click();
    await drawer.getByText('Archived: freight by month in 1997').waitFor();
    await drawer.getByRole('button', { name: '1 archived' }).click();
    await rows.filter({ hasText: 'freight by month in 1997' }).waitFor();
    await shot(page, '71-archived');
    const serious = await findings(page);
    await rows.first().hover();
    await button(rows.first(), 'Take out of the archive').click();
    await drawer.getByText('No session is archived.').waitFor();
    await drawer.getByRole('button', { name: 'Archived', exact: true }).click();
    await rows.filter({ hasText: 'freight by month in 1997' }).waitFor();
    return serious;
  });
  await check('a session is deleted, and comes back by Ctrl+Z with its pin', async () => {
    const row = rows.filter({ hasText: 'Countries for the board' });
    await row.hover();
    await button(row, 'Delete').click();
    await drawer.getByText('Deleted: Countries for the board').waitFor();
    if ((await row.count()) > 0) return false;
    await page.keyboard.press('Control+z');
    await row.waitFor();
    await drawer.getByRole('heading', { name: 'Pinned' }).waitFor();
  });
  await check('a deleted session that was open gives way to a new one, and a deletion outlives a reload', async () => {
    const row = rows.filter({ hasText: 'freight by month in 1997' }).first();
    await row.hover();
    await button(row, 'Delete').click();
    await page.waitForFunction(() => !location.hash.includes('session'));
    await page.reload();
    await page.locator('#composer').waitFor();
    await openDrawer();
    return (await rows.filter({ hasText: 'freight by month in 1997' }).count()) === 0;
  });
  await check('a search without a hit says so, arrows walk the list, and a name of 300 characters fits', async () => {
    const search = drawer.getByRole('searchbox');
    await search.fill('nothing like this');
    await drawer.getByText('Nothing that was asked or answered has all of these words.').waitFor();
    await search.fill('board');
    await search.press('ArrowDown');
    await page.waitForFunction(() => document.activeElement?.matches('.open'));
    const on = await page.evaluate(() => document.activeElement?.textContent);
    const row = rows.first();
    await button(row, 'Rename').focus();
    await page.keyboard.press('Enter');
    await drawer.getByRole('textbox', { name: 'Title of the session' }).fill(`Board ${long}`);
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: 'Board Name Name' }).waitFor();
    const wide = await drawer.evaluate((element) => element.scrollWidth > element.clientWidth + 1);
    await row.click();
    await drawer.waitFor({ state: 'hidden' });
    await page.locator('article[aria-label^="Question"]').first().waitFor(); // what is asked next counts from there
    return on?.includes('Countries for the board') === true && !wide;
  });

  await check('a thumb down takes a reason, words and how serious it was, all by keyboard', async () => {
    const turn = await ask(page, 'revenue by category in 1997');
    const block = turn.getByRole('group', { name: 'What this answer was like' });
    await block.getByRole('button', { name: 'Not a good answer' }).focus();
    await page.keyboard.press('Enter');
    await block.getByRole('radio', { name: 'A number is wrong' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.type("Beverages should be 'lower' 🎈 עברית");
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await shot(page, '72-thumb');
    const serious = await findings(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await block.getByText(/^A number is wrong · serious · “Beverages/).waitFor();
    const on = await page.evaluate(() => document.activeElement?.getAttribute('data-thumb'));
    return [...serious, ...(on === 'down' ? [] : [`the keyboard is on ${on}`])];
  });
  await check('what was said is there after a reload, can be changed, and taken back', async () => {
    await page.reload();
    const turn = page.locator('article[aria-label^="Question"]').last();
    const block = turn.getByRole('group', { name: 'What this answer was like' });
    await block.getByText(/^A number is wrong · serious/).waitFor();
    await block.getByRole('button', { name: 'Good answer', exact: true }).click();
    await block.getByRole('radio', { name: 'It helped' }).check();
    await block.getByRole('button', { name: 'Keep' }).click();
    // The form says the same words, so what is waited for is the line that stands when it is closed.
    await block.getByRole('status').getByText('It helped').waitFor();
    await block.getByRole('button', { name: 'Good answer', exact: true }).click();
    await block.getByRole('button', { name: 'Take back' }).click();
    await page.waitForFunction(() => !document.querySelector('.thumbs form'));
    const sessionId = /session\/([\w-]+)/.exec(page.url())[1];
    const stored = await (await page.request.get(new URL(`api/sessions/${sessionId}`, site).href)).json();
    return stored.turns.at(-1).feedback === null;
  });
  await check('an error that was serious makes the next answer about it expensive, and says why', async () => {
    const revenue = await ask(page, 'freight by country in 1996');
    const block = revenue.getByRole('group', { name: 'What this answer was like' });
    await block.getByRole('button', { name: 'Not a good answer' }).click();
    await block.getByRole('checkbox', { name: /serious/ }).check();
    await block.getByRole('button', { name: 'Keep' }).click();
    await block.getByText('Not a good answer · serious').waitFor();
    await ask(page, 'freight by country in 1998');
    const sessionId = /session\/([\w-]+)/.exec(page.url())[1];
    const stored = await (await page.request.get(new URL(`api/sessions/${sessionId}`, site).href)).json();
    const { risk } = stored.turns.at(-1).answer;
    await block.getByRole('button', { name: 'Not a good answer' }).click();
    await block.getByRole('button', { name: 'Take back' }).click();
    return risk.expected_cost === 'high' && risk.reasons.some((reason) => reason.includes('was serious'));
  });

  await check('settings are searched: the words are marked, Enter goes to the setting, Esc shows all', async () => {
    await page.keyboard.press('Control+,');
    const search = page.getByRole('searchbox', { name: 'Search settings' });
    await search.waitFor();
    await page.getByText('Rules in force').waitFor();
    await page.getByRole('heading', { name: 'Settings', exact: true }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('density');
    await page
      .locator('mark', { hasText: /density/i })
      .first()
      .waitFor();
    await page.getByText('Rules in force').waitFor({ state: 'hidden' });
    await shot(page, '73-settings-search');
    const serious = await findings(page);
    await page.keyboard.press('Enter');
    const on = await page.evaluate(() => document.activeElement?.closest('[data-setting]')?.textContent);
    await search.fill('qwertz');
    await page.getByText('No setting has these words.').waitFor();
    await search.press('Escape');
    await page.getByText('Rules in force').waitFor();
    return on?.startsWith('Density') ? serious : [`Enter went to ${on}`, ...serious];
  });
  await check('all settings are reset, and that can be undone', async () => {
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Ana');
    await name.press('Enter');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.waitForFunction(() => document.querySelector('input[type=text]')?.value === '');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForFunction(() => document.querySelector('input[type=text]')?.value === 'Ana');
    await name.fill('');
    await name.press('Enter');
  });

  await check('Ctrl+J goes to the question field, Alt and a digit to a result, F6 through the parts', async () => {
    const wrong = [];
    const on = () =>
      page.evaluate(() => {
        const at = document.activeElement;
        return at?.id || at?.closest('[data-pane]')?.getAttribute('aria-label') || at?.tagName;
      });
    await page.keyboard.press('Control+j');
    await page.waitForFunction(() => document.activeElement?.id === 'composer');
    await page.keyboard.press('Alt+2');
    await page.waitForFunction(() => document.activeElement === document.querySelectorAll('#panels [data-result]')[1]);
    const seen = [];
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('F6');
      seen.push(await on());
    }
    if (new Set(seen).size !== 3) wrong.push(`F6 went to ${seen.join(', ')}`);
    await page.keyboard.press('Shift+F6');
    if ((await on()) !== seen[1]) wrong.push(`Shift+F6 went to ${await on()}`);
    return wrong;
  });
  await check('Ctrl+E exports the result that the keyboard is on', async () => {
    // A question that waits to be confirmed stands among the results too, and has no table.
    const first = await page.evaluate(() =>
      [...document.querySelectorAll('#panels [data-result]')].findIndex((result) => result.dataset.holds),
    );
    await page.keyboard.press(`Alt+${first + 1}`);
    await page.waitForFunction(
      (n) => document.activeElement === document.querySelectorAll('#panels [data-result]')[n],
      first,
    );
    const question = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await page.keyboard.press('Control+e');
    const dialog = page.getByRole('dialog', { name: 'Export a result' });
    await dialog.getByText(question).waitFor();
    await shot(page, '74-export');
    const serious = await findings(page);
    const download = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const file = await download;
    return file.suggestedFilename().endsWith('.csv') ? serious : [file.suggestedFilename()];
  });

  await check('a lost program is said, tried again, and comes back by itself; nothing typed is lost', async () => {
    await page.keyboard.press('Control+j');
    await context.setOffline(true);
    await page.locator('#composer').fill('revenue by month');
    await page.locator('#composer').press('Enter');
    await page.getByText('The program does not answer.').waitFor();
    await page.locator('#composer').fill('half a question');
    await shot(page, '75-lost');
    const serious = await findings(page);
    await context.setOffline(false);
    await page.getByText('The program does not answer.').waitFor({ state: 'hidden' });
    await page.getByText('The program answers again.').waitFor({ state: 'attached' });
    const kept = await page.locator('#composer').inputValue();
    const turn = page.locator('article[aria-label^="Question"]').last();
    await turn.getByRole('button', { name: 'Ask again' }).click();
    await page.locator('article[aria-label^="Question"]').last().locator('.narration').waitFor();
    await page.locator('#composer').fill('');
    trouble.splice(0, trouble.length, ...trouble.filter((line) => !line.includes('ERR_INTERNET_DISCONNECTED')));
    return kept === 'half a question' ? serious : [`the field holds ${kept}`];
  });
  await check('a slow program shows that it works, and is stopped by Esc', async () => {
    let let_go;
    const held = new Promise((resolve) => (let_go = resolve));
    await page.route('**/api/ask', async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.locator('#composer').fill('revenue by year');
    await page.locator('#composer').press('Enter');
    await page.locator('form button[aria-label="Cancel"]').waitFor();
    await page.locator('.steps').last().getByText('Cancel').waitFor();
    await page.keyboard.press('Escape');
    await page
      .locator('article[aria-label^="Question"]')
      .last()
      .getByText('stopped', { exact: false })
      .first()
      .waitFor();
    let_go();
    await page.unroute('**/api/ask');
    trouble.splice(0, trouble.length, ...trouble.filter((line) => !line.includes('ERR_ABORTED')));
  });
  await check('a tab that is closed while a question runs loses nothing: the session opens with it', async () => {
    const other = await context.newPage();
    await other.goto(site);
    await other.locator('#composer').fill('order count by customer and month');
    const sent = other.waitForResponse((response) => response.url().endsWith('/api/ask'));
    await other.locator('#composer').press('Enter');
    await sent;
    await other.close();
    const ended = () =>
      page.evaluate(async (address) => {
        const list = await (await fetch(`${address}api/sessions`)).json();
        const head = list.sessions.find(({ title }) => title === 'order count by customer and month');
        if (!head) return null;
        const session = await (await fetch(`${address}api/sessions/${head.id}`)).json();
        const { outcome } = session.turns[0];
        return outcome === '' ? null : { id: head.id, outcome };
      }, site);
    let stored = await ended();
    for (let times = 0; times < 200 && !stored; times++) {
      await page.waitForTimeout(100);
      stored = await ended();
    }
    if (!stored) throw new Error('the run never came to an end');
    const { id, outcome } = stored;
    await page.goto(`${site}#session/${id}`);
    const turn = page.locator('article[aria-label^="Question"]').first();
    await turn.getByRole('heading', { name: 'order count by customer and month' }).waitFor();
    if (outcome !== 'answer') await turn.getByRole('button', { name: 'Ask again' }).waitFor();
    return ['answer', 'canceled'].includes(outcome);
  });
  await check('at 320 pixels sessions and thumbs fit, light and dark', async () => {
    const wrong = [];
    for (const scheme of ['light', 'dark']) {
      const narrow = await visit({ width: 320, height: 640, scheme });
      const turn = await ask(narrow.page, 'revenue by country in 1997');
      await turn.getByRole('button', { name: 'Not a good answer' }).click();
      await turn.getByText('This was serious').scrollIntoViewIfNeeded();
      await shot(narrow.page, `76-thumb-320-${scheme}`);
      wrong.push(...(await clipped(narrow.page)), ...(await findings(narrow.page)));
      await narrow.page.keyboard.press('Control+b');
      await narrow.page.getByRole('dialog', { name: 'Sessions' }).locator('.open').first().waitFor();
      await shot(narrow.page, `77-sessions-320-${scheme}`);
      wrong.push(...(await clipped(narrow.page)), ...(await findings(narrow.page)), ...narrow.trouble);
      await narrow.context.close();
    }
    return wrong;
  });
  await check('manners: nothing went wrong', () => trouble);
  await context.close();
}
