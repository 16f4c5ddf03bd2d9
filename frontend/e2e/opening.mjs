// Measures how long a session of 500 artifacts takes from the click that opens it until its last answer is drawn, against the program at ASSAY_URL: once beside a new
// session, as from the list of sessions, and once with the page itself, as by a link, until its last answer and until every answer is drawn. Prints the figures; exit status 1 when the median of the first misses the aim of a
// second. ARTIFACTS says how many (500). Not a part of the tests: a busy machine misses aims.
import { askUnseen, launch, open } from './browser.mjs';

const address = process.env.ASSAY_URL;
if (!address) throw new Error('ASSAY_URL is missing: the address with its token that the program prints');
const wanted = Number(process.env.ARTIFACTS ?? 500);
const rounds = Number(process.env.ROUNDS ?? 11);
const aim = 1000;

const browser = await launch();
const { page, trouble } = await open(browser, address, { width: 1280, height: 800 });

const metrics = ['revenue', 'freight', 'order count', 'revenue per order'];
const dimensions = ['category', 'customer country', 'month', 'product'];
const question = (n) => `${metrics[n % 4]} by ${dimensions[Math.floor(n / 4) % 4]} in ${1996 + (n % 3)}`;

/** A session with as many artifacts as are wanted. */
const made = { id: '', turns: 0, artifacts: 0 };
while (made.artifacts < wanted) {
  const next = Array.from({ length: 8 }, (_, n) => question(made.turns + n));
  made.id = await askUnseen(page, next, made.id);
  made.turns += next.length;
  made.artifacts = await page.evaluate(async (id) => {
    const document = await (await fetch(`api/sessions/${id}`)).json();
    return document.turns.reduce((sum, turn) => sum + turn.artifacts.length, 0);
  }, made.id);
  if (made.turns > wanted) throw new Error(`${made.turns} turns have ${made.artifacts} artifacts`);
}

const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];
const last = `Question ${made.turns}`;
const article = page.getByRole('article', { name: last, exact: true });

// The second frame begins when the first one has been drawn.
const drawn = (name) =>
  new Promise((done) => {
    const look = () => {
      if (!document.querySelector(`article[aria-label="${name}"]`)) return void requestAnimationFrame(look);
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
    };
    look();
  });

// The rest is drawn while the page has nothing else to do.
const wholly = (n) =>
  new Promise((done) => {
    const look = () =>
      document.querySelectorAll('[data-turn] article').length < n ? setTimeout(look, 20) : done(performance.now());
    look();
  });

const inPage = [];
const byLink = [];
const whole = [];
for (let n = 0; n < rounds; n++) {
  await page.getByRole('button', { name: /New session/ }).click({ timeout: 600_000 }); // all of it is drawn first
  await article.waitFor({ state: 'detached' });
  inPage.push(
    await page.evaluate(
      `(async () => { const from = performance.now(); location.hash = '#session/${made.id}'; return (await (${drawn})('${last}')) - from; })()`,
    ),
  );
  await page.reload();
  byLink.push(await page.evaluate(`(${drawn})('${last}')`)); // counted from where the page began
  whole.push(await page.evaluate(`(${wholly})(${made.turns})`));
}
await browser.close();

const met = median(inPage) < aim;
const figures = (all) => `median ${median(all).toFixed(0)} ms, longest ${Math.max(...all).toFixed(0)} ms`;
console.log(`a session of ${made.artifacts} artifacts in ${made.turns} turns, opened ${rounds} times`);
console.log(`  from another session: ${figures(inPage)}   aim ${aim} ms: ${met ? 'met' : 'MISSED'}`);
console.log(`  with the page:        ${figures(byLink)}`);
console.log(`  and every answer:     ${figures(whole)}`);
for (const line of trouble) console.log(`  ${line}`);
process.exit(met && trouble.length === 0 ? 0 : 1);
