// The same page in other sizes and in the dark: nothing clipped, nothing serious for axe.
import { ask, findings, looksOf } from './browser.mjs';

/** What is cut off or makes the page scroll sideways, in words. */
export const clipped = (page) =>
  page.evaluate(() => {
    const wide = document.documentElement.scrollWidth > innerWidth + 1 ? ['the page scrolls sideways'] : [];
    const cut = [...document.querySelectorAll('button, h1, h2, h3, .chip')].filter((element) => {
      const box = element.getBoundingClientRect();
      const shown =
        box.width > 0 && box.height > 0 && !element.closest('[role=grid], .visually-hidden, [aria-hidden=true]');
      return shown && (box.right > innerWidth + 1 || box.left < -1);
    });
    return [...wide, ...cut.map((element) => `outside: ${element.textContent?.trim().slice(0, 40)}`)];
  });

export async function looks({ visit, check, shot }) {
  const sizes = looksOf(
    [
      { name: '1920-light', width: 1920, height: 1080, scheme: 'light' },
      { name: '768-light', width: 768, height: 900, scheme: 'light' },
      { name: '375-dark', width: 375, height: 780, scheme: 'dark' },
    ],
    [
      { name: '1280-dark', width: 1280, height: 800, scheme: 'dark' },
      { name: '1920-dark', width: 1920, height: 1080, scheme: 'dark' },
    ],
  );
  for (const size of sizes) {
    const { context, page, trouble } = await visit(size);
    const narrow = size.width <= 800;
    await check(`${size.name}: first view`, async () => {
      await page.getByRole('heading', { name: 'Northwind', level: 2 }).waitFor();
      await shot(page, `${size.name}-1-welcome`);
      return [...(await findings(page)), ...(await clipped(page))];
    });
    await check(`${size.name}: dialogue`, async () => {
      const turn = await ask(page, 'revenue by category in 1997');
      await turn.locator('.narration').waitFor();
      await shot(page, `${size.name}-2-dialogue`);
      return [...(await findings(page)), ...(await clipped(page))];
    });
    await check(`${size.name}: completions`, async () => {
      const field = page.locator('#composer');
      await field.pressSequentially('freight by c');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await shot(page, `${size.name}-2-completions`);
      const found = [...(await findings(page)), ...(await clipped(page))];
      await page.keyboard.press('Escape');
      await field.fill('');
      return found;
    });
    await check(`${size.name}: results and provenance`, async () => {
      if (narrow)
        await page
          .getByRole('tab', { name: /^Results/ })
          .first()
          .click();
      await page.locator('.chart svg').first().waitFor();
      await shot(page, `${size.name}-3-results`);
      await page
        .getByRole('button', { name: /^Provenance/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Trace' }).scrollIntoViewIfNeeded();
      await shot(page, `${size.name}-4-provenance`);
      return [...(await findings(page)), ...(await clipped(page))];
    });
    await check(`${size.name}: a chart fits its panel`, async () => {
      const over = await page
        .locator('.chart')
        .first()
        .evaluate((element) => {
          const drawing = element.querySelector('svg')?.getBoundingClientRect();
          return drawing ? drawing.width - element.getBoundingClientRect().width : Infinity;
        });
      return Math.abs(over) < 4;
    });
    await check(`${size.name}: nothing went wrong`, () => trouble);
    await context.close();
  }

  const { context, page } = await visit({ width: 1280, height: 800, scheme: 'light' });
  await check('the theme is chosen by hand and remembered', async () => {
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await shot(page, 'theme-menu');
    await page.getByRole('menuitem', { name: 'Dark', exact: true }).click();
    const chosen = await page.evaluate(() => document.documentElement.dataset.theme);
    await page.reload();
    await page.locator('#composer').waitFor();
    return chosen === 'dark' && (await page.evaluate(() => document.documentElement.dataset.theme)) === 'dark';
  });
  await context.close();
}
