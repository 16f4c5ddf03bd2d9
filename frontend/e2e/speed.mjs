// Measures the grid over many rows against the program at ASSAY_URL: jumps, scrolling, memory. Prints the figures; exit status 1 when
// one of them is missed. ROWS says how many rows (10,000,000). Not a part of the tests: a busy machine misses frames.
import { readFileSync } from 'node:fs';
import { launch, open } from './browser.mjs';

const address = process.env.ASSAY_URL;
if (!address) throw new Error('ASSAY_URL is missing: the address with its token that the program prints');
const thousands = Math.round(Number(process.env.ROWS ?? 10_000_000) / 1000);

const statement = `SELECT a.range * 1000 + b.range AS id, 'customer ' || ((a.range * 7919 + b.range) % 1000003) AS customer,
  CAST((a.range * 31 + b.range * 17) % 100000 AS DECIMAL(18,2)) / 100 AS amount, DATE '2020-01-01' + CAST((a.range + b.range) % 2000 AS INTEGER) AS sold,
  'region ' || (b.range % 17) AS region, CASE WHEN b.range % 9 = 0 THEN NULL ELSE b.range % 1000 END AS quantity,
  (a.range * 1000 + b.range) / 7.0 AS ratio, 'a note about number ' || (a.range * 1000 + b.range) AS note
  FROM range(${thousands}) a, range(1000) b`;

const sorted = (all) => [...all].sort((a, b) => a - b);
const at = (all, share) => sorted(all)[Math.min(all.length - 1, Math.floor(share * all.length))];
const ms = (n) => `${n.toFixed(1)} ms`;

const browser = await launch();
const { page, trouble } = await open(browser, address, { width: 1280, height: 800 });

// The process that draws the page: what it has for itself, and its share of what several have.
async function memory() {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024);
  const session = await page.context().newCDPSession(page);
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return { process: Math.max(...sizes), heap: usedSize / 2 ** 20 };
}

let result = '';
page.on('request', (request) => (result = /\/api\/results\/(s_[0-9a-f]+)\/rows/.exec(request.url())?.[1] ?? result));

const answer = await page.evaluate(async (sql) => {
  const body = JSON.stringify({ sql, max_rows: 1000, confirm: true });
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  return (await fetch('api/ask', { method: 'POST', headers, body })).json();
}, statement);
if (!answer.frame) throw new Error(`no rows: ${JSON.stringify(answer).slice(0, 400)}`);
await page.evaluate((id) => (location.hash = `#session/${id}`), answer.session_id);
await page.getByRole('button', { name: 'Open all rows' }).waitFor();
const before = await memory();
const began = performance.now();
await page.getByRole('button', { name: 'Open all rows' }).click();
await page.getByText(/rows are open/).waitFor({ timeout: 600_000 });
const opened = performance.now() - began;
const grid = page.getByRole('grid').first();
const rows = Number(await grid.getAttribute('aria-rowcount')) - 1;
await page.waitForFunction(() => !document.querySelector('[role=gridcell].coming'));

// A jump is over in the first frame in which every cell of the view has what belongs there.
const jumps = await grid.evaluate(async (box) => {
  let seed = 42;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  const first = () => [...box.querySelectorAll('[role=row][aria-rowindex]:not([aria-rowindex="1"])')];
  const took = [];
  const shown = [];
  for (let n = 0; n < 100; n++) {
    const to = Math.floor(random() * (box.scrollHeight - box.clientHeight));
    const from = performance.now();
    box.scrollTop = to;
    const before = first()
      .map((row) => row.getAttribute('aria-rowindex'))
      .join();
    do await frame();
    while (
      first()
        .map((row) => row.getAttribute('aria-rowindex'))
        .join() === before ||
      box.querySelector('[role=gridcell].coming')
    );
    took.push(performance.now() - from);
    const row = first()[n % first().length];
    shown.push([Number(row.getAttribute('aria-rowindex')) - 2, row.querySelector('[role=gridcell]').textContent]);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return { took, shown };
});
// What was shown is what stands there.
jumps.wrong = await page.evaluate(
  async ([id, shown]) => {
    const wrong = [];
    for (const [row, text] of shown) {
      const cell = await (await fetch(`api/results/${id}/cell?row=${row}&column=0`)).json();
      if (cell.text !== text.trim().replace(/,/g, '')) wrong.push(row);
    }
    return wrong;
  },
  [result, jumps.shown],
);

// The wheel turns for some seconds; every frame of that time counts.
async function scrollFor(milliseconds, step) {
  const box = await grid.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.evaluate(() => {
    globalThis.frames_ = [];
    let last = performance.now();
    const tick = (now) => {
      globalThis.frames_.push(now - last);
      last = now;
      globalThis.tick_ = requestAnimationFrame(tick);
    };
    globalThis.tick_ = requestAnimationFrame(tick);
  });
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    await page.mouse.wheel(0, step);
    await page.waitForTimeout(16);
  }
  return page.evaluate(() => {
    cancelAnimationFrame(globalThis.tick_);
    return globalThis.frames_.slice(2);
  });
}

await scrollFor(1000, 120); // what is compiled and cached at first is not what is measured
const frames = { wheel: await scrollFor(6000, 120), fling: await scrollFor(6000, 900) };
await page.waitForTimeout(1000);
const after = await memory();

let missed = trouble.length > 0 || jumps.wrong.length > 0;
const say = (name, text, good = true) => {
  missed ||= !good;
  console.log(`${good ? '  ' : 'X '}${name.padEnd(34)} ${text}`);
};
say('rows', rows.toLocaleString('en'), rows === thousands * 1000);
say('opened in', ms(opened));
say('jump, median of 100', ms(at(jumps.took, 0.5)), at(jumps.took, 0.5) < 100);
say('jump, 95 % and slowest', `${ms(at(jumps.took, 0.95))}, ${ms(Math.max(...jumps.took))}`);
say('rows that were not the right ones', String(jumps.wrong.length), jumps.wrong.length === 0);
for (const [name, all] of Object.entries(frames)) {
  const smooth = (100 * all.filter((took) => took <= 17.5).length) / all.length;
  say(`${name}: frames of 17.5 ms or less`, `${smooth.toFixed(1)} % of ${all.length}`, smooth >= 95);
  say(`${name}: longest frame`, ms(Math.max(...all)), Math.max(...all) <= 50);
}
say(
  'page memory before and after',
  `${before.process.toFixed(0)} MB, ${after.process.toFixed(0)} MB`,
  after.process < 300,
);
say('heap of its scripts after', `${after.heap.toFixed(0)} MB`);
if (trouble.length > 0) console.log(trouble.join('\n'));
await browser.close();
process.exitCode = missed ? 1 : 0;
