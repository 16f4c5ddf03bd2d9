// What was taught is found again, goes to colleagues as a signed file, and theirs comes in: by a drop, by a choice, by a folder.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { drop, findings, open } from './browser.mjs';
import { clipped } from './looks.mjs';
import { apiOf, serve } from './programs.mjs';

/** The Ed25519 key of a seed of 32 times the same byte. */
function keyOf(byte) {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, byte)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return { key, hex: Buffer.from(x, 'base64url').toString('hex') };
}

/** A bundle as a program elsewhere writes it. */
function bundle(author, byte, number, said) {
  const { key, hex } = keyOf(byte);
  const head = { assay_memory: 1, author, key: hex, workspace: 'northwind', number, made: '2026-01-15T09:00:00Z' };
  const lines = said.map(([term, means]) => ({
    term,
    means,
    sort: 'factual',
    domain: '',
    detection: 'definition',
    quote: `${term} means ${means}`,
    at: '2026-01-15T09:00:00Z',
  }));
  const body = [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
  const signature = sign(null, Buffer.from(body), key).toString('hex');
  return `${body}${JSON.stringify({ statements: said.length, signature })}\n`;
}

export async function colleagues({ browser, check, shot }) {
  const home = mkdtempSync(join(tmpdir(), 'assay-colleagues-'));
  const folder = join(home, 'workspaces/northwind');
  const shared = join(home, 'shared');
  await (await serve(home)).kill('SIGTERM'); // it makes the workspace
  for (const made of [shared, join(folder, 'rules')]) mkdirSync(made, { recursive: true });
  appendFileSync(join(folder, 'workspace.yaml'), `\nexchange: ${shared}\n`);
  writeFileSync(
    join(folder, 'rules/roles.yaml'),
    `default_role: steward
roles:
  - {name: senior, schemas: ["*"], tables: ["*"], seniority: senior}
  - {name: steward, schemas: ["*"], tables: ["*"], seniority: senior, steward: true}
  - {name: admin, schemas: ["*"], tables: ["*"], seniority: senior, steward: true, admin: true}
actors:
  - {id: bob, kind: human, role: senior, binds: {keys: [${keyOf(1).hex}]}}
  - {id: ann, kind: human, role: steward, binds: {os_users: ["${userInfo().username}"]}}
  - {id: gil, kind: human, role: admin, binds: {os_users: ["${userInfo().username}"]}}
`,
  );
  const program = await serve(home, '--actor', 'ann');
  const other = await serve(home, '--actor', 'gil');
  try {
    await exchange({ program, other, browser, check, shot, shared });
  } finally {
    await Promise.all([program, other].map((one) => one.kill('SIGTERM')));
    rmSync(home, { recursive: true, force: true });
  }
}

async function exchange({ program, other, browser, check, shot, shared }) {
  const first = await open(browser, program.address, { width: 1280, height: 800 });
  const site = new URL('/', first.page.url()).href;
  const storageState = await first.context.storageState();
  const small = await open(browser, site, { width: 390, height: 800, scheme: 'dark', storageState });
  const { page } = first;
  const api = apiOf(page);
  const settings = async (on = page) => {
    await on.goto(`${site}#settings/memory`);
    await on.reload();
    const section = on.getByRole('region', { name: 'Memory', exact: true });
    await section.getByRole('group', { name: 'Exchange with colleagues' }).getByText('Yours would say').waitFor();
    return section;
  };
  const looked = async (name, on = page) => {
    await shot(on, `96-colleagues-${name}`);
    return [...(await findings(on)), ...(await clipped(on))];
  };
  const dialog = (on = page) => on.getByRole('dialog', { name: /^Bundle / });

  await check('colleagues: what was taught, is preferred and is shared is found by what it is like', async () => {
    for (const words of ['turnover means net revenue', 'drinks means beverages', 'show numbers in millions'])
      await api('POST', 'corrections', { words });
    const { id } = (await api('GET', 'corrections')).corrections.find(({ term }) => term === 'drinks');
    const offered = await api('POST', 'knowledge', { correction_id: id });
    const gil = await open(browser, other.address, { width: 1280, height: 800 });
    await apiOf(gil.page)('POST', `knowledge/${offered.id}/decisions`, { verdict: 'mandate', reason: 'so it is' });
    await gil.context.close();
    const section = await settings();
    const field = section.getByRole('searchbox', { name: 'Find what you taught, and what is shared with you' });
    const found = section.getByRole('list', { name: 'What was found' }).getByRole('listitem');
    await field.fill('what do we call drinks?');
    await found.filter({ hasText: 'drinks = beverages' }).filter({ hasText: 'Shared' }).waitFor();
    await found.filter({ hasText: 'drinks = beverages' }).filter({ hasText: 'You taught it' }).waitFor();
    const wrong = await looked('1-found');
    await section.getByRole('button', { name: 'Look at “drinks” in Review' }).click();
    await page.locator('#review-title').filter({ hasText: 'drinks' }).waitFor();
    const dark = await settings(small.page);
    await dark
      .getByRole('searchbox', { name: 'Find what you taught, and what is shared with you' })
      .fill('numbers in millions');
    await dark.getByRole('listitem').filter({ hasText: 'You prefer it' }).waitFor();
    return [...wrong, ...(await looked('1-found-dark-390', small.page))];
  });
  await check(
    'colleagues: what was found is changed where it is listed, forgotten, and gone from what is found',
    async () => {
      const section = await settings();
      const field = section.getByRole('searchbox', { name: 'Find what you taught, and what is shared with you' });
      await field.fill('turnover');
      await section.getByRole('button', { name: 'Change “turnover” where it is listed' }).click();
      await page.waitForFunction(() => document.activeElement?.value === 'turnover');
      await page.keyboard.press('Escape');
      await field.focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.closest('li') !== null);
      await section.getByRole('button', { name: 'Forget “turnover”, which was found' }).click();
      await section.getByRole('button', { name: 'Forget “turnover”, which was found' }).waitFor({ state: 'hidden' });
      await field.fill('millions');
      await section.getByRole('button', { name: 'Choose otherwise for numbers' }).click();
      await page.waitForFunction(() => document.activeElement?.dataset.kind === 'scale');
      await field.fill('a word that is like nothing at all: zzyzx');
      await section.getByText('Nothing that you taught or prefer').waitFor();
      await field.press('Escape');
      return (await field.inputValue()) === '' ? [] : ['Esc leaves the words'];
    },
  );
  await check('colleagues: what was taught is saved as a signed file, and its key is said', async () => {
    const section = await settings();
    await section.getByText('Your key is made with your first bundle.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      section.getByRole('button', { name: 'Save my bundle' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
    await section.getByRole('status').filter({ hasText: /is written, with 1 statement\./ }).waitFor(); // prettier-ignore
    await section.getByText(lines[0].key).waitFor();
    await section.getByText(lines[0].key).scrollIntoViewIfNeeded();
    const found = await looked('2-written');
    const right = /\.assay-memory$/.test(file.suggestedFilename()) && lines.length === 3 && lines[1].term === 'drinks';
    return right ? found : [`${file.suggestedFilename()} holds ${JSON.stringify(lines)}`, ...found];
  });
  await check(
    'colleagues: a bundle that is dropped is known by what is in it, and lands when a person says so',
    async () => {
      await page.goto(`${site}#workspace`);
      await drop(page, 'notes.csv', bundle('bob', 1, 5, [['wholesale', 'revenue in beverages'], ['karma', 'good deeds']])); // prettier-ignore
      await dialog().getByText('Signed by bob, senior here').waitFor();
      await dialog().getByText('2 are new here.').waitFor();
      await dialog().getByText("means nothing in this workspace's model").waitFor();
      const found = await looked('3-bundle');
      await dialog().getByRole('button', { name: 'Take it in' }).click();
      await dialog().getByText('Taken in: 2 statements of bob, 2 new.').waitFor();
      found.push(...(await looked('4-taken')));
      await dialog().getByRole('button', { name: 'Go to Review' }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await dialog().waitFor({ state: 'hidden' });
      return found;
    },
  );
  await check(
    'colleagues: the same again is there already; one that is forged, cut off, old or nobody’s is refused in words',
    async () => {
      const good = bundle('bob', 1, 5, [['wholesale', 'revenue in beverages'], ['karma', 'good deeds']]); // prettier-ignore
      const cases = [
        [good, /This very bundle is here already/],
        [good.replace('revenue in beverages', 'freight'), /was changed since/],
        [good.slice(0, -30), /cut off/],
        [bundle('bob', 1, 4, [['wholesale', 'freight']]), /taken before/],
        [bundle('mallory \u202e', 9, 9, [['wholesale', '<img src=x onerror=alert(1)>']]), /Nobody in the roles/],
        ['rubbish', /cut off/],
      ];
      const problems = [];
      for (const [raw, words] of cases) {
        await drop(page, 'bob.assay-memory', raw);
        await dialog().getByText(words).waitFor();
        if (await dialog().getByRole('button', { name: 'Take it in' }).isEnabled())
          problems.push(`${words} can be taken`);
        if (/Nobody/.test(words.source)) {
          problems.push(...(await looked('5-refused')));
          await drop(small.page, 'bob.assay-memory', raw);
          await dialog(small.page).getByText(words).waitFor();
          problems.push(...(await looked('5-refused-dark-390', small.page)));
          await dialog(small.page).getByRole('button', { name: 'Leave it' }).click();
        }
        await dialog().getByRole('button', { name: 'Leave it' }).click();
        await dialog().waitFor({ state: 'hidden' });
      }
      return problems;
    },
  );
  await check(
    'colleagues: the folder that is shared is exchanged with, and each file says what came of it',
    async () => {
      writeFileSync(join(shared, 'bob.assay-memory'), bundle('bob', 1, 6, [['wholesale', 'revenue in beverages']]));
      writeFileSync(join(shared, 'eve.assay-memory'), 'rubbish\n');
      const section = await settings();
      await section.getByRole('button', { name: 'Exchange now' }).click();
      await section.getByText('bob.assay-memory: 1 statement of bob, 0 new.').waitFor();
      await section.getByText(/^eve\.assay-memory: The bundle is cut off/).waitFor();
      await section.getByText(/^eve\.assay-memory/).scrollIntoViewIfNeeded();
      const found = await looked('6-exchanged');
      const dark = await settings(small.page);
      await dark.getByRole('group', { name: 'Exchange with colleagues' }).scrollIntoViewIfNeeded();
      found.push(...(await looked('6-exchange-dark-390', small.page)));
      return readdirSync(shared).length === 3 ? found : [`${readdirSync(shared)}`, ...found];
    },
  );
  await check('colleagues: nothing went wrong', () =>
    [...first.trouble, ...small.trouble].filter((line) => !/status of 4\d\d/.test(line)),
  );
  await first.context.close();
  await small.context.close();
}
