// A session is handed over as a file, and one that came is looked at before it lands.
import { readFile } from 'node:fs/promises';
import { ask, findings } from './browser.mjs';

export async function handing({ visit, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 860 });
  const dialog = page.getByRole('dialog');
  const choose = async (item) => {
    await page.getByRole('button', { name: 'This session' }).click();
    await page.locator('.menu').getByText(item, { exact: true }).click();
  };
  const picker = page.locator('input[type=file][aria-label="Open files"]').first();
  let file = { name: '', mimeType: 'application/octet-stream', buffer: Buffer.alloc(0) };

  await check('before a session is exported, what the file would hold is said', async () => {
    await ask(page, 'revenue by category in 1997');
    await ask(page, 'list customers with contact name');
    await choose('Export as a file');
    await dialog.getByText('2 turns with their questions, queries, grades and steps').waitFor();
    await dialog.getByText(/columns with what names one person: .*contact_name/).waitFor();
    await shot(page, '99-handing');
    const found = await findings(page);
    await dialog.getByLabel(/With personal values masked/).check();
    await dialog.getByText(/^masked: .*contact_name/).waitFor();
    await dialog.getByLabel(/Left out/).check();
    await dialog.getByText('no rows', { exact: true }).waitFor();
    await dialog.getByLabel(/As they are/).check();
    return found;
  });
  await check('it is signed under a name, and saved', async () => {
    await dialog.getByLabel('Sign it').check();
    await dialog.getByLabel('As', { exact: true }).fill('A. Nalyst');
    await dialog.getByLabel('As', { exact: true }).press('Tab');
    const waiting = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save the file' }).click();
    const download = await waiting;
    file = { ...file, name: download.suggestedFilename(), buffer: await readFile(await download.path()) };
    await dialog.getByText(file.name).waitFor();
    await page.keyboard.press('Escape');
    return file.name.endsWith('.assay') && file.buffer.subarray(0, 2).toString() === 'PK';
  });
  await check('a session file is looked at before it lands', async () => {
    await picker.setInputFiles(file);
    await dialog.getByText(/^Signed with your own key/).waitFor();
    await dialog.getByText('list customers with contact name').waitFor();
    await shot(page, '99-arriving');
    const found = await findings(page);
    await dialog.getByRole('button', { name: 'Leave it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    return found;
  });
  await check('an imported session stays as it came, and is gone on from in a branch', async () => {
    await picker.setInputFiles(file);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported, unverified.').waitFor();
    await page.getByText('list customers with contact name').first().waitFor();
    const closed = (await page.locator('#composer').count()) === 0;
    await shot(page, '99-imported');
    const found = await findings(page);
    await page.getByRole('button', { name: 'Go on in a branch' }).click();
    await page.locator('#composer').waitFor();
    await ask(page, 'revenue by country in 1997');
    return closed ? found : ['an imported session can be asked in'];
  });
  await check('what is no session is refused with a sentence, in the dark and on a narrow screen', async () => {
    await page.setViewportSize({ width: 380, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await picker.setInputFiles({ ...file, name: 'no.assay', buffer: Buffer.from('<script>alert(1)</script>') });
    await dialog.getByText('This is not a session file of Assay.').waitFor();
    await shot(page, '99-refused-narrow');
    const found = await findings(page);
    await dialog.getByRole('button', { name: 'Leave it' }).click();
    await picker.setInputFiles(file);
    await dialog.getByText('This very file is here already.').waitFor();
    await shot(page, '99-arriving-narrow');
    const again = await findings(page);
    await dialog.getByRole('button', { name: 'Leave it' }).click();
    trouble.splice(0, trouble.length, ...trouble.filter((line) => !line.includes('400')));
    return [...found, ...again, ...trouble];
  });
  await context.close();
}
