// Conditions are written in their chips: operator and values by the type of the column, refused where they cannot be, with
// nothing lost; how many are kept, the order, the unit of time and what was carried over change in place too.
import { ask, findings } from './browser.mjs';
import { clipped } from './looks.mjs';

const menu = (page) => page.locator('.part-menu');
const form = (page) => menu(page).locator('form');
const reading = (turn) => turn.getByRole('list', { name: 'How the question was read' });
const chip = (turn, kind) =>
  reading(turn)
    .getByRole('button')
    .filter({ has: turn.page().locator('.kind', { hasText: new RegExp(`^${kind}$`) }) });
const field = (page, name) => form(page).getByLabel(name, { exact: true });
const operator = (page) => form(page).locator('select').first();
const version = (turn, n) => turn.getByText(`${n} of ${n}`).waitFor();

/** Waits until nothing runs. */
const settled = (page) =>
  page.waitForFunction(
    () =>
      !document.querySelector('form button[aria-label="Cancel"]') &&
      !document.querySelector('article .steps [role="progressbar"]'),
  );

/** Waits until the list holds what was looked for, and nothing else. */
const listing = (page, words) =>
  page.waitForFunction((looked) => {
    const all = [...document.querySelectorAll('.part-menu [role="option"]')];
    const label = (one) => one.querySelector('.label').textContent.toLowerCase();
    return (
      all.length > 0 && label(all[0]) === looked && all.every((one) => one.textContent.toLowerCase().includes(looked))
    );
  }, words.toLowerCase());

/** Opens the menu of what may be added, by the keyboard alone, and takes an entry of it. */
async function add(turn, kind, find) {
  const page = turn.page();
  const button = turn.getByRole('button', { name: 'Add to the question' });
  await button.focus();
  await page.keyboard.press('Enter');
  await menu(page).getByRole('option', { name: kind, exact: true }).waitFor();
  await page.keyboard.type(kind);
  await listing(page, kind);
  await page.keyboard.press('Enter');
  await menu(page).getByRole('button', { name: 'Back' }).waitFor();
  await menu(page).getByRole('option').first().waitFor();
  await page.keyboard.type(find);
  await listing(page, find);
  await page.keyboard.press('Enter');
}

export async function conditions({ visit, check, shot }) {
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 320],
  ]) {
    const { context, page, trouble } = await visit({ width, height: 800, scheme });
    const named = (what) => `${what} (${scheme}, ${width} wide)`;
    const turns = page.locator('article[aria-label^="Question"]');
    const looked = async () => [...(await findings(page)), ...(await clipped(page))];

    await check(named('a condition over an amount is added by the keyboard alone, with its unit'), async () => {
      const turn = await ask(page, 'order count by country in 1997');
      await add(turn, 'A condition', 'Freight charge');
      await field(page, 'Value').waitFor();
      await operator(page).selectOption('lt');
      await field(page, 'Value').focus();
      await page.keyboard.type('12x');
      await page.keyboard.press('Enter');
      await form(page).getByRole('alert').getByText('"12x" is no number').waitFor();
      await shot(page, `70-condition-number-${scheme}-${width}`);
      const found = await looked();
      const kept =
        (await field(page, 'Value').inputValue()) === '12x' &&
        (await field(page, 'Value').getAttribute('aria-invalid')) === 'true' &&
        (await form(page).getByText('in USD').count()) === 1 &&
        (await operator(page).inputValue()) === 'lt';
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Enter');
      await version(turns.last(), 2);
      await reading(turns.last()).getByText('freight_charge < 12').waitFor();
      await settled(page);
      return kept ? found : ['what was written is lost'];
    });
    await check(
      named('an amount becomes a range; one that ends before it begins is refused at its field'),
      async () => {
        const turn = turns.last();
        await chip(turn, 'where').click();
        await operator(page).selectOption('between');
        await field(page, 'from').fill('50');
        await field(page, 'to').fill('5');
        await field(page, 'to').press('Enter');
        await form(page).getByRole('alert').getByText('ends at 5, before it begins at 50').waitFor();
        const at = await field(page, 'to').evaluate((element) => element === document.activeElement);
        await shot(page, `71-condition-range-${scheme}-${width}`);
        await field(page, 'to').fill('500');
        await field(page, 'to').press('Enter');
        await reading(turn).getByText('BETWEEN 50 AND 500').waitFor();
        await version(turn, 3);
        await settled(page);
        return at;
      },
    );
    await check(named('a day is chosen in a field of days; one that never was is refused'), async () => {
      const turn = turns.last();
      await add(turn, 'A condition', 'Ship date');
      const day = field(page, 'Value');
      await day.waitFor();
      const typed = (await day.getAttribute('type')) === 'date';
      await operator(page).selectOption('gt');
      await day.focus();
      await page.keyboard.type('02311997');
      await page.keyboard.press('Enter');
      await form(page).getByRole('alert').getByText('There is no such day').waitFor();
      await shot(page, `72-condition-day-${scheme}-${width}`);
      const found = await looked();
      await day.fill('1997-02-28');
      await day.press('Enter');
      await reading(turn).getByText('shipped_date > 1997-02-28').waitFor();
      await version(turn, 4);
      await settled(page);
      return typed ? found : ['no field of days'];
    });
    await check(
      named('a text is searched, with values that are suggested; a megabyte is refused and stays'),
      async () => {
        const turn = turns.last();
        await add(turn, 'A condition', 'Job title');
        await menu(page)
          .getByRole('option', { name: /^Contains, begins with/ })
          .click();
        const text = field(page, 'Value');
        await text.waitFor();
        await text.fill('x'.repeat(1 << 20));
        await text.press('Enter');
        await form(page).getByRole('alert').getByText('at most 2000 characters').waitFor();
        const kept = await text.evaluate((element) => element.value.length === 1 << 20);
        await text.fill('sales m');
        await menu(page).getByRole('option', { name: 'Sales Manager' }).waitFor();
        await shot(page, `73-condition-text-${scheme}-${width}`);
        const found = await looked();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.waitForFunction(() => document.querySelector('.part-menu form input').value === 'Sales Manager');
        await page.keyboard.press('Enter');
        await reading(turn).getByText('CONTAINS Sales Manager').waitFor();
        await version(turn, 5);
        await settled(page);
        return kept ? found : ['what was written is lost'];
      },
    );
    await check(named('a value that is nowhere is refused, and nothing is lost'), async () => {
      const turn = turns.last();
      const last = chip(turn, 'where').last();
      await last.click();
      await operator(page).selectOption('eq');
      await field(page, 'Value').fill('Astronaut');
      await field(page, 'Value').press('Enter');
      await menu(page).getByRole('alert').getByText('Astronaut').waitFor();
      const kept = (await field(page, 'Value').inputValue()) === 'Astronaut';
      await page.keyboard.press('Escape');
      await menu(page).waitFor({ state: 'detached' });
      return kept && (await turns.last().getByText('5 of 5').count()) === 1;
    });
    await check(named('a column is asked for what is empty, and a condition is left out by the keyboard'), async () => {
      const turn = turns.last();
      await chip(turn, 'where').last().focus();
      await page.keyboard.press('Enter');
      await operator(page).waitFor();
      await operator(page).selectOption('not_null');
      if ((await field(page, 'Value').count()) > 0) return ['a field for no value'];
      await form(page).getByRole('button', { name: 'Apply' }).focus();
      await page.keyboard.press('Enter');
      await reading(turn).getByText('IS NOT NULL').waitFor();
      await version(turn, 6);
      await settled(page);
      await chip(turn, 'where').last().click();
      await menu(page).getByRole('button', { name: 'Leave it out' }).focus();
      await page.keyboard.press('Enter');
      await version(turn, 7);
      await settled(page);
      return (await reading(turn).getByText('IS NOT NULL').count()) === 0;
    });
    await check(named('a condition over the result is added, changed and left out'), async () => {
      const turn = turns.last();
      await add(turn, 'A condition on the result', 'Orders');
      await field(page, 'Value').waitFor();
      await page.keyboard.type('3');
      await page.keyboard.press('Enter');
      await reading(turn).getByText('order_count >= 3').waitFor();
      await version(turn, 8);
      await settled(page);
      await chip(turn, 'keep').click();
      await operator(page).selectOption('le');
      await field(page, 'Value').fill('4');
      await shot(page, `74-condition-result-${scheme}-${width}`);
      await field(page, 'Value').press('Enter');
      await reading(turn).getByText('order_count <= 4').waitFor();
      await version(turn, 9);
      await settled(page);
      await chip(turn, 'keep').click();
      await menu(page).getByRole('button', { name: 'Leave it out' }).click();
      await version(turn, 10);
      await settled(page);
      return (await chip(turn, 'keep').count()) === 0 && (await turns.count()) === 1;
    });
    await check(named('how many are kept, from which end and by which number'), async () => {
      const turn = await ask(page, 'top 5 products by revenue in 1997');
      const top = chip(turns.last(), 'top');
      await top.focus();
      await page.keyboard.press('Enter');
      await menu(page).getByRole('option', { name: 'the 10 highest' }).waitFor();
      await page.keyboard.type('7');
      await menu(page).getByRole('option', { name: 'the 7 highest' }).waitFor();
      await menu(page).getByRole('option').nth(1).waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await version(turns.last(), 2);
      await settled(page);
      await top.click();
      await menu(page).getByRole('option', { name: 'the 7 lowest' }).click();
      await version(turns.last(), 3);
      await settled(page);
      await top.click();
      const ranked = menu(page).getByRole('group', { name: 'Ranked by' });
      await ranked.getByRole('option', { name: /^Units sold/ }).click();
      await version(turns.last(), 4);
      await reading(turns.last())
        .getByText(/7 .* BY units_sold ASC/)
        .waitFor();
      await settled(page);
      return (await turn.count()) === 1;
    });
    await check(named('time is cut by another unit in its chip'), async () => {
      await ask(page, 'revenue by month in 1997');
      const turn = turns.last();
      for (const [n, unit] of ['quarter', 'week', 'year', 'day'].entries()) {
        await chip(turn, 'by').click();
        const time = menu(page).getByRole('group', { name: 'By time' });
        await time.getByRole('option', { name: unit, exact: true }).click();
        await version(turn, n + 2);
        await settled(page);
      }
      return (await turns.count()) === 3;
    });
    await check(named('what was carried over is left out in its place, and what was dropped comes back'), async () => {
      await ask(page, 'revenue by category in Germany in 1997');
      const next = await ask(page, 'by customer instead');
      const carried = next.getByRole('list', { name: 'carried over' }).getByRole('button', { name: /1997/ });
      await shot(page, `75-carried-${scheme}-${width}`);
      await carried.focus();
      await page.keyboard.press('Enter');
      await version(turns.last(), 2);
      await settled(page);
      const without = (await chip(turns.last(), 'period').count()) === 0;
      const place = (await turns.count()) === 5;
      const last = await ask(page, 'freight by shipper');
      const dropped = last.getByRole('list', { name: 'left behind' }).getByRole('button', { name: /Germany/ });
      await dropped.waitFor();
      const found = await looked();
      await dropped.click();
      await version(turns.last(), 2);
      await reading(turns.last()).getByText('country = Germany').waitFor();
      await settled(page);
      return without && place && (await turns.count()) === 6 ? found : ['it became a turn at the end'];
    });
    await check(
      named('nothing went wrong on the way'),
      () => trouble.filter((one) => !one.includes('status of 400')), // what was refused, above
    );
    await context.close();
  }
}
