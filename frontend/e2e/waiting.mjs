// What waits for a word: said in the dialogue, taken by a button, kept over a reload; and the inbox.
import { ask, ended, findings, looksOf } from './browser.mjs';
import { clipped } from './looks.mjs';

const block = (turn) => turn.getByRole('group', { name: 'What this answer waits for' });

/** Asks over the API, as a script would, and opens the session. */
async function given(page, site, body) {
  const response = await page.request.post(new URL('api/ask', site).href, {
    data: body,
    headers: { Origin: new URL(site).origin },
  });
  if (!response.ok()) throw new Error(`${response.status()} ${await response.text()}`);
  const answer = await response.json();
  await ended(page);
  await page.goto(`${site}#session/${answer.session_id}`);
  await page.reload();
  return page.locator('article[aria-label^="Question"]').last();
}

export async function waiting({ visit, site, check, shot }) {
  const { context, page, trouble } = await visit({ width: 1280, height: 800 });
  const turns = page.locator('article[aria-label^="Question"]');

  await check('a result with much at stake waits for a word, until when', async () => {
    const turn = await ask(page, 'revenue by category in 1997 for the board');
    await block(turn).getByText('waits for your word').waitFor();
    await block(turn)
      .getByText(/Until .*, in 3 days\./)
      .waitFor();
    await shot(page, '20-acceptance');
    return findings(page);
  });
  await check('it is accepted by the keyboard, and may be kept as an example once', async () => {
    const turn = turns.last();
    await block(turn).getByRole('button', { name: 'Accept' }).focus();
    await page.keyboard.press('Enter');
    await block(turn).getByText('You accepted this.').waitFor();
    const focused = await page.evaluate(() => document.activeElement?.textContent?.includes('You accepted this.'));
    await shot(page, '21-accepted');
    await block(turn).getByRole('button', { name: 'Keep as an example of a right answer' }).click();
    await block(turn).getByText('Kept as an example').waitFor();
    await shot(page, '22-kept');
    return focused === true && (await block(turn).getByRole('button').count()) === 0;
  });
  await check('a result that is not right is said so', async () => {
    const turn = await ask(page, 'revenue by country in 1996 for the board');
    await block(turn).getByRole('button', { name: 'Not right' }).click();
    await block(turn).getByText('You said that this is not right.').waitFor();
  });
  await check('a run that was to be confirmed says what it would take, and runs as the next question', async () => {
    const turn = await ask(page, 'revenue by country, please confirm before executing');
    await block(turn).getByText('This has not run yet.').waitFor();
    await block(turn)
      .getByText(/It would read about [\d,]+ rows and [\d.]+ k?M?B, and take about/)
      .waitFor();
    await block(turn).getByRole('button', { name: 'What would run' }).click();
    await block(turn).getByRole('group', { name: 'What would run' }).getByText('SELECT').first().waitFor();
    await block(turn).getByRole('button', { name: 'Why it waits' }).click();
    await block(turn).getByText('You asked to confirm before it runs.').waitFor();
    await shot(page, '23-confirmation');
    const serious = await findings(page);
    const before = await turns.count();
    await block(turn).getByRole('button', { name: 'Run it' }).click();
    await turns.nth(before).locator('.narration').waitFor();
    await block(turns.nth(before - 1))
      .getByText('You had this run.')
      .waitFor();
    await shot(page, '24-confirmed');
    return serious;
  });
  await check('a run that is not wanted is declined', async () => {
    const turn = await ask(page, 'order count by country, please confirm before executing');
    await block(turn).getByRole('button', { name: 'Do not run' }).click();
    await block(turn).getByText('You chose not to run this.').waitFor();
    return (await block(turn).getByRole('button').count()) === 0;
  });
  await check('after a reload every answer stands as it was left', async () => {
    await page.reload();
    await turns.first().waitFor();
    await page.getByText('You chose not to run this.').waitFor();
    const ends = ['Kept as an example', 'You said that this is not right.', 'You had this run.'];
    const missing = [];
    for (const end of ends) if ((await page.getByText(end).count()) !== 1) missing.push(end);
    return [...missing, ...((await page.getByRole('button', { name: 'Accept' }).count()) > 0 ? ['Accept'] : [])];
  });
  await check('what was settled elsewhere meanwhile shows how it ended', async () => {
    const turn = await ask(page, 'units by product in 1998 for the board');
    await block(turn).getByRole('button', { name: 'Accept' }).waitFor();
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Not right' }).click();
    await other.getByText('You said that this is not right.').last().waitFor();
    await other.close();
    await block(turn).getByRole('button', { name: 'Accept' }).click();
    await block(turn).getByText('You said that this is not right.').waitFor();
    trouble.splice(0, trouble.length, ...trouble.filter((line) => !line.includes('409')));
  });
  await check('copying the rows of an answer accepts it, once', async () => {
    await ask(page, 'order count by category in 1997');
    const said = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/say')) said.push(request.postData());
    });
    const heard = page.waitForResponse((response) => response.url().endsWith('/say'));
    for (let times = 0; times < 2; times++) {
      await page.getByRole('button', { name: 'Result menu' }).first().click();
      await page.getByRole('menuitem', { name: 'Copy rows as TSV' }).click();
    }
    const answered = await heard;
    await page
      .getByRole('button', { name: /^Provenance/ })
      .first()
      .click();
    await page.getByText('Accepted, because its result was used.').waitFor();
    return answered.ok() && said.length === 1 && said[0] === '{"on":"accepted","how":"copy"}';
  });
  await check('a recommendation is not run until it is wanted', async () => {
    const turn = await given(page, site, { question: 'revenue by category in 1997', level: 2 });
    await block(turn).getByText('This is a recommendation').waitFor();
    await shot(page, '25-recommendation');
    const before = await turns.count();
    await block(turn).getByRole('button', { name: 'Run it' }).click();
    await turns.nth(before).locator('.narration').waitFor();
  });
  await check('what is for a person names the role and says why, and has no button to run it', async () => {
    const turn = await given(page, site, { question: 'revenue by category in 1997', level: 1 });
    await block(turn).getByText('This is for a person to do: steward.').waitFor();
    await block(turn).getByRole('button', { name: 'Why automation is not appropriate' }).click();
    await block(turn).getByText('Level 1 was asked for.').waitFor();
    await shot(page, '26-person');
    const serious = await findings(page);
    return serious.length > 0 ? serious : (await block(turn).getByRole('button', { name: 'Run it' }).count()) === 0;
  });

  await check('an empty inbox says what it is for', async () => {
    await page.getByRole('button', { name: /^Inbox, 0 unread/ }).click();
    await page.getByRole('dialog', { name: 'Inbox' }).getByText('Nothing to tell.').waitFor();
    await shot(page, '27-inbox-empty');
    const serious = await findings(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Inbox' }).waitFor({ state: 'hidden' });
    return serious;
  });
  await check('a notice leads to its question, which takes the keyboard, and is read then', async () => {
    const first = await ask(page, 'order count by country');
    await ask(page, 'revenue by month in 1997');
    const sessions = await (await page.request.get(new URL('api/sessions', site).href)).json();
    const stored = await page.request.get(new URL(`api/sessions/${sessions.sessions[0].id}`, site).href);
    const { turns: asked } = await stored.json();
    const about = asked.at(-2).request_id;
    const label = await first.getAttribute('aria-label');
    const told = notices(page.url()).map((notice) => ({ ...notice, request_id: about }));
    await page.route('**/api/inbox', (route) => route.fulfill({ json: { notices: told } }));
    const read = [];
    await page.route('**/api/inbox/*/read', (route) => {
      const { pathname } = new URL(route.request().url());
      read.push(pathname);
      for (const notice of told) notice.read ||= pathname === `/api/inbox/${notice.id}/read`;
      return route.fulfill({ status: 204 });
    });
    await page.getByRole('button', { name: 'New session' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Inbox, 2 unread notices' }).waitFor();
    await shot(page, '28-bell');
    await page.getByRole('button', { name: 'Inbox, 2 unread notices' }).click();
    const drawer = page.getByRole('dialog', { name: 'Inbox' });
    await drawer.getByRole('button', { name: 'Mark as read' }).nth(1).click();
    await drawer.getByRole('button', { name: 'Mark as read' }).nth(1).waitFor({ state: 'detached' });
    await drawer.getByRole('button', { name: /^Unread\./ }).click();
    await page.getByRole('button', { name: 'Inbox, 0 unread notices' }).waitFor();
    await page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label') === name, label);
    await shot(page, '29-notice-opened');
    return JSON.stringify(read) === '["/api/inbox/2/read","/api/inbox/3/read"]' ? true : read;
  });
  await check('nothing went wrong where something waited', () => trouble);
  await context.close();

  await looks({ visit, site, check, shot });
}

// Every state and the inbox in other sizes and in the dark.
async function looks({ visit, site, check, shot }) {
  const sizes = looksOf(
    [
      { name: '1280-dark', width: 1280, height: 800, scheme: 'dark' },
      { name: '375-light', width: 375, height: 780, scheme: 'light' },
    ],
    [
      { name: '700-light', width: 700, height: 900, scheme: 'light' },
      { name: '700-dark', width: 700, height: 900, scheme: 'dark' },
    ],
  );
  for (const size of sizes) {
    const { context, page } = await visit(size);
    const cases = [
      ['acceptance', { question: 'units by supplier in 1996 for the board' }],
      ['confirmation', { question: 'revenue by country, please confirm before executing' }],
      ['recommendation', { question: 'revenue by category in 1997', level: 2 }],
      ['person', { question: 'revenue by category in 1997', level: 1 }],
    ];
    for (const [name, body] of cases) {
      await check(`${size.name}: ${name}`, async () => {
        const turn = await given(page, site, body);
        await block(turn).waitFor();
        for (const more of await block(turn).locator('button[aria-expanded]').all()) await more.click();
        await shot(page, `${size.name}-7-${name}`);
        return [...(await findings(page)), ...(await clipped(page))];
      });
    }
    await check(`${size.name}: inbox`, async () => {
      await page.route('**/api/inbox', (route) => route.fulfill({ json: { notices: notices(page.url()) } }));
      await page.reload();
      await page.getByRole('button', { name: 'Inbox, 2 unread notices' }).click();
      const drawer = page.getByRole('dialog', { name: 'Inbox' });
      await drawer.getByText('for a person with the role').first().waitFor();
      await shot(page, `${size.name}-8-inbox`);
      return [...(await findings(page)), ...(await clipped(page))];
    });
    await context.close();
  }
}

const notices = (url) => {
  const notice = {
    at: '2026-11-20T09:30:00Z',
    request_id: 'r',
    session_id: url.split('#session/')[1],
    question: 'revenue by category in 1997',
    role: '',
    read: false,
  };
  return [
    {
      ...notice,
      id: 3,
      kind: 'take_over',
      role: 'steward',
      words: 'A question is waiting for a person with the role steward.',
    },
    {
      ...notice,
      id: 2,
      kind: 'abandoned',
      at: '2026-11-19T16:05:00Z',
      words:
        'Your question of 2026-11-16 timed out without confirmation, so its result was not finalised: “revenue by category in 1997”. Ask it again if it is still needed.',
    },
    {
      ...notice,
      id: 1,
      kind: 'notable',
      at: '2026-11-18T08:00:00Z',
      role: 'steward',
      read: true,
      words: 'An answer that people with the role steward should know of.',
    },
  ];
};
