// The ten main abilities, and the manners of a desktop program, in the real window: WebKitGTK under Xvfb with a window manager.
// Run by scripts/window-test.sh. Closes with "window: N passed, N failed"; pictures go to WINDOW_SHOTS. The file E2E_TIMES gets a line
// for each check, as go test -json writes them.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  again,
  answerDialog,
  dialog,
  giveDialog,
  named,
  picture,
  until,
  Window,
  windows,
  xdo,
} from './shellwindow.mjs';

const home = mkdtempSync(join(tmpdir(), 'aw-'));
const shots = process.env.WINDOW_SHOTS ?? join(home, 'shots');
mkdirSync(shots, { recursive: true });
const only = process.env.WINDOW_ONLY;
let passed = 0;
let failed = 0;
let app;

async function check(name, work) {
  if (only && !name.match(only)) return;
  const began = Date.now();
  let Action = 'pass';
  try {
    if ((await work()) === false) throw new Error('it is not so');
    passed++;
    console.log(`ok    ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    Action = 'fail';
    console.log(`FAIL  ${name}\n    ${error.message}\n    ${app?.said.slice(-300) ?? ''}`);
    picture(join(shots, `fail-${failed}.png`));
  }
  if (!process.env.E2E_TIMES) return;
  const line = { Action, Package: 'window', Test: name, Elapsed: (Date.now() - began) / 1000 };
  appendFileSync(process.env.E2E_TIMES, `${JSON.stringify(line)}\n`);
}
const shot = (name) => {
  if (!process.env.WINDOW_SHOTS) return;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250); // what is there has been drawn by then; only the pictures need it
  picture(join(shots, `${name}.png`));
};

const rows = (n) =>
  ['region,amount', ...Array.from({ length: n }, (_, i) => `${i % 2 ? 'North' : 'South'},${i}.25`)].join('\n');
const file = (name, content) => {
  writeFileSync(join(home, name), content);
  return join(home, name);
};
// Long enough for anything: it is stopped, or killed.
const forever =
  'SELECT count(*) AS n FROM Order_Details a, Order_Details b, Order_Details c, Order_Details d WHERE a.Quantity + b.Quantity > c.Quantity + d.Quantity';
const running = `(window.ended = false, void fetch('api/ask', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sql: ${JSON.stringify(forever)}, confirm: true, request_id: 'long' }) }).finally(() => (window.ended = true)), true)`;
const sessions = () =>
  app.see(
    `fetch('api/sessions').then((r) => r.json()).then((all) => all.sessions.filter((one) => one.title.includes('Order_Details a')).length)`,
  );
/** Asks what takes for ever, and waits until it is stored: it runs from then on. */
const begin = async () => {
  const before = await sessions();
  await app.see(running);
  await until('it runs', async () => (await sessions()) > before);
};
const place = () =>
  /X=-?\d+\s+Y=-?\d+\s+WIDTH=\d+\s+HEIGHT=\d+/
    .exec(xdo('getwindowgeometry', '--shell', app.id))[0]
    .replace(/\s+/g, ' ');
const composer = `document.querySelector('#composer')`;
const chart = `document.querySelector('article.card:has(.ways)')`;

app = await new Window(home).opened();

await check('a question is answered, and its numbers light up their cells', async () => {
  app.focus();
  await app.ask('revenue by category in 1997');
  const number = `[...document.querySelectorAll('.narration button')].find((one) => /\\d[\\d,.]{4,}/.test(one.innerText))`;
  await app.has('a number in the sentence', number);
  await app.hover(number);
  await app.has('the lit cell', `document.querySelector('[role=gridcell].lit')`);
  shot('01-answer');
  return app.see(
    `document.querySelector('[role=gridcell].lit').innerText.trim().startsWith(${number}.innerText.trim().slice(0, 5))`,
  );
});
await check('names are completed while one types', async () => {
  await app.click(composer);
  app.type('freig');
  await app.has('an offer', `/freight/i.test(document.querySelector('[role=listbox] [role=option]')?.innerText ?? '')`);
  shot('02-type-ahead');
  app.press('Escape', 'ctrl+a', 'BackSpace');
  await app.has('an empty composer', `${composer}.value === ''`);
});
await check('a chart is shown, changed, and saved as SVG and PNG through the native dialog', async () => {
  await app.has('a chart', `${chart}?.querySelector('.chart svg .mark-rect path')`);
  await app.click(`${chart}.querySelector('button[aria-label="Edit chart"]')`);
  await app.has('the editor', `${chart}.querySelector('form.editor select')`);
  shot('05-chart-editor');
  await app.see(
    `(() => { const type = ${chart}.querySelector('form.editor select'); type.value = 'pie'; type.dispatchEvent(new Event('change', { bubbles: true })); })()`,
  );
  await app.has('a pie', `${chart}.querySelector('.chart svg .mark-arc path')`);
  for (const [entry, ending, magic] of [
    ['Save as SVG', 'svg', '<svg'],
    ['Save as PNG', 'png', '\x89PNG'],
  ]) {
    await app.click(`${chart}.querySelector('button[aria-label="Chart menu"], .menu-trigger')`);
    await app.click(named('menuitem', entry));
    const path = join(home, `chart.${ending}`);
    await giveDialog('^Save$', path);
    await until('the file', () => existsSync(path));
    if (!readFileSync(path, 'latin1').startsWith(magic))
      throw new Error(`${ending} begins ${readFileSync(path, 'latin1').slice(0, 20)}`);
  }
  shot('06-pie');
});
await check('an export is saved where the native dialog says, and a folder that is closed is said to be', async () => {
  const menu = named('button', 'Result menu');
  await app.click(menu);
  await app.click(named('menuitem', 'Export Excel, with provenance'));
  await giveDialog('^Save$', join(home, 'out.xlsx'));
  await until('the file', () => existsSync(join(home, 'out.xlsx')));
  await app.click(menu);
  await app.click(named('menuitem', 'Export CSV'));
  await giveDialog('^Save$', '/proc/out.csv');
  await app.reads('out.csv cannot be saved there');
  shot('07-not-saved');
});
await check('all rows of a cut result are opened in the grid, and scrolled to the last', async () => {
  const asked = {
    sql: 'SELECT a.range AS n, a.range * 2 AS twice FROM range(50000) a ORDER BY n',
    max_rows: 100,
    confirm: true,
  };
  const session = await app.see(
    `fetch('api/ask', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(${JSON.stringify(asked)}) }).then((r) => r.json()).then((a) => a.session_id)`,
  );
  await app.see(`location.hash = '#session/${session}'`);
  await app.click(named('button', 'Open all rows'));
  await app.reads('All 50,000 rows are open.');
  await app.click(`document.querySelector('[role=grid] [role=row][aria-rowindex="3"] [role=gridcell]')`);
  app.press('ctrl+End');
  await app.has(
    'the last row',
    `[...document.querySelectorAll('[role=grid] [role=row][aria-rowindex="50001"] [role=gridcell]')].some((one) => /49,?999/.test(one.innerText))`,
  );
  shot('08-grid');
});
await check('the query page runs Frame-QL', async () => {
  await app.click(named('button', 'Query'));
  await app.click(`document.querySelector('.cm-content')`, 30);
  app.press('ctrl+a', 'Delete');
  app.type("SELECT revenue WHERE ship_country = 'Germany'");
  app.press('Escape', 'ctrl+Return');
  await app.has(
    'the number',
    `document.querySelector('#query-panel .results')?.innerText.includes('244,640.63') || /\\d{3},\\d{3}\\.\\d\\d/.test(document.querySelector('#query-panel .results')?.innerText ?? '')`,
  );
  shot('09-query');
});
await check('a run that would take for ever is stopped', async () => {
  await app.click(named('button', 'Query'));
  await app.click(named('button', 'New query'));
  await app.click(`[...document.querySelectorAll('label')].find((one) => one.innerText.trim() === 'SQL')`);
  await app.click(`document.querySelector('.cm-content')`);
  app.type(forever);
  // A click may overtake keys that the view has not taken yet.
  await app.has(
    'what was typed',
    `document.querySelector('.cm-content').innerText.trim().endsWith(${JSON.stringify(forever.slice(-40))})`,
  );
  app.press('Escape');
  await app.click(
    `[...document.querySelectorAll('button:not([disabled])')].find((one) => one.innerText.trim() === 'Run')`,
  );
  const stop = `[...document.querySelectorAll('button')].find((one) => one.innerText.trim() === 'Cancel')`;
  const confirm = `[...document.querySelectorAll('#query-panel button')].find((one) => one.innerText.trim() === 'Run it')`;
  await app.has('a run, or a question before it', `${stop} || ${confirm}`);
  await until('a run', async () => (await app.see(`!!${stop}`)) || (await app.click(confirm, 1)));
  shot('10-running');
  await app.click(stop);
  await app.has('the end of it', `!${stop}`);
  shot('11-stopped');
});
await check('the palette opens by its keys and does what is chosen', async () => {
  app.press('ctrl+k');
  await app.has('the palette', `document.querySelector('dialog[open] input')`);
  app.type('dark: dark');
  await app.has('an entry', `/Dark/.test(document.querySelector('dialog[open] [role=option]')?.innerText ?? '')`);
  app.press('Return');
  await app.has('dark colours', `document.documentElement.dataset.theme === 'dark'`);
  shot('03-dark');
});
await check('the theme is changed in the settings, and kept', async () => {
  app.press('ctrl+comma');
  await app.has('the settings', `location.hash === '#settings'`);
  await app.click(`[...document.querySelectorAll('.segmented label')].find((one) => one.innerText.trim() === 'Light')`);
  await app.has('light colours', `document.documentElement.dataset.theme === 'light'`);
  shot('04-settings');
  await until('it is kept', () =>
    app.see(`fetch('api/settings').then((r) => r.json()).then((v) => v.settings.theme === 'light')`),
  );
});
await check('an entry of the menu bar says its command to the page', async () => {
  app.focus();
  app.press('F10', 'Right', 'Right', 'Down');
  await until('a menu is open', () => windows('').length > 1);
  shot('12-menu');
  app.press('Down', 'Down', 'Return');
  await app.has('the query page', `location.hash === '#query'`);
});
await check('the model is edited as a form and saved', async () => {
  await app.see(`location.hash = '#model/' + encodeURIComponent('metric/freight')`);
  await app.click(named('button', 'Edit'), 30);
  const field = `[...document.querySelectorAll('input')].find((one) => one.value === 'Freight')`;
  await app.click(field);
  app.press('ctrl+a');
  app.type('Freight charges');
  await app.click(named('button', 'Put into the file'));
  await app.reads('It reads well: 1 object changes.');
  shot('13-model');
  await app.click(
    `[...document.querySelectorAll('button:not([disabled])')].find((one) => one.innerText.trim() === 'Save')`,
  );
  await app.reads('Saved. The model is the new one from now on.');
});
await check('a CSV is imported through the native dialog', async () => {
  app.press('ctrl+o');
  await giveDialog('^Open files$', file('sales.csv', rows(40)));
  await app.reads('sales.csv');
  await app.has('its table', `document.body.innerText.includes('Imported')`);
  shot('14-imported');
});
await check('a drop is asked about outside the page, and taken with a yes alone', async () => {
  const path = file('dropped.csv', rows(30));
  await app.send({ drop: [path] });
  await answerDialog('Import files', false);
  await app.send({ drop: [path] });
  const id = await dialog('Import files');
  shot('15-drop');
  await answerDialog('Import files', true);
  await app.has('it is imported', `document.body.innerText.includes('dropped')`);
  return id !== '';
});
await check('a second start brings this window forward and hands its files over', async () => {
  const code = await again(home, [file('later.csv', rows(20)), join(home, 'gone.parquet')]);
  if (code !== 0) throw new Error(`the second start ended with ${code}`);
  await app.has(
    'the file is looked at first',
    `[...document.querySelectorAll('dialog[open]')].some((one) => one.innerText.includes('later.csv') && one.innerText.includes('Recognised as csv'))`,
  );
  shot('16-look');
  app.press('Escape');
  await app.reads('There is no file gone.parquet.');
  shot('17-refused');
  app.press('Escape');
  await app.has('no dialog', `!document.querySelector('dialog[open]')`);
  return windows('^Assay$').length === 1;
});
await check('a link to an answer leads there, in this window', async () => {
  const ask = `document.querySelector('article[aria-label^="Question"]')`;
  await app.click(named('button', 'New session'));
  await app.has('a new session', `!${ask}`);
  await app.ask('revenue by country in 1997');
  const session = await until('the address of the session', () =>
    app.see(`(/session\\/([\\w-]+)/.exec(location.hash) ?? [])[1]`),
  );
  const request = await app.see(
    `(() => { const asked = new XMLHttpRequest(); asked.open('GET', 'api/sessions/${session}', false); asked.send(); return JSON.parse(asked.responseText).turns[0].request_id; })()`,
  );
  await app.click(named('button', 'New session'));
  await app.has('another session', `!${ask}`);
  const code = await again(home, [`assay://session/${session}/${request}`]);
  if (code !== 0) throw new Error(`the second start ended with ${code}`);
  await app.has('the answer, with the keyboard on it', `document.activeElement === ${ask}`);
  const wrong = await again(home, ['assay://elsewhere/x']);
  return wrong !== 0 && windows('^Assay$').length === 1;
});
await check(
  'the end of long work in the background is told outside, and following it brings the turn back',
  async () => {
    await app.click(named('button', 'Workspace'));
    await app.see(
      `void (() => { const clock = performance.now.bind(performance); let n = 0; performance.now = () => clock() + 11000 * n++; document.hasFocus = () => false; })()`,
    );
    await app.ask('average order value by country');
    const said = await until('the notice', async () => (await app.send({ notices: true })).at(-1));
    await app.click(named('button', 'New session'));
    await app.has('another session', `!document.querySelector('article[aria-label^="Question"]')`);
    await app.send({ followed: (await app.send({ notices: true })).length });
    await app.has(
      'the turn',
      `[...document.querySelectorAll('article[aria-label^="Question"]')].some((one) => one.innerText.includes('average order value by country'))`,
    );
    if (said !== 'assay-drive: Assay: Your question has been answered.') throw new Error(said);
  },
);
await check('closing while a question runs asks; with a no it goes on, with a yes it is stopped and kept', async () => {
  await begin();
  app.focus();
  app.press('alt+F4');
  await dialog('Close Assay');
  shot('18-closing');
  await answerDialog('Close Assay', false);
  await app.has('the page is there', composer);
  if (await app.see(`fetch('api/sessions').then((r) => r.json()).then(() => window.ended === true)`))
    throw new Error('the question was stopped');
  app.focus();
  app.press('alt+F4');
  await answerDialog('Close Assay', true);
  const { code } = await app.ended;
  return code === 0;
});
await check('it comes back where it stood, and the drawer opens an older session again', async () => {
  app = await new Window(home).opened();
  app.focus();
  xdo('windowmove', '--sync', app.id, 210, 120);
  xdo('windowsize', '--sync', app.id, 1100, 740);
  await until('it is remembered', () =>
    readdirSync(join(home, 'data', 'window')).some(
      (name) =>
        name.endsWith('.place.json') &&
        JSON.parse(readFileSync(join(home, 'data', 'window', name), 'utf8')).width === 1100,
    ),
  );
  const before = place();
  await app.close();
  app = await new Window(home).opened();
  await until('the place', () => place() === before, 5).catch(() => {
    throw new Error(`it stood at ${before} and stands at ${place()}`);
  });
  app.focus();
  app.press('ctrl+b');
  const row = `[...document.querySelectorAll('dialog[open] .session .open')].find((one) => one.innerText.includes('revenue by category in 1997'))`;
  await app.has('the session in the drawer', row);
  shot('19-drawer');
  await app.click(row);
  await app.has('its answer', `document.querySelector('.narration button') && document.querySelector('[role=grid]')`);
});
await check(
  'killed in the middle of a run, everything can be opened again, and the first picture was no crash',
  async () => {
    await begin();
    app.process.kill('SIGKILL');
    await app.ended;
    app = await new Window(home).opened();
    const titles = await app.see(
      `fetch('api/sessions').then((r) => r.json()).then((all) => all.sessions.map((one) => one.title))`,
    );
    const tables = await app.see(
      `fetch('api/workspace').then((r) => r.json()).then((w) => w.sources.flatMap((one) => one.tables.map((t) => t.name)))`,
    );
    const safe = await app.see(`document.body.innerText.includes('without the graphics card')`);
    await app.ask('revenue by category in 1997');
    if (!titles.includes('revenue by category in 1997') || !tables.includes('sales'))
      throw new Error(`${titles} ${tables}`);
    return !safe;
  },
);
await check(
  'after a start that ended before its first picture the window is safe and says so, until the card is to be tried',
  async () => {
    await app.close();
    const note = join(
      home,
      'data',
      'window',
      readdirSync(join(home, 'data', 'window')).find((name) => name.endsWith('.drawn.json')),
    );
    writeFileSync(note, '{"unpainted":true}');
    app = await new Window(home).opened();
    await app.reads('drawn without the graphics card, because the last start ended before anything was drawn');
    const environment = readFileSync(`/proc/${app.process.pid}/environ`, 'latin1');
    shot('20-safe');
    await app.click(named('button', 'Try the card at the next start'));
    await app.reads('The next start tries the graphics card again.');
    await app.close();
    if (JSON.parse(readFileSync(note, 'utf8')).crashed) throw new Error('it will be safe again');
    app = await new Window(home, ['--safe-mode']).opened();
    await app.reads('as --safe-mode asks');
    return environment !== '';
  },
);

console.log(`pictures in ${shots}`);
console.log(`window: ${passed} passed, ${failed} failed`);
await app.close();
if (!process.env.WINDOW_SHOTS && failed === 0) rmSync(home, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
