// Sessions that go on from a turn or a result of another one, and the tree that they are.
import { ask, findings } from './browser.mjs';
import { clipped } from './looks.mjs';

export async function branching({ visit, site, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 800 });
  const drawer = page.getByRole('dialog', { name: 'Branches' });
  const rows = drawer.getByRole('treeitem');
  const turn = (n) => page.getByRole('article', { name: `Question ${n}`, exact: true });
  const session = () => page.evaluate(() => location.hash.split('/')[1]);
  const on = (words) =>
    page.waitForFunction((want) => document.activeElement?.getAttribute('aria-label')?.includes(want), words);
  const fromMenu = async (item) => {
    await page.getByRole('button', { name: 'This session' }).click();
    await page.locator('.menu').getByText(item, { exact: true }).click();
  };
  let parent = '';

  await check('a session without branches says how one is begun', async () => {
    await ask(page, 'freight by shipper in 1997');
    await ask(page, 'orders by employee in 1997');
    parent = await session();
    await fromMenu('Branches');
    await drawer.getByText(/Nothing goes on from this session yet/).waitFor();
    await on('in view');
    const found = await findings(page);
    await page.keyboard.press('Escape');
    return found;
  });
  await check('a branch goes on from a turn, and says where it comes from', async () => {
    await turn(1).hover();
    await turn(1).getByRole('button', { name: 'Branch from here' }).click();
    await page.getByText(/^Branched from “.*”, after question 1$/).waitFor();
    if ((await session()) === parent) return ['the address is that of the session before'];
    await ask(page, 'freight by month in 1997');
    await shot(page, '95-branch');
    return findings(page);
  });
  await check('another one goes on from a result, by the menu of its card', async () => {
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.getByText(/^Branched from/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Result menu' }).first().click();
    await page.locator('.menu').getByText('Branch from here', { exact: true }).click();
    await page.getByText(/^Branched from “.*”, at a result of question 2$/).waitFor();
    await ask(page, 'orders by country in 1997');
  });
  await check('the tree shows the family, and is walked, folded and opened by keyboard', async () => {
    await page.getByRole('button', { name: 'All branches' }).click();
    await on('in view');
    const levels = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-level')).join(''));
    if (levels !== '122') return [`levels ${levels}`];
    await shot(page, '95-tree');
    const found = [...(await findings(page)), ...(await clipped(page))];
    await page.keyboard.press('Home');
    await on('2 questions');
    await page.keyboard.press('ArrowLeft');
    await rows.nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await on('after question 1');
    await page.keyboard.press('Enter');
    await drawer.waitFor({ state: 'hidden' });
    await page.getByText(/after question 1$/).waitFor();
    return found;
  });
  await check('what was deleted stands in the tree by its name, and cannot be opened', async () => {
    await page.keyboard.press('Control+b');
    const list = page.getByRole('dialog', { name: 'Sessions' });
    const row = list.locator(`.session:has([data-session="${parent}"])`);
    await row.hover();
    await row.getByRole('button', { name: 'Delete', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Branches');
    await page.getByRole('option', { name: 'Branches' }).first().click();
    await on('in view');
    await rows.first().getByText('deleted').waitFor();
    const closed = (await rows.first().getAttribute('aria-disabled')) === 'true';
    await shot(page, '95-tree-gone');
    const found = await findings(page);
    await rows.first().click({ force: true });
    const stays = await drawer.isVisible();
    await page.keyboard.press('Escape');
    return closed && stays ? found : ['a deleted session can be opened'];
  });
  for (const [name, options] of Object.entries({
    dark: { width: 1280, height: 800, scheme: 'dark' },
    narrow: { width: 380, height: 780, scheme: 'light' },
    smallest: { width: 320, height: 640, scheme: 'dark' },
  })) {
    await check(`the tree reads well: ${name}`, async () => {
      const other = await visit(options);
      await other.page.goto(`${site}#session/${await session()}`);
      await other.page.getByRole('button', { name: 'All branches' }).click();
      await other.page.getByRole('treeitem').nth(2).waitFor();
      await shot(other.page, `95-tree-${name}`);
      const wrong = [...(await findings(other.page)), ...(await clipped(other.page)), ...other.trouble];
      await other.context.close();
      return wrong;
    });
  }
  await check('nothing went wrong with branches', () => trouble);
  await context.close();
}
