// Numbers that a page which takes them for doubles would show wrongly: the grid shows all of their digits, sorted by the last one.
import { findings, freshQuery } from './browser.mjs';

const numbers = [
  ['9007199254740993::BIGINT', '9007199254740993'],
  ['9007199254740992::BIGINT', '9007199254740992'],
  ['9223372036854775807::BIGINT', '9223372036854775807'],
  ['(-9223372036854775808)::BIGINT', '-9223372036854775808'],
  ['18446744073709551615::UBIGINT', '18446744073709551615'],
  ['170141183460469231731687303715884105727::HUGEINT', '170141183460469231731687303715884105727'],
  ["'1234567890123456789012345678.0123456789'::DECIMAL(38,10)", '1234567890123456789012345678.0123456789'],
  ['(-0.0)::DOUBLE', '0'],
];
const next = ['9007199254740995', '9007199254740993', '9007199254740994', '9007199254740992'];

export async function digits({ visit, site, check, shot }) {
  const { context, page, trouble } = await visit({ width: 1280, height: 800 });
  const grid = page.locator('main:not([hidden])').getByRole('grid').first();
  const cells = async () =>
    (await grid.getByRole('gridcell').allInnerTexts()).map((text) => text.trim().replaceAll(',', ''));

  /** Runs a SELECT on the query page. */
  async function run(statement) {
    await page.locator('.cm-content').click();
    await page.getByText('SQL', { exact: true }).click();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(statement);
    await page.keyboard.press('Control+Enter');
  }

  await check('digits: the largest numbers of every type stand in a grid with all of their digits', async () => {
    await page.goto(`${site}#query`);
    await freshQuery(page);
    await run(
      `SELECT ${numbers.map(([sql], at) => `${sql} AS c${at}`).join(', ')} FROM categories LIMIT 1`,
    );
    await grid.getByText('18446744073709551615').or(grid.getByText('18,446,744,073,709,551,615')).waitFor();
    await shot(page, '97-digits');
    const shown = new Set(await cells());
    return [...numbers.filter(([, text]) => !shown.has(text)).map(([, text]) => text), ...(await findings(page))];
  });
  await check('digits: numbers that are the same double are sorted apart', async () => {
    await run(`SELECT * FROM (VALUES ${next.map((n) => `(${n}::BIGINT)`).join(', ')}) AS t(n)`);
    await grid.getByText('9007199254740995').or(grid.getByText('9,007,199,254,740,995')).waitFor();
    await grid
      .getByRole('columnheader')
      .first()
      .click({ position: { x: 12, y: 10 } });
    await grid.locator('[role=columnheader][aria-sort=descending]').waitFor();
    const shown = (await cells()).filter((text) => next.includes(text));
    return shown.join() === [...next].sort().reverse().join() || shown;
  });
  await check('digits: nothing went wrong', () => trouble);
  await context.close();
}
