// Drives the window's page in real Chromium: `ASSAY_URL=http://127.0.0.1:PORT/?token=... npm run e2e`. The program behind
// it must have the Northwind sample open. Closes with "N passed, N failed". E2E_SHOTS names a folder for pictures: without it none is taken.
// E2E_ONLY names the parts to run (desk,shell); E2E_SHARE=1/2 runs every other one. The file E2E_TIMES gets a line for each check, as
// go test -json writes them.
import { appendFileSync, mkdirSync } from 'node:fs';
import { access } from './access.mjs';
import { artifacts } from './artifacts.mjs';
import { badinput } from './badinput.mjs';
import { branching } from './branching.mjs';
import { camera, launch, open, standing } from './browser.mjs';
import { charts } from './charts.mjs';
import { closed } from './closed.mjs';
import { colleagues } from './colleagues.mjs';
import { conditions } from './conditions.mjs';
import { data } from './data.mjs';
import { desk } from './desk.mjs';
import { facets } from './facets.mjs';
import { finding } from './finding.mjs';
import { firstChart } from './first-chart.mjs';
import { flywheel } from './flywheel.mjs';
import { following } from './following.mjs';
import { gallery } from './gallery.mjs';
import { grid } from './grid.mjs';
import { handing } from './handing.mjs';
import { hostile } from './hostile.mjs';
import { handoverPage } from './handover-page.mjs';
import { keeping } from './keeping.mjs';
import { keyboard } from './keyboard.mjs';
import { language } from './language.mjs';
import { long } from './long.mjs';
import { looks } from './looks.mjs';
import { manners } from './manners.mjs';
import { memory } from './memory.mjs';
import { minds } from './minds.mjs';
import { model } from './model.mjs';
import { odd } from './odd.mjs';
import { query } from './query.mjs';
import { readings } from './reading.mjs';
import { replay } from './replay.mjs';
import { reporting } from './reporting.mjs';
import { review } from './review.mjs';
import { screenshots } from './screenshots.mjs';
import { shell } from './shell.mjs';
import { waiting } from './waiting.mjs';
import { writing } from './writing.mjs';

const address = process.env.ASSAY_URL;
if (!address) {
  console.error('ASSAY_URL is not set. Start `assay serve` and give the address that it prints.');
  process.exit(2);
}
const folder = process.env.E2E_SHOTS;
if (folder) mkdirSync(folder, { recursive: true });
const times = process.env.E2E_TIMES;

let passed = 0;
const failed = [];
let running = ''; // the part

/** Runs one check. It fails by throwing, or by giving false or a list that is not empty. */
async function check(name, work) {
  const began = performance.now();
  const failures = failed.length;
  try {
    const result = await work();
    if (result === false) throw new Error('it is not so');
    if (Array.isArray(result) && result.length > 0) throw new Error(result.join('\n    '));
    passed++;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed.push(name);
    const lines = [...String(error.message).split('\n').slice(0, 12), ...(await standing(browser))];
    console.log(`FAIL  ${name}\n    ${lines.join('\n    ')}`);
  }
  if (!times) return;
  const Action = failed.length > failures ? 'fail' : 'pass';
  const Elapsed = (performance.now() - began) / 1000;
  appendFileSync(times, `${JSON.stringify({ Action, Package: running, Test: name, Elapsed })}\n`);
}

const browser = await launch();
try {
  // The address may hold a token that is good for one use: the first page signs in, the others share its cookie.
  const first = await open(browser, address, { width: 1280, height: 800 });
  const site = new URL('/', address).href;
  const visit = async (options) =>
    open(browser, site, { ...options, storageState: await first.context.storageState() });
  const parts = { desk: () => desk({ ...first, site, check, shot: camera(folder) }) };
  for (const part of [
    looks,
    language,
    waiting,
    readings,
    conditions,
    charts,
    query,
    model,
    shell,
    grid,
    facets,
    artifacts,
    data,
    manners,
    badinput,
    odd,
    keyboard,
    access,
    firstChart,
    following,
    replay,
    branching,
    finding,
    long,
    handing,
    reporting,
    hostile,
    handoverPage,
    closed,
    keeping,
    memory,
    review,
    colleagues,
    flywheel,
    minds,
    writing,
    gallery,
  ])
    parts[part.name] = () => part({ visit, site, browser, check, shot: camera(folder) });
  const only = process.env.E2E_ONLY?.split(',');
  if (only?.includes('screenshots')) parts.screenshots = () => screenshots({ visit, site, browser, folder });
  const [share, shares] = (process.env.E2E_SHARE ?? '1/1').split('/').map(Number);
  for (const [name, part] of Object.entries(parts).filter((_, place) => place % shares === share - 1)) {
    if (only && !only.includes(name)) continue;
    const before = performance.now();
    running = name;
    await part();
    console.log(`      ${name}: ${Math.round((performance.now() - before) / 1000)} s`);
  }
} finally {
  await browser.close();
}
if (folder) console.log(`pictures in ${folder}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
