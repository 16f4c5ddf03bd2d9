// What follows: questions that wait for the one that runs, an answer under a name of one's own, and links that lead to it.
import { ask, copied, findings } from './browser.mjs';

export async function following({ visit, site, check, shot }) {
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 320],
  ]) {
    const { context, page, trouble } = await visit({ width, height: 800, scheme });
    const named = (what) => `${what} (${scheme}, ${width} wide)`;
    const turn = (question) => page.locator('article[aria-label^="Question"]', { hasText: question }).last();
    const queue = page.getByRole('region', { name: 'Questions that wait' });
    const write = async (question) => {
      await page.locator('#composer').fill(question);
      await page.locator('#composer').press('Enter');
    };
    const results = async () => {
      if (width < 800) await page.getByRole('tab', { name: /Results/ }).click();
    };
    const choose = async (item) => {
      await results();
      await page.getByRole('button', { name: 'Result menu' }).first().click();
      await page.locator('.menu').getByText(item, { exact: true }).click();
      await page.locator('.menu').waitFor({ state: 'hidden' });
    };

    await check(named('what is asked while a question runs waits, and follows it'), async () => {
      let goOn = () => undefined;
      const held = new Promise((resolve) => (goOn = resolve));
      await page.route('**/api/ask', async (route) => {
        await held;
        await route.continue();
      });
      await write('revenue by country in 1997');
      await page.locator('form button[aria-label="Cancel"]').waitFor();
      await write('revenue by category in 1997');
      await write('freight by month in 1996');
      await write('orders by year');
      await queue.getByRole('button', { name: 'Do not ask: freight by month in 1996' }).click();
      const words = await queue.getByRole('listitem').allTextContents();
      const back = await page.evaluate(() => document.activeElement?.id === 'composer');
      await shot(page, `90-queue-${scheme}-${width}`);
      const found = await findings(page);
      goOn();
      await turn('revenue by category in 1997').locator('.narration').waitFor();
      await turn('orders by year').locator('.narration').waitFor();
      await queue.waitFor({ state: 'hidden' });
      await page.unroute('**/api/ask');
      return back && words.length === 2 && (await turn('freight by month').count()) === 0 ? found : words;
    });
    await check(named('a run that is stopped holds what waits; it is asked when a person says so'), async () => {
      await page.route('**/api/ask', () => undefined); // it is never answered
      await write('revenue by employee');
      await page.locator('form button[aria-label="Cancel"]').waitFor();
      await write('discount by employee');
      await write('freight by country');
      await page.getByRole('button', { name: 'Cancel', exact: true }).last().click();
      await queue.getByText('The question before has no answer.').waitFor();
      await page.unroute('**/api/ask');
      trouble.splice(0, trouble.length, ...trouble.filter((line) => !line.includes('ERR_')));
      await queue.getByRole('button', { name: 'Write anew: discount by employee' }).click();
      const anew = await page.locator('#composer').inputValue();
      await page.locator('#composer').fill('');
      await shot(page, `91-held-${scheme}-${width}`);
      await queue.getByRole('button', { name: 'Ask these all the same' }).click();
      await turn('freight by country').locator('.narration').waitFor();
      if (!(await page.evaluate(() => document.activeElement?.id === 'composer'))) return ['the keyboard is lost'];
      return anew === 'discount by employee';
    });
    await check(named('an answer is called what the person calls it, also after a reload'), async () => {
      await choose('Rename');
      const field = page.getByRole('textbox', { name: 'Title of the result' });
      await field.fill('given up');
      await field.press('Escape');
      await field.waitFor({ state: 'hidden' });
      await choose('Rename');
      const kept = page.waitForResponse((response) => response.url().endsWith('/view'));
      await field.fill('  Regions for the\tboard ');
      await field.press('Enter');
      await kept;
      await page.getByRole('heading', { name: 'Regions for the board' }).first().waitFor();
      await shot(page, `92-renamed-${scheme}-${width}`);
      await page.reload();
      await turn('freight by country').waitFor();
      await results();
      await page.getByRole('heading', { name: 'Regions for the board' }).first().waitFor();
      return (await page.getByText('given up').count()) === 0;
    });
    await check(named('the link of an answer leads to it from anywhere'), async () => {
      await choose('Copy link');
      const wrong = await copied(page, /#session\/[\w-]+\/[\w-]+$/);
      if (wrong !== null) return [`the clipboard holds ${wrong}`];
      const link = await page.evaluate(() => navigator.clipboard.readText());
      if (width < 800) await page.getByRole('tab', { name: 'Dialogue' }).click();
      await ask(page, 'orders by country');
      const here = () => turn('freight by country').evaluate((element) => element === document.activeElement);
      await page.evaluate((address) => (location.hash = new URL(address).hash), link);
      for (let i = 0; i < 200 && !(await here()); i++) await page.waitForTimeout(50);
      const within = await here();
      await page.goto(`${site}#data`);
      await page.getByRole('heading', { name: 'Data', exact: true }).waitFor();
      await page.goto(link);
      await turn('freight by country').waitFor();
      for (let i = 0; i < 200 && !(await here()); i++) await page.waitForTimeout(50);
      return within && (await here()) && !(await page.evaluate(() => location.hash.split('/')[2]));
    });
    await check(named('a link to what is not there says so'), async () => {
      const session = await page.evaluate(() => location.hash.split('/')[1]);
      await page.evaluate((id) => (location.hash = `#session/${id}/nothing`), session);
      await page.getByText('This session has no such answer.').waitFor();
    });
    await check(named('nothing went wrong'), () => trouble);
    await context.close();
  }
}
