// A session is asked again, and answers that people rely on say whether they still hold when their data changes.
import { ask, drop, findings } from './browser.mjs';

const fees = (south) => `town,fee,day\nNorth,10.50,2025-01-01\nSouth,${south},2025-01-02\nNorth,5.00,2025-02-01\n`;

export async function replay({ visit, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 860 });
  const dialog = page.getByRole('dialog');
  const line = page.locator('[data-holding]');
  const replayed = async () => {
    await page.getByRole('button', { name: 'This session' }).click();
    await page.locator('.menu').getByText('Replay', { exact: true }).click();
    await dialog.getByText(/gives? the same:|could not be asked again/).waitFor();
  };

  await check('a session gives the same when it is asked again', async () => {
    await ask(page, 'revenue by category in 1997');
    await ask(page, 'and by month');
    await ask(page, 'what is the weather');
    await replayed();
    await dialog.getByText('All 3 turns give the same: rows, narration and chart.').waitFor();
    await shot(page, '95-replay');
    await dialog
      .getByRole('button', { name: /\d steps?/ })
      .first()
      .click();
    await dialog.getByRole('rowheader', { name: 'Execute' }).waitFor();
    await shot(page, '95-replay');
    return findings(page);
  });
  await check('what was replayed leaves no turn behind', async () => {
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.reload();
    await page.locator('article[aria-label^="Question"]').nth(2).waitFor();
    return (await page.locator('article[aria-label^="Question"]').count()) === 3;
  });
  await check('an answer that somebody relies on says so when its data changes', async () => {
    await page.getByRole('button', { name: 'New session' }).click();
    await drop(page, 'fees.csv', fees('20.25'));
    await page.getByRole('article', { name: 'Imported' }).waitFor();
    await ask(page, 'total fee by town');
    await page.getByRole('button', { name: 'Result menu' }).first().click();
    await page.locator('.menu').getByText('Pin to the top', { exact: true }).click();
    await page.getByLabel('Pinned').waitFor();
    await page.getByRole('button', { name: 'Data', exact: true }).click();
    await page.locator('button.item[data-table="fees"]').click();
    await page.getByRole('tab', { name: 'Source' }).click();
    await page
      .locator('input[type=file][aria-label="Replace with a newer file"]')
      .setInputFiles({ name: 'fees.csv', mimeType: 'text/csv', buffer: Buffer.from(fees('22.25')) });
    await page.getByRole('button', { name: 'Workspace', exact: true }).click();
    await page.getByRole('tab', { name: /Results/ }).click();
    await line.getByText('The data of fees is not that of then.').waitFor();
    await shot(page, '96-changed');
    return findings(page);
  });
  await check('asked again it says how far it moved, with both frames', async () => {
    await line.getByRole('button', { name: 'Ask again' }).click();
    await line.getByText('Moved by +9.9 %.').waitFor();
    const words = await line.innerText();
    await line.getByRole('button', { name: 'Then and now' }).click();
    await dialog.getByText('22.25').first().waitFor();
    await shot(page, '97-then-and-now');
    const found = await findings(page);
    await page.keyboard.press('Escape');
    return words.includes('South') ? found : [words];
  });
  await check('the replay names the step at which a session parts from its record', async () => {
    await replayed();
    await dialog.getByText('differs at Execute').waitFor();
    await dialog.getByText('Then and now').click();
    await dialog.getByText('22.25').first().waitFor();
    await shot(page, '98-replay-differs');
    const found = await findings(page);
    await page.setViewportSize({ width: 380, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await shot(page, '98-replay-differs-narrow');
    return [...found, ...(await findings(page)), ...trouble];
  });
  await context.close();
}
