// A session with many answers is drawn gradually: what is in view first, the rest while nothing else is to be done.
import { askUnseen, findings } from './browser.mjs';

const many = 30;
const metrics = ['revenue', 'order count'];
const dimensions = ['category', 'customer country', 'month', 'product', 'supplier'];
const questions = Array.from(
  { length: many },
  (_, n) => `${metrics[n % 2]} by ${dimensions[Math.floor(n / 2) % 5]} in ${1996 + Math.floor(n / 10)}`,
);

export async function long({ visit, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 800 });
  const turns = page.getByRole('article', { name: /^Question \d+$/ });
  const turn = (n) => page.getByRole('article', { name: `Question ${n}`, exact: true });
  const list = page.locator('.list[data-gradual]');
  const topOf = (n) => turn(n).evaluate((it) => Math.round(it.getBoundingClientRect().top));

  // The page has nothing else to do when the test says so.
  await page.evaluate(() => {
    globalThis.idle = [];
    globalThis.requestIdleCallback = (act) => globalThis.idle.push(act);
    globalThis.cancelIdleCallback = () => undefined;
  });
  const rest = () =>
    page.evaluate(() => {
      while (globalThis.idle.length > 0) globalThis.idle.shift()();
    });
  const id = await askUnseen(page, questions);
  const again = async () => {
    await page.getByRole('button', { name: /New session/ }).click();
    await turns.first().waitFor({ state: 'detached' });
    await page.evaluate((id) => (location.hash = `#session/${id}`), id);
    await turn(many).waitFor();
  };

  await check('a long session opens at its last answer before the others are drawn', async () => {
    await again();
    const drawn = await turns.count();
    await shot(page, '97-long-opened');
    const inView = await turn(many).evaluate((it) => it.getBoundingClientRect().top < innerHeight);
    return inView && drawn < many / 2 ? findings(page) : [`${drawn} are drawn, the last in view: ${inView}`];
  });
  await check('what comes near the view is drawn at once, and stays where it is while the rest is drawn', async () => {
    await list.evaluate((it) => (it.scrollTop = it.scrollHeight / 2));
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.list[data-gradual] article')].some((it) => {
        const { top } = it.getBoundingClientRect();
        return top > 100 && top < 600 && it.getAttribute('aria-label') !== 'Question 30';
      }),
    );
    const seen = await turns.evaluateAll((all) => {
      const it = all.find((one) => one.getBoundingClientRect().top > 100);
      return Number(it.getAttribute('aria-label').split(' ')[1]);
    });
    const before = await topOf(seen);
    await rest();
    const after = await topOf(seen);
    const drawn = await turns.count();
    const tables = await page.locator('#panels [data-frame]').count();
    if (Math.abs(after - before) > 2) return [`question ${seen} was at ${before} and is at ${after}`];
    return drawn === many && tables === many ? findings(page) : [`${drawn} questions and ${tables} tables are drawn`];
  });
  await check('an early question that a search found is drawn, brought into view and has the keyboard', async () => {
    await again();
    const drawer = page.getByRole('dialog', { name: 'Sessions' });
    await page.keyboard.press('Control+Shift+f');
    await drawer.getByRole('searchbox', { name: 'Search sessions' }).fill('order count category 1996');
    await drawer
      .getByRole('button', { name: /^Question 2 *order count/ })
      .first()
      .click();
    await drawer.waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Question 2');
    const top = await topOf(2);
    await rest();
    return Math.abs((await topOf(2)) - top) <= 2 && top < 400;
  });
  await check('the table of an early answer is drawn and in view when a number of its answer is followed', async () => {
    await again();
    await list.evaluate((it) => (it.scrollTop = 0));
    await turn(1).waitFor();
    await turn(1).locator('.told button').first().click();
    const table = page.locator('#panels [data-result]').last().locator('[data-frame]');
    await table.waitFor();
    return table.evaluate((it) => it.getBoundingClientRect().top < innerHeight);
  });
  await check('all of it is drawn before it is printed', async () => {
    await again();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    return (await turns.count()) === many && (await page.locator('#panels [data-frame]').count()) === many;
  });
  await check('and nothing went wrong in a long session', () => trouble);
  await context.close();
}
