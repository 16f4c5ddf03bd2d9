// A reading is changed by its chips, a question is asked in another way in its place, its versions are stepped through and
// compared, and what is typed is underlined.
import { ask, findings } from './browser.mjs';
import { clipped } from './looks.mjs';

const menu = (page) => page.locator('.part-menu');
const chip = (turn, kind) =>
  turn
    .getByRole('list', { name: 'How the question was read' })
    .getByRole('button')
    .filter({ has: turn.page().locator('.kind', { hasText: new RegExp(`^${kind}$`) }) });
const reading = (turn) => turn.getByRole('list', { name: 'How the question was read' });

/** Waits until nothing runs. */
const settled = (page) =>
  page.waitForFunction(
    () =>
      !document.querySelector('form button[aria-label="Cancel"]') &&
      !document.querySelector('article .steps [role="progressbar"]'),
  );

export async function readings({ visit, site, check, shot }) {
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 320],
  ]) {
    const { context, page, trouble } = await visit({ width, height: 800, scheme });
    const named = (what) => `${what} (${scheme}, ${width} wide)`;
    const turns = page.locator('article[aria-label^="Question"]');

    await check(named('what is typed is underlined by what it is, and nothing moves'), async () => {
      const field = page.locator('#composer');
      const before = await page.locator('form:has(#composer)').boundingBox();
      await field.fill('😀 top 5 categories by revenue in Germany in 1997 wibble');
      await page.locator('.under .mark.unread').waitFor();
      const marks = await page
        .locator('.under .mark')
        .evaluateAll((all) => all.map((mark) => [mark.dataset.kind, mark.textContent]));
      const kinds = new Map(marks.map(([kind, text]) => [text, kind]));
      await page.keyboard.press('Escape');
      await shot(page, `60-underlined-${scheme}-${width}`);
      const after = await page.locator('form:has(#composer)').boundingBox();
      const summary = await page.locator('#composer-understood').textContent();
      const lines = await page.locator('#composer').evaluate((element) => Math.round((element.scrollHeight - 8) / 20));
      const right =
        kinds.get('revenue') === 'metric' &&
        kinds.get('Germany') === 'value' &&
        kinds.get('wibble') === 'unread' &&
        summary.includes('revenue: number') &&
        (await field.getAttribute('aria-describedby')) === 'composer-understood';
      return right && (lines > 1 || Math.abs(before.y - after.y) < 1)
        ? findings(page)
        : [JSON.stringify([marks, summary, before, after])];
    });
    await check(named('the lines stand under their words while the text wraps and scrolls'), async () => {
      const field = page.locator('#composer');
      await field.fill(`revenue by category${'\n'.repeat(18)}in 1997`);
      await page.waitForFunction(() => document.querySelectorAll('.under .mark').length > 1);
      await field.evaluate((element) => (element.scrollTop = element.scrollHeight));
      await page.waitForFunction(() => document.querySelector('.under .text').style.transform !== 'translateY(0px)');
      const off = await page.evaluate(() => {
        const field = document.querySelector('#composer');
        const text = document.querySelector('.under .text');
        const style = (element) => getComputedStyle(element);
        const same = ['fontSize', 'fontFamily', 'lineHeight', 'letterSpacing', 'wordSpacing', 'fontWeight'].filter(
          (name) => style(field)[name] !== style(text)[name],
        );
        const width = text.getBoundingClientRect().width - field.clientWidth;
        const height = text.getBoundingClientRect().height - field.scrollHeight;
        const top = text.getBoundingClientRect().top - (field.getBoundingClientRect().top - field.scrollTop);
        return { same, width, height, top };
      });
      await field.fill('');
      return off.same.length === 0 && Math.abs(off.width) < 1 && Math.abs(off.height) < 1 && Math.abs(off.top) < 1
        ? []
        : [JSON.stringify(off)];
    });
    await check(named('a chip is changed by the keyboard, and the answer stands in its place'), async () => {
      const turn = await ask(page, 'revenue by category in 1997');
      await chip(turn, 'measure').focus();
      await page.keyboard.press('Enter');
      await menu(page).getByRole('option', { name: 'Orders', exact: true }).waitFor();
      await shot(page, `61-chip-menu-${scheme}-${width}`);
      const found = await findings(page);
      await page.keyboard.type('orders');
      await page.waitForFunction(() => document.querySelectorAll('.part-menu [role="option"]').length < 12);
      const options = menu(page).getByRole('option');
      for (let n = 0; n < 12; n++) {
        const at = await options.evaluateAll((all) =>
          all.findIndex((option) => option.getAttribute('aria-selected') === 'true'),
        );
        if ((await options.nth(Math.max(at, 0)).locator('.label').textContent()) === 'Orders') break;
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
      await reading(turns.last()).getByText('Orders').waitFor();
      await turns.last().getByText('2 of 2').waitFor();
      await settled(page);
      await shot(page, `62-version-${scheme}-${width}`);
      return (await turns.count()) === 1 ? found : ['it became a turn at the end'];
    });
    await check(named('a member is chosen beside another one, and a condition is added and left out'), async () => {
      const turn = turns.last();
      await turn.getByRole('button', { name: 'Add to the question' }).click();
      await menu(page).getByRole('option', { name: 'A condition', exact: true }).click();
      await menu(page).getByRole('combobox').fill('country');
      await menu(page)
        .getByRole('option', { name: /^Country/ })
        .first()
        .click();
      await menu(page).getByRole('combobox').fill('germ');
      await menu(page).getByRole('option', { name: 'Germany' }).waitFor();
      await page.keyboard.press('Enter');
      await reading(turn).getByText('country = Germany').waitFor();
      await settled(page);
      await chip(turn, 'where').click();
      await menu(page).getByRole('combobox').fill('fran');
      await menu(page).getByRole('option', { name: 'France' }).waitFor();
      await shot(page, `63-members-${scheme}-${width}`);
      await page.keyboard.press('Shift+Enter');
      await reading(turn).getByText('IN (Germany, France)').waitFor();
      await settled(page);
      await chip(turn, 'where').click();
      await menu(page).getByRole('button', { name: 'Leave it out' }).click();
      await turn.getByText('5 of 5').waitFor();
      await settled(page);
      return (await chip(turn, 'where').count()) === 0;
    });
    await check(named('a period and a comparison are chosen'), async () => {
      const turn = turns.last();
      await chip(turn, 'period').click();
      await menu(page).getByRole('option', { name: 'Q2 1997' }).waitFor();
      await shot(page, `64-periods-${scheme}-${width}`);
      await menu(page).getByRole('option', { name: 'Q2 1997' }).click();
      await reading(turn).getByText('1997-Q2').waitFor();
      await settled(page);
      await turn.getByRole('button', { name: 'Add to the question' }).click();
      await menu(page).getByRole('option', { name: 'A comparison' }).click();
      await menu(page).getByRole('option', { name: 'the period before' }).click();
      await reading(turn).getByText('PREVIOUS PERIOD').waitFor();
      await settled(page);
      return (await turns.count()) === 1;
    });
    await check(named('Esc closes a menu, and the chip has the keyboard again'), async () => {
      const metric = chip(turns.last(), 'measure');
      await metric.focus();
      await page.keyboard.press('Enter');
      await menu(page).getByRole('option').first().waitFor();
      await page.keyboard.press('Escape');
      await menu(page).waitFor({ state: 'detached' });
      return metric.evaluate((element) => element === document.activeElement);
    });
    await check(
      named('versions are stepped through by the keyboard, and a reload shows the one that was chosen'),
      async () => {
        const turn = turns.last();
        let kept = 0;
        page.on('response', (response) => (kept += response.url().endsWith('/choose') ? 1 : 0));
        await turn.getByRole('button', { name: 'Version before' }).focus();
        await page.keyboard.press('Enter');
        await turn.getByText('6 of 7').waitFor();
        await page.keyboard.press('ArrowLeft');
        await turn.getByText('5 of 7').waitFor();
        const words = await turn.locator('h2').textContent();
        while (kept < 2) await page.waitForTimeout(50);
        await page.reload();
        await turn.getByText('5 of 7').waitFor();
        return (await turn.locator('h2').textContent()) === words;
      },
    );
    await check(named('a question is edited in its place; Esc gives up'), async () => {
      const turn = turns.last();
      await turn.focus();
      await turn.getByRole('button', { name: 'Edit and ask' }).focus();
      await page.keyboard.press('Enter');
      const field = turn.getByRole('textbox', { name: 'Edit and ask' });
      await field.fill('nonsense');
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
      await turn.getByRole('button', { name: 'Edit and ask' }).click();
      await field.fill('revenue by country in 1996');
      await shot(page, `65-editing-${scheme}-${width}`);
      const found = await findings(page);
      await page.keyboard.press('Enter');
      await turn.getByText('8 of 8').waitFor();
      await reading(turn).getByText('Country', { exact: true }).waitFor();
      await settled(page);
      return (await turns.count()) === 1 ? found : ['it became a turn at the end'];
    });
    await check(
      named('what is asked next goes on from the version that stands there, and takes over only what it does not say'),
      async () => {
        const turn = await ask(page, 'revenue by country in 1996');
        const again = await turn.getByRole('list', { name: 'carried over' }).count();
        const next = await ask(page, 'only Germany');
        await next.getByRole('list', { name: 'carried over' }).getByText('1996').waitFor();
        return again === 0;
      },
    );
    await check(named('a card shows what changed between its versions'), async () => {
      if (width < 800) await page.getByRole('tab', { name: /Results/ }).click();
      const card = page.locator('ol > li').filter({ hasText: '8 of 8' }).last();
      await card.getByRole('button', { name: 'What changed' }).click();
      const lines = page.getByRole('region', { name: 'How the query differs from the version before' });
      await lines.getByText('DURING 1996').waitFor();
      await lines.scrollIntoViewIfNeeded();
      await shot(page, `66-changes-${scheme}-${width}`);
      const group = page.getByRole('group', { name: 'Versions of this answer' });
      await group.getByRole('button', { name: 'Version before' }).focus();
      await page.keyboard.press('Enter');
      await group.getByText('7 of 8').waitFor();
      return [...(await findings(page)), ...(await clipped(page))];
    });
    await check(named('"Ask again" stands in its place too'), async () => {
      const card = page.locator('ol > li').filter({ hasText: '7 of 8' }).last();
      await card.getByRole('button', { name: 'Result menu' }).first().click();
      await page.getByRole('menuitem', { name: 'Ask again' }).click();
      await page.getByRole('group', { name: 'Versions of this answer' }).getByText('9 of 9').waitFor();
    });
    await check(named('without suggestions nothing is underlined'), async () => {
      if (width < 800) await page.getByRole('tab', { name: 'Dialogue' }).click();
      await page.goto(`${site}#settings`);
      const suggestions = page.getByRole('switch', { name: /[Ss]uggest/ }).first();
      const turn = async () => {
        const kept = page.waitForResponse(
          (one) => one.url().endsWith('/api/settings') && one.request().method() !== 'GET' && one.ok(),
        );
        await suggestions.click();
        await kept; // the checks behind this one are of the same person
      };
      await turn();
      await page.goto(`${site}#workspace`);
      await page.locator('#composer').fill('revenue by category');
      const asked = await page
        .waitForRequest((request) => request.url().includes('/api/glance'), { timeout: 600 })
        .catch(() => null);
      await page.goto(`${site}#settings`);
      await turn();
      return asked === null;
    });
    await check(named('nothing went wrong on the way'), () => trouble);
    await context.close();
  }
}
