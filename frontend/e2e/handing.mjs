// A session is handed over as a file, a page, a workbook or an address, and one that came is looked at before it lands.
import { readFile } from 'node:fs/promises';
import { ask, findings } from './browser.mjs';
import { clipped } from './looks.mjs';

export async function handing({ visit, site, browser, check, shot }) {
  await filed({ visit, check, shot });
  await read({ visit, site, browser, check, shot });
}

async function filed({ visit, check, shot }) {
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
    await choose('Hand over');
    await dialog.getByText('2 turns with their questions, queries, grades and steps').waitFor();
    await dialog.getByText(/columns with what names one person: .*contact_name/).waitFor();
    await shot(page, '99-handing');
    const found = await findings(page);
    await dialog.getByLabel(/With personal values masked/).check();
    await dialog.getByText(/^masked: .*contact_name/).waitFor();
    await dialog.getByLabel(/Left out/).check();
    await dialog.getByText('no rows', { exact: true }).waitFor();
    await dialog.getByText('the sentences of the answers, which stay and quote figures').waitFor();
    await dialog.getByText(/^no rows of .*contact_name/).waitFor();
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
    await page.getByText(/^Imported, unverified. It came with .* and stays as it came/).waitFor();
    await page.getByText('list customers with contact name').first().waitFor();
    for (const n of [1, 2]) {
      await page
        .getByRole('article', { name: `Question ${n}` })
        .getByText(/^Imported, unverified. It came with .*assay\..*key [0-9a-f]+/)
        .waitFor();
    }
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

async function read({ visit, site, browser, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 800 });
  const dialog = page.getByRole('dialog', { name: /^Hand over/ });
  const form = (name) => dialog.getByText(name, { exact: true });
  const begin = async () => {
    await page.keyboard.press('Control+Shift+e');
    await dialog.getByText('2 turns with their questions').waitFor();
  };
  const saved = async (button) => {
    const waiting = page.waitForEvent('download');
    await dialog.getByRole('button', { name: button }).click();
    const download = await waiting;
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  let session = '';

  await check('by its shortcut a session is handed over as a page that ends with a chosen question', async () => {
    await ask(page, 'revenue by category in 1997');
    await ask(page, 'list customers with contact name');
    session = await page.evaluate(() => location.hash.split('/')[1]);
    await begin();
    await form('Page to read').click();
    await dialog
      .getByRole('combobox', { name: 'Up to' })
      .selectOption({ label: 'Question 1: revenue by category in 1997' });
    await dialog.getByText('1 answer with its question').waitFor();
    await shot(page, '99-handing-page');
    const found = [...(await findings(page)), ...(await clipped(page))];
    const { name, bytes } = await saved('Save the page');
    await dialog.getByText(name).waitFor();
    const html = bytes.toString('utf8');
    if (!/^<!doctype html>/i.test(html)) return ['it is no page'];
    if (!html.includes('Beverages') || html.includes('Maria Anders')) return ['it does not end with the question'];
    return found;
  });
  await check('as a workbook it holds rows in any case', async () => {
    await form('File to go on from').click();
    await dialog.getByLabel(/Left out/).check();
    await form('Workbook').click();
    if ((await dialog.getByLabel(/Left out/).count()) > 0) return ['a workbook without rows can be chosen'];
    const masked = await dialog.getByLabel(/With personal values masked/).isChecked();
    await shot(page, '99-handing-workbook');
    const found = [...(await findings(page)), ...(await clipped(page))];
    const { name, bytes } = await saved('Save the workbook');
    const zip = name.endsWith('.xlsx') && bytes.subarray(0, 2).toString() === 'PK';
    return masked && zip ? found : [`masked: ${masked}, ${name}`];
  });
  await check('an address is made, said once, copied, and reads without signing in', async () => {
    await form('Address').click();
    await dialog.getByLabel(/With personal values masked/).check();
    await dialog.getByRole('combobox', { name: 'Up to' }).selectOption({ label: 'The last of 2 questions' });
    await dialog.getByRole('combobox', { name: 'It ends' }).selectOption({ label: 'After 7 days' });
    await dialog.getByRole('button', { name: 'Make the address' }).click();
    const field = dialog.getByLabel('The address', { exact: true });
    await field.waitFor();
    const url = await field.inputValue();
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await dialog.getByText('Copied').first().waitFor();
    const clipboard = await page.evaluate(() => navigator.clipboard.readText());
    await shot(page, '99-handing-address');
    const found = [...(await findings(page)), ...(await clipped(page))];
    const reader = await (await browser.newContext()).newPage();
    await reader.goto(url);
    await reader.getByText('list customers with contact name').first().waitFor();
    const body = await reader.content();
    await reader.context().close();
    await page.keyboard.press('Escape');
    await begin();
    await form('Address').click();
    await dialog.getByText(/opened once/).waitFor();
    const again = await dialog.getByLabel('The address', { exact: true }).count();
    return [
      ...found,
      ...(clipboard === url ? [] : ['another address was copied']),
      ...(body.includes('Maria Anders') ? ['personal values are not masked'] : []),
      ...(again === 0 ? [] : ['it is said twice']),
    ];
  });
  await check('revoking is asked about once, and the address shows nothing then', async () => {
    await dialog.getByRole('button', { name: 'Make the address' }).click();
    const url = await dialog.getByLabel('The address', { exact: true }).inputValue();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).first().click();
    await dialog.getByText(/It stops working at once/).scrollIntoViewIfNeeded();
    await shot(page, '99-handing-revoke');
    const found = [...(await findings(page)), ...(await clipped(page))];
    await dialog.getByRole('button', { name: 'Revoke it' }).click();
    await dialog.getByRole('button', { name: '1 that ended' }).click();
    await dialog
      .getByText(/revoked/)
      .last()
      .waitFor();
    const answer = await context.request.get(url);
    return answer.ok() ? ['it can be read'] : found;
  });
  for (const [name, options] of Object.entries({
    dark: { width: 1280, height: 800, scheme: 'dark' },
    narrow: { width: 380, height: 780, scheme: 'light' },
    smallest: { width: 320, height: 640, scheme: 'dark' },
  })) {
    await check(`every way of handing over reads well: ${name}`, async () => {
      const other = await visit(options);
      await other.page.goto(`${site}#session/${session}`);
      await other.page.getByRole('article', { name: 'Question 2' }).waitFor();
      await other.page.keyboard.press('Control+Shift+e');
      const opened = other.page.getByRole('dialog', { name: /^Hand over/ });
      const wrong = [];
      for (const one of ['File to go on from', 'Page to read', 'Workbook', 'Address']) {
        await opened.getByText(one, { exact: true }).click();
        await opened.getByText('the statements that ran').waitFor();
        await shot(other.page, `99-handing-${one.split(' ')[0].toLowerCase()}-${name}`);
        wrong.push(...(await findings(other.page)), ...(await clipped(other.page)));
      }
      wrong.push(...other.trouble);
      await other.context.close();
      return wrong;
    });
  }
  await check('nothing went wrong while a session was handed over to be read', () => trouble);
  await context.close();
}
