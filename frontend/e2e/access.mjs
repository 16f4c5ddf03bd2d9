// axe-core, every impact, in every view and state, light and dark.
import { ask, findings } from './browser.mjs';

export async function access({ visit, site, check }) {
  for (const scheme of ['light', 'dark']) {
    const { context, page, trouble } = await visit({ width: 1280, height: 800, scheme });
    const clean = (name, reach) =>
      check(`axe (${scheme}): ${name}`, async () => {
        await reach();
        return findings(page);
      });
    const close = async () => {
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('dialog[open], .menu'));
    };
    const menu = (name, label) =>
      clean(name, async () => {
        await page.getByRole('button', { name: label }).first().click();
        await page.locator('.menu').waitFor();
      }).then(close);

    await clean('an empty workspace', () => page.getByRole('heading', { level: 1 }).waitFor());
    await clean('an answer', () => ask(page, 'revenue by category in 1997'));
    await clean('its provenance', () =>
      page
        .getByRole('button', { name: /^Provenance/ })
        .first()
        .click(),
    );
    await clean('a chart over time', () => ask(page, 'revenue by month in 1997'));
    await clean('the chart editor', () =>
      page
        .getByRole('button', { name: /^Edit chart/ })
        .first()
        .click(),
    );
    await clean('a question back', () => ask(page, 'revenue of Wubbleberry in 1997'));
    await clean('a refusal', () => ask(page, 'salary by employee'));
    await clean('what waits', () => ask(page, 'revenue by country, please confirm before executing'));
    await clean('an opinion', () => page.getByRole('button', { name: 'Not a good answer' }).first().click());
    await menu('the result menu', 'Result menu');
    await menu('the menu of stakes', 'What is at stake');
    await menu('the menu of themes', 'Light or dark');
    await clean('the palette', async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Commands' }).or(page.locator('dialog[open]')).first().waitFor();
    });
    await close();
    await clean('the shortcuts', async () => {
      await page.locator('h1').first().click();
      await page.keyboard.press('?');
      await page.locator('dialog[open]').waitFor();
    });
    await close();
    await clean('the sessions', async () => {
      await page.keyboard.press('Control+b');
      await page.getByRole('dialog', { name: 'Sessions' }).locator('.open').first().waitFor();
    });
    await close();
    await clean('the inbox', async () => {
      await page.getByRole('button', { name: /^Inbox/ }).click();
      await page.getByRole('dialog', { name: 'Inbox' }).waitFor();
    });
    await close();
    await clean('exporting', async () => {
      await page.keyboard.press('Control+e');
      await page.getByRole('dialog', { name: 'Export a result' }).waitFor();
    });
    await close();
    const view = (name, hash, sign) =>
      clean(name, async () => {
        await page.goto(`${site}#${hash}`);
        await sign.first().waitFor();
      });
    const main = page.locator('main:not([hidden])');
    await view('the data view', 'data', main.getByText('Orders'));
    await view('a table of the data view', 'data/Orders', main.getByText('ShipCountry'));
    await view('the query page', 'query', main.locator('.cm-content'));
    await view('the model', 'model', main.getByRole('combobox', { name: 'Kind of object' }));
    await view(
      'an object of the model',
      `model/${encodeURIComponent('entity/orders')}`,
      main.getByRole('heading', { name: /orders/i }),
    );
    const shared = main.getByRole('searchbox', { name: 'Search shared knowledge' });
    await view('what is shared', 'review', shared.or(main.getByRole('heading', { name: 'Nothing is shared yet' })));
    await view('the settings', 'settings', main.getByText('Rules in force'));
    await check(`axe (${scheme}): nothing went wrong`, () => trouble);
    await context.close();
  }
}
