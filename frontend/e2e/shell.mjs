// The frame around the views: the rail, the palette, the shortcuts, going back, and the settings.
import { ask, findings } from './browser.mjs';
import { clipped } from './looks.mjs';

export async function shell({ visit, site, check, shot }) {
  const { context, page, trouble } = await visit({ width: 1280, height: 800 });
  const palette = page.getByRole('dialog', { name: 'Do anything' });
  const settings = page.getByRole('region', { name: 'Settings', exact: true });
  const toSettings = () => page.getByRole('button', { name: 'Settings' }).click();
  const toWorkspace = () => page.getByRole('button', { name: 'Workspace' }).click();
  const zoomed = () => page.getByRole('combobox', { name: 'Zoom' });

  await check('the palette finds an action by a part of its name and does it', async () => {
    await page.keyboard.press('Control+k');
    await palette.getByRole('option', { name: 'New session' }).waitFor();
    const found = await findings(page);
    await shot(page, '40-palette');
    await page.keyboard.type('sett');
    await page.keyboard.press('Enter');
    await settings.waitFor();
    return found;
  });
  await check('Esc closes the palette and gives the focus back', async () => {
    await toWorkspace();
    await page.locator('#composer').focus();
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden' });
    return page.evaluate(() => document.activeElement?.id === 'composer');
  });
  await check('what is typed while the palette is on its way is looked for in it, and nowhere else', async () => {
    let come;
    const wanted = new Promise((done) => (come = done));
    await page.route('**/assets/Palette*.js', async (route) => {
      await wanted;
      await route.continue();
    });
    await page.reload();
    await page.locator('#composer').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('settings');
    come();
    await palette.getByRole('option', { name: /^Settings/ }).waitFor();
    const search = await palette.getByRole('combobox').inputValue();
    const elsewhere = await page.locator('#composer').inputValue();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden' });
    return search === 'settings' && elsewhere === '' ? [] : [`"${search}" and, in the question field, "${elsewhere}"`];
  });
  await check('? shows the shortcuts, and writes a question mark in the composer', async () => {
    await page.locator('#composer').fill('');
    await page.locator('#composer').press('?');
    const written = await page.locator('#composer').inputValue();
    await page.locator('#composer').fill('');
    await toSettings();
    await page.keyboard.press('?');
    const overlay = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await overlay.getByText('Search sessions').waitFor();
    await shot(page, '41-shortcuts');
    const found = await findings(page);
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'hidden' });
    return written === '?' ? found : false;
  });
  await check('a view is in the address, and going back goes to the one before', async () => {
    await toWorkspace();
    const turn = await ask(page, 'revenue by category in 1997');
    await toSettings();
    const there = new URL(page.url()).hash;
    await page.goBack();
    await turn.waitFor();
    return there === '#settings' && (await turn.isVisible());
  });
  await check('Ctrl+, opens the settings, which are clean for screen readers', async () => {
    await page.keyboard.press('Control+,');
    await settings.getByText('Rules in force').waitFor();
    await shot(page, '42-settings');
    return [...(await findings(page)), ...(await clipped(page))];
  });
  await check('the theme is changed by the arrow keys, at once', async () => {
    await page.getByRole('radio', { name: 'As the system' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.locator('html[data-theme="dark"]').waitFor();
    await shot(page, '43-settings-dark');
    const found = await findings(page);
    await page.getByRole('radio', { name: 'As the system' }).check({ force: true });
    return found;
  });
  await check('a setting outlives a reload', async () => {
    await page.getByRole('radio', { name: 'Compact' }).check({ force: true });
    const kept = page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.request().postDataJSON().name === 'Ana',
    );
    await page.getByRole('textbox', { name: 'Name' }).fill('Ana');
    await page.getByRole('textbox', { name: 'Name' }).press('Enter');
    await kept;
    await page.reload();
    await page.locator('html[data-density="compact"]').waitFor();
    return (await page.getByRole('textbox', { name: 'Name' }).inputValue()) === 'Ana';
  });
  await check('at 200 % everything is there and nothing is cut', async () => {
    await zoomed().selectOption('200');
    await toWorkspace();
    await page.locator('#composer').waitFor();
    await page.waitForTimeout(300);
    await shot(page, '44-zoom');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    await page.getByRole('button', { name: 'Light or dark' }).click();
    const menu = await page.getByRole('menuitem', { name: 'Dark' }).boundingBox();
    await page.keyboard.press('Escape');
    await toSettings();
    await zoomed().selectOption('100');
    return wide && menu !== null && menu.x >= 0 && menu.y >= 0 && menu.y + menu.height <= 800;
  });
  await check('numbers are written as the person chose', async () => {
    await page.getByRole('combobox', { name: 'Numbers and dates' }).selectOption('de-DE');
    await settings.getByText('1.234.567,89').waitFor();
    await toWorkspace();
    await page.getByText('103.924,31').first().waitFor();
    await toSettings();
    await page.getByRole('combobox', { name: 'Numbers and dates' }).selectOption('');
  });
  await check('a wish for review holds for the next question', async () => {
    await page.getByRole('button', { name: 'sales' }).click();
    await toWorkspace();
    const turn = await ask(page, 'revenue by country');
    await turn.getByText('waits for your word').waitFor();
    await toSettings();
    await page.getByRole('button', { name: 'sales' }).click();
  });
  await check('what is at stake is said beside a question, once', async () => {
    await toWorkspace();
    await page.getByRole('button', { name: 'What is at stake' }).click();
    await page.getByRole('menuitem', { name: 'Confirm first' }).click();
    await page.locator('.chip', { hasText: 'Confirm first' }).waitFor();
    await shot(page, '46-stakes');
    const turn = await ask(page, 'revenue by country in 1997');
    await turn.getByText('This has not run yet.').waitFor();
    const gone = (await page.locator('form + .stakes').count()) === 0;
    await toSettings();
    return gone;
  });
  await check('a limit that cannot be is not kept, and the field says so', async () => {
    const field = page.getByRole('spinbutton', { name: 'Seconds that a statement may take' });
    await field.fill('0');
    await field.press('Enter');
    const bad = await field.evaluate((element) => !element.validity.valid);
    await page.reload();
    return (
      bad && (await page.getByRole('spinbutton', { name: 'Seconds that a statement may take' }).inputValue()) === '60'
    );
  });
  await check('diagnostics are copied, without data', async () => {
    await settings.getByRole('button', { name: 'Copy', exact: true }).click();
    await settings.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    return copied.tables > 0 && !JSON.stringify(copied).includes('Customers');
  });
  await check('settings fit a narrow window, light and dark', async () => {
    const trouble = [];
    for (const scheme of ['light', 'dark']) {
      const narrow = await visit({ width: 380, height: 800, scheme });
      await narrow.page.goto(`${site}#settings`);
      await narrow.page.getByText('Rules in force').waitFor();
      await shot(narrow.page, `45-settings-380-${scheme}`);
      trouble.push(...(await clipped(narrow.page)), ...(await findings(narrow.page)), ...narrow.trouble);
      await narrow.context.close();
    }
    return trouble;
  });
  await check('the frame: nothing went wrong', async () => {
    await page.getByRole('radio', { name: 'Comfortable' }).check({ force: true });
    await page.getByRole('textbox', { name: 'Name' }).fill('');
    await page.getByRole('textbox', { name: 'Name' }).press('Enter');
    await page.waitForTimeout(200);
    return trouble;
  });
  await context.close();
}
