// What every check needs: a page in real Chromium that notices errors and foreign requests, screenshots, a drop, axe.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--force-color-profile=srgb'],
  });

/** What a check may wait for at most, in milliseconds: long, since a machine may be slow and nothing here measures time. */
const PATIENCE = 60_000;

/** Looks (sizes, light and dark) at which a part is seen: in every run, and the rest where E2E_ALL says so (make test-long). */
export const looksOf = (every, rest) => (process.env.E2E_ALL ? [...every, ...rest] : every);

/** Opens the page at an address. `trouble` collects what must not happen. */
export async function open(browser, address, { width, height, scheme = 'light', storageState }) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-US',
    storageState,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => undefined);
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const trouble = [];
  const origin = new URL(address).origin;
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') trouble.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) trouble.push(`foreign request: ${url}`);
  });
  await page.goto(address);
  await page.locator('#composer').waitFor();
  return { context, page, trouble };
}

/** How every open page stands, in words: what someone must know of a check that failed where nobody saw it. */
export async function standing(browser) {
  const pages = browser.contexts().flatMap((context) => context.pages());
  const said = pages.map((page) =>
    page.evaluate(() => {
      const words = (selector) =>
        [...document.querySelectorAll(selector)]
          .filter((element) => element.checkVisibility())
          .map((element) => element.textContent.trim().slice(0, 80))
          .slice(-6)
          .join(' | ');
      return [
        `at ${location.hash || '#'}, ${innerWidth} wide, the keyboard on ${document.activeElement?.outerHTML.slice(0, 120)}`,
        `it holds: ${document.activeElement?.value ?? 'nothing'}`,
        `headings: ${words('h1, h2')}`,
        `said: ${words('[role="alert"], [role="status"], dialog[open], .menu')}`,
      ];
    }),
  );
  return (await Promise.allSettled(said)).flatMap(({ value }) => value ?? ['a page that does not answer']);
}

/** Waits until nothing runs in the page: the end of a run names its session in the address, which a check that goes elsewhere must not cross. */
export const ended = (page) => page.waitForFunction(() => !document.querySelector('form button[aria-label="Cancel"]'));

/** Asks a question in the composer and waits for its end. */
export async function ask(page, question) {
  const before = await page.locator('article[aria-label^="Question"]').count();
  await page.locator('#composer').fill(question);
  await page.locator('#composer').press('Enter');
  await page.locator('article[aria-label^="Question"]').nth(before).waitFor();
  await page.locator('#composer + button, form button[aria-label="Ask"]').first().waitFor();
  await ended(page);
  return page.locator('article[aria-label^="Question"]').nth(before);
}

/** Asks questions by the API, in a session or a new one: the page does not show them. Gives the session's id. */
export const askUnseen = (page, questions, session = '') =>
  page.evaluate(
    async ([questions, session]) => {
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
      for (const question of questions) {
        const to = session ? `api/sessions/${session}/message` : 'api/ask';
        const body = JSON.stringify({ question, confirm: true });
        const response = await fetch(to, { method: 'POST', headers, body });
        if (!response.ok) throw new Error(await response.text());
        session = (await response.json()).session_id;
      }
      return session;
    },
    [questions, session],
  );

/** Closes all queries of the query page but an empty one: the program keeps those of other pages too. */
export async function freshQuery(page) {
  await page.locator('.cm-content').waitFor();
  const close = page.getByRole('button', { name: 'Close this query' });
  while ((await page.getByRole('tab').count()) > 1) await close.click();
  await close.click();
  await page.getByRole('radiogroup', { name: 'Language' }).getByText('Frame-QL').click();
}

/** Drops a text file onto the window, as a person would. */
export async function drop(page, name, content) {
  const transfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], fileName, { type: 'text/csv' }));
      return data;
    },
    [name, content],
  );
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: transfer });
  const called = await page.getByText('Drop to import').isVisible();
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
  return called;
}

/** Waits until the clipboard holds a text of a form; gives what it holds when it never does, else null. */
export async function copied(page, form) {
  const held = () => page.evaluate(() => navigator.clipboard.readText());
  for (let times = 0; times < 200; times++) {
    if (form.test(await held())) return null;
    await page.waitForTimeout(50);
  }
  return held();
}

/** Waits until everything that moves or fades has come to its end; what turns for ever is left to turn. */
const still = (page) =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
        .map((one) => one.finished),
    ).then(() => undefined),
  );

/** Every finding of axe-core, whatever its impact, in words. */
export async function findings(page) {
  await still(page); // a color that fades in is none to measure
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const result = await page.evaluate(() =>
    globalThis.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
      resultTypes: ['violations'],
    }),
  );
  return result.violations.map(
    (violation) =>
      `${violation.impact} ${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
}

/** Takes pictures into a folder; without one it only waits until nothing moves. */
export const camera = (folder) => async (page, name) => {
  await still(page);
  if (!folder) return;
  await page.waitForTimeout(100); // charts draw by themselves, unseen by the above
  await page.screenshot({ path: join(folder, `${name}.png`) });
};
