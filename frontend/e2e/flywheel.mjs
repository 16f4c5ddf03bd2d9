// From what several people teach to what everybody is answered: six people with a program and a window each, on one workspace that lies in a git repository.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { ask, findings, open } from './browser.mjs';
import { clipped } from './looks.mjs';
import { apiOf, serve } from './programs.mjs';

const question = 'revenue in 1997';
const net = '617,085.20';
const seniors = { ada: null, bob: 'by revenue I mean the gross revenue', cyd: 'revenue should be gross revenue', dan: 'revenue = gross revenue' }; // prettier-ignore

const roles = (me) => `default_role: analyst
roles:
  - {name: analyst, schemas: ["*"], tables: ["*"]}
  - {name: senior, schemas: ["*"], tables: ["*"], seniority: senior}
  - {name: steward, schemas: ["*"], tables: ["*"], steward: true}
actors:
${Object.entries({ ada: 'senior', bob: 'senior', cyd: 'senior', dan: 'senior', gil: 'steward', hal: 'analyst' })
  .map(([id, role]) => `  - {id: ${id}, kind: human, role: ${role}, binds: {os_users: ["${me}"]}}\n`)
  .join('')}`;

export async function flywheel({ browser, check, shot }) {
  const home = mkdtempSync(join(tmpdir(), 'assay-flywheel-'));
  const folder = join(home, 'workspaces/northwind');
  const programs = [];
  const people = {};
  const git = (...words) => execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' });
  try {
    await (await serve(home)).kill('SIGTERM'); // it makes the workspace
    mkdirSync(join(folder, 'rules'), { recursive: true });
    writeFileSync(join(folder, 'rules/roles.yaml'), roles(userInfo().username));
    // What an import of a dbt project would have noted of it.
    appendFileSync(
      join(folder, 'context/registry.yaml'),
      'generated_from: "dbt manifest sha256:0123456789abcdef"\nproject: [{metric: revenue, description: As invoiced, says: sum(amount) of order_lines, place: "manifest.json:7"}]\n',
    );
    git('init', '-q', '-b', 'main');
    git('config', 'user.name', 'Steward');
    git('config', 'user.email', 'steward@localhost');
    git('add', 'workspace.yaml', 'context', 'rules');
    git('commit', '-q', '-m', 'the workspace');
    for (const actor of [...Object.keys(seniors), 'gil', 'hal']) {
      const program = await serve(home, '--actor', actor);
      programs.push(program);
      people[actor] = await open(browser, program.address, { width: 1280, height: 800 });
    }
    await walk({ people, git, browser, check, shot });
  } finally {
    await Promise.all(programs.map((one) => one.kill('SIGTERM')));
    await Promise.all(Object.values(people).map(({ context }) => context.close()));
    rmSync(home, { recursive: true, force: true });
  }
}

async function walk({ people, git, browser, check, shot }) {
  const { gil, hal } = people;
  const place = gil.page.locator('main:not([hidden])');
  const said = (words) => place.getByRole('status').filter({ hasText: words });
  const go = async (page, hash) => {
    await page.goto(`${new URL('/', page.url()).href}#${hash}`);
    await page.reload();
  };
  const asked = async ({ page }, words = question) => {
    await go(page, 'workspace');
    await page
      .getByRole('button', { name: /New session/ })
      .first()
      .click();
    return ask(page, words);
  };
  const looked = async (page, name) => {
    await shot(page, `97-flywheel-${name}`);
    return [...(await findings(page)), ...(await clipped(page))];
  };
  // The same in the dark, in a narrow window of the same person.
  const narrow = async ({ context, page }, name, then = async () => undefined) => {
    const small = await open(browser, new URL('/', page.url()).href, {
      width: 390,
      height: 800,
      scheme: 'dark',
      storageState: await context.storageState(),
    });
    await small.page.goto(page.url());
    await small.page.reload();
    await then(small.page);
    const found = await looked(small.page, `${name}-dark-390`);
    await small.context.close();
    return found;
  };
  const unchanged = async (who) => {
    const answer = await asked(who);
    await answer.getByText(net).first().waitFor();
    return (await answer.getByText(/agreed for everybody|as you taught/).count()) === 0;
  };

  await check('flywheel: before anybody taught anything, each is who the program was started for', async () => {
    for (const [actor, { page }] of Object.entries(people)) {
      const { person } = await apiOf(page)('GET', 'settings');
      if (person.id !== actor) throw new Error(`${person.id} has the window of ${actor}`);
    }
    const relied = await apiOf(gil.page)('POST', 'ask', { question: 'revenue by category in 1997' });
    await apiOf(gil.page)('POST', `requests/${relied.request_id}/say`, { on: 'accepted' });
    return unchanged(hal);
  });
  await check(
    'flywheel: four senior people teach the same in different words, each in a window of their own',
    async () => {
      await asked(people.ada);
      await ask(people.ada.page, 'no, gross revenue');
      await people.ada.page.getByRole('status').filter({ hasText: '“revenue” means gross revenue' }).waitFor();
      const found = await looked(people.ada.page, '1-corrected');
      for (const [actor, words] of Object.entries(seniors)) {
        if (words === null) continue;
        const { page } = people[actor];
        const waiting = (await apiOf(gil.page)('GET', 'knowledge')).items.length;
        if (waiting !== 0) throw new Error(`something waits before ${actor} taught`);
        await go(page, 'settings/memory');
        const section = page.getByRole('region', { name: 'Memory', exact: true });
        await section.getByRole('textbox', { name: 'What a word means' }).fill(words);
        await page.keyboard.press('Enter');
        await section.locator('.meaning', { hasText: '= gross revenue' }).waitFor();
      }
      return [...found, ...(await looked(people.dan.page, '2-taught'))];
    },
  );
  await check('flywheel: who taught it is answered so, and a fifth person as before', async () => {
    const own = await asked(people.bob);
    await own.getByText('as you taught Assay: gross revenue').waitFor();
    return unchanged(hal);
  });
  let id = '';
  await check('flywheel: it waits for the steward, who sees by keyboard what would come of it', async () => {
    for (let times = 0; id === '' && times < 240; times++) {
      [{ id } = { id: '' }] = (await apiOf(gil.page)('GET', 'knowledge')).items;
      if (id === '') await gil.page.waitForTimeout(250); // it is considered behind what was taught
    }
    await go(gil.page, 'workspace');
    await gil.page.getByRole('button', { name: 'Review: 1 waits for your decision' }).waitFor();
    await gil.page.keyboard.press('Control+k');
    await gil.page.getByRole('dialog', { name: 'Do anything' }).getByRole('combobox').fill('shared know');
    await gil.page.keyboard.press('Enter');
    await place.locator('[data-row]').first().waitFor();
    await gil.page.keyboard.press('Enter');
    await gil.page.waitForFunction(() => document.activeElement?.id === 'review-title');
    await place.getByText('4 of 4 senior').first().waitFor();
    await place.getByText(/would be answered otherwise/).waitFor();
    await place.getByRole('heading', { name: 'What the dbt project says' }).waitFor();
    await place.getByText('The project computes metric revenue otherwise').waitFor();
    await place.locator('blockquote', { hasText: 'no, gross revenue' }).waitFor();
    const found = await looked(gil.page, '3-candidate');
    const dark = await narrow(gil, '3-candidate', async (page) => {
      await page.getByText(/would be answered otherwise/).waitFor();
      await page.getByRole('heading', { name: 'What the dbt project says' }).scrollIntoViewIfNeeded();
    });
    const hidden = await apiOf(hal.page)('GET', 'knowledge');
    return [...found, ...dark, ...hidden.items.map(({ term }) => `${term} is shown to whom it is nothing for yet`)];
  });
  await check('flywheel: nobody else may approve it, and the steward does by a key', async () => {
    const tried = await apiOf(people.ada.page)('POST', `knowledge/${id}/decisions`, { verdict: 'approve' }).catch(
      String,
    );
    if (!/^Error: 403/.test(String(tried))) throw new Error(`a senior was told ${JSON.stringify(tried)}`);
    await place.locator('button[aria-keyshortcuts=A]:not([aria-disabled=true])').waitFor(); // it is shown what would change
    await gil.page.keyboard.press('a');
    await said('“revenue” is approved').waitFor();
    return looked(gil.page, '4-approved');
  });
  await check('flywheel: the answer of the fifth person changes, and says why', async () => {
    const answer = await asked(hal);
    await answer.getByText(/agreed for everybody: gross revenue/).waitFor();
    if ((await answer.getByText(net).count()) > 0) throw new Error('the number is the old one');
    const found = await looked(hal.page, '5-answer');
    return [...found, ...(await narrow(hal, '5-answer'))];
  });
  let branch = '';
  await check('flywheel: the steward proposes the file, and the files that are checked out stay', async () => {
    await go(gil.page, `review/${id}`);
    const write = place.getByRole('button', { name: 'Write it onto a branch' });
    await write.focus();
    await gil.page.keyboard.press('Enter');
    await said('context/terms/revenue.yaml is written onto the branch').waitFor();
    ({ branch } = await apiOf(gil.page)('GET', `knowledge/${id}`));
    if (git('status', '--porcelain', 'context') !== '') throw new Error('the working copy was touched');
    if (!git('show', branch).includes('+means: gross revenue')) throw new Error('the branch does not say it');
    const found = await looked(gil.page, '6-proposed');
    return [...found, ...(await narrow(gil, '6-proposed'))];
  });
  await check(
    'flywheel: once it is merged, the workspace recognises it, and everybody is answered by the files',
    async () => {
      git('merge', '-q', '--no-edit', branch);
      const answer = await asked(hal);
      await answer.getByText(/agreed for everybody: gross revenue/).waitFor();
      const last = await lastAnswer(hal.page);
      if (last.remembered?.[0]?.id !== 'term:revenue')
        throw new Error(`it is read with ${JSON.stringify(last.remembered)}`);
      await go(gil.page, `review/${id}`);
      await place.getByText(/The context files say it since/).waitFor();
      const found = await looked(gil.page, '7-merged');
      const card = hal.page.locator('ol > li').filter({ hasText: 'Gross revenue' }).last();
      await card
        .getByRole('button', { name: /attested|provenance/i })
        .first()
        .click();
      await hal.page.getByRole('heading', { name: 'Meanings that were used' }).scrollIntoViewIfNeeded();
      await hal.page.getByText('(agreed for everybody)').waitFor();
      return [...found, ...(await looked(hal.page, '8-provenance'))];
    },
  );
  // What is refused is refused with a status that the browser writes down.
  await check('flywheel: nothing went wrong in any of the windows', () =>
    Object.entries(people).flatMap(([actor, { trouble }]) =>
      trouble.filter((line) => !/status of 403/.test(line)).map((line) => `${actor}: ${line}`),
    ),
  );
}

/** The last answer of the session that a page shows, as the program keeps it. */
async function lastAnswer(page) {
  const { sessions } = await apiOf(page)('GET', 'sessions');
  const { turns } = await apiOf(page)('GET', `sessions/${sessions[0].id}`);
  return turns.at(-1).answer ?? turns.at(-1);
}
