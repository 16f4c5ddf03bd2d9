// Takes a picture of every view, light and dark, 1280 and 1920 wide, into E2E_SHOTS, and puts them all on one sheet.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ask, camera } from './browser.mjs';

export async function screenshots({ visit, site, browser, folder }) {
  const shot = camera(folder);
  for (const width of [1280, 1920])
    for (const scheme of ['light', 'dark']) {
      const { context, page } = await visit({ width, height: width === 1280 ? 800 : 1000, scheme });
      const take = (name) => shot(page, `view-${name}-${width}-${scheme}`);
      const place = async (hash, ready) => {
        await page.goto(`${site}#${hash}`);
        await ready.waitFor();
      };
      await page.reload();
      await page.getByRole('button', { name: /New session/ }).click();
      await take('01-welcome');
      await ask(page, 'revenue by category in 1997');
      await take('02-answer');
      await page.getByRole('button', { name: 'Provenance' }).first().click();
      await take('03-provenance');
      await ask(page, 'monthly revenue by country as a line chart');
      await take('04-chart');
      await ask(page, 'revenue by category in 1997 for the board');
      await take('05-waiting');
      await ask(page, 'freight by product');
      await take('06-refusal');
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Do anything' }).waitFor();
      await take('07-palette');
      await page.keyboard.press('Escape');
      await place(
        'data/Orders',
        page
          .getByRole('tab', { name: /Columns/ })
          .or(page.getByText('Distribution'))
          .first(),
      );
      await page.waitForTimeout(1500);
      await take('08-data');
      await place('query', page.locator('.cm-content').first());
      await take('09-query');
      await place('model', page.locator('svg .node').first());
      await take('10-model');
      await place('settings', page.getByText('Rules in force'));
      await take('11-settings');
      await context.close();
    }
  await sheet(browser, folder);
}

// One page with every picture under its name, which is photographed whole.
async function sheet(browser, folder) {
  const names = readdirSync(folder)
    .filter((name) => name.startsWith('view-') && name.endsWith('.png'))
    .sort();
  const figure = (name) => {
    const bytes = readFileSync(join(folder, name)).toString('base64');
    return `<figure><img src="data:image/png;base64,${bytes}"><figcaption>${name.slice(5, -4)}</figcaption></figure>`;
  };
  const page = await browser.newPage({ viewport: { width: 2400, height: 1200 } });
  const path = join(folder, 'contact-sheet.html');
  writeFileSync(
    path,
    `<style>body{display:grid;grid-template-columns:repeat(4,1fr);gap:16px;font:14px sans-serif}img{width:100%;border:1px solid #999}figure{margin:0}</style>${names.map(figure).join('')}`,
  );
  await page.goto(pathToFileURL(path).href);
  await page.screenshot({ path: join(folder, 'contact-sheet.png'), fullPage: true });
  await page.close();
  console.log(`${names.length} pictures on ${join(folder, 'contact-sheet.png')}`);
}
