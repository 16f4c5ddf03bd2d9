// Measures how long the first word of a model takes from its server to the screen, against the program at ASSAY_URL: the server notes when it sends the first
// piece, the page when a frame with it was drawn. Once for a model that is as slow as the fast ones are, and once for one that writes at once, while the page
// still draws the chart of the answer before. Prints the figures; exit status 1 when a median misses the aim of 150 ms. Not a part of the tests.
import { ask, launch, open } from './browser.mjs';
import { fakeOllama } from './fake-ollama.mjs';
import { choose } from './writing.mjs';

const address = process.env.ASSAY_URL;
if (!address) throw new Error('ASSAY_URL is missing: the address with its token that the program prints');
const rounds = Number(process.env.ROUNDS ?? 30);

const pauses = [400, 0]; // milliseconds that a model takes to its first piece
let pause = 0;
let sent = [];
async function* text() {
  await new Promise((done) => setTimeout(done, pause));
  sent.push(Date.now());
  yield '{r3.category_name} ';
  await new Promise((done) => setTimeout(done, 200)); // a model is no faster
  yield 'leads with {r3.revenue}.';
}
const say = (body) => (body.format ? { content: '{"questions":[]}' } : { content: text() });
const ollama = await fakeOllama({ say });
const browser = await launch();
const { page } = await open(browser, address, { width: 1280, height: 800 });
const before = await choose(page, { mind: 'ollama:sample-tools:4b', ollama: ollama.address });

/** Asks in a new session, and gives how long each first word took, sorted, in milliseconds. */
async function measure() {
  sent = [];
  await page.reload();
  await page.locator('#composer').waitFor();
  await page.getByRole('button', { name: /New session/ }).click();
  await page.evaluate(() => {
    window.drawn = [];
    let there = false;
    new MutationObserver(() => {
      const now = document.querySelector('.draft') !== null;
      // The second frame begins when the first one has been drawn.
      if (now && !there)
        requestAnimationFrame(() =>
          requestAnimationFrame(() => window.drawn.push(performance.timeOrigin + performance.now())),
        );
      there = now;
    }).observe(document.body, { childList: true, subtree: true });
  });
  for (let i = 0; i < rounds; i++) await ask(page, 'revenue by category in 1997');
  const drawn = await page.evaluate(() => window.drawn);
  return drawn.map((at, i) => at - sent[i]).sort((a, b) => a - b);
}

const medians = [];
for (pause of pauses) {
  const took = await measure();
  const median = took[Math.floor(took.length / 2)];
  medians.push(took.length === rounds ? median : Infinity);
  console.log(
    `${took.length} first words on the screen, of a model that begins after ${pause} ms: median ${median.toFixed(0)} ms, longest ${took.at(-1).toFixed(0)} ms after the server sent them (aim 150)`,
  );
}
await choose(page, before);
await browser.close();
await ollama.close();
process.exit(medians.every((median) => median < 150) ? 0 : 1);
