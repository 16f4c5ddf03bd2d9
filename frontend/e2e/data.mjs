// The data view: tables that can be searched, their profiles and rows, the facts of their files, and what can be done with those.
import { drop, findings, looksOf } from './browser.mjs';
import { clipped } from './looks.mjs';

const sales =
  'sale;day;town;amount;email\n' +
  Array.from(
    { length: 40 },
    (_, n) =>
      `${n + 1};${String((n % 28) + 1).padStart(2, '0')}.01.2025;${n % 3 ? 'Rome' : 'Paris'};${n},5;p${n}@example.org`,
  ).join('\n') +
  '\n';

const file = (name, text) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

export async function data({ visit, site, check, shot }) {
  const { page, trouble } = await visit({ width: 1280, height: 800 });
  const tree = page.getByRole('navigation', { name: 'Tables and columns' });
  const tab = (name) => page.getByRole('tab', { name });
  const dialog = page.getByRole('dialog');
  const chooser = (label) => page.locator(`input[type=file][aria-label="${label}"]`);

  await check('the data view lists every table with its rows', async () => {
    await page.getByRole('button', { name: 'Data', exact: true }).click();
    await tree.locator('button.item[data-table="Orders"]').getByText('830').waitFor();
    await shot(page, '60-data');
    return findings(page);
  });
  await check('a column is found by its name, and opens its table there', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('freight');
    await tree.getByRole('button', { name: /^Freight/ }).click();
    await page.locator('tr[data-column="Freight"] button[aria-expanded="true"]').waitFor();
    const address = new URL(page.url()).hash;
    await page.getByRole('searchbox').fill('');
    return address === '#data/Orders';
  });
  await check('a profile has types, shares, ranges and distributions, and no value of a personal column', async () => {
    await page.locator('tr[data-column="Freight"] svg[role=img]').waitFor();
    const freight = await page.locator('tr[data-column="Freight"]').innerText();
    const name = await page.locator('tr[data-column="ShipName"]').innerText();
    await page.getByRole('button', { name: /^ShipName/ }).click();
    await page.getByText('Holds personal values (person name)').waitFor();
    await shot(page, '61-profile');
    const wrong = ['decimal', '0%', '799', '0.02', '1,007.64', '78.24'].filter((fact) => !freight.includes(fact));
    return [...wrong, ...(/90/.test(name) && /Personal/.test(name) ? [] : [name]), ...(await findings(page))];
  });
  await check('a value is asked about with one click', async () => {
    await page.getByRole('button', { name: /^ShipCountry/ }).click();
    await page.getByRole('button', { name: 'Ask about Germany' }).click();
    await page.locator('article[aria-label^="Question"]').last().locator('.narration').waitFor();
    const asked = await page.locator('article[aria-label^="Question"]').last().innerText();
    await page.goBack();
    await page.getByRole('heading', { name: 'Orders', exact: true, level: 2 }).waitFor();
    return /Germany/.test(asked);
  });
  await check('all rows of a table are in a grid', async () => {
    await tab('Rows').click();
    await page.getByRole('grid', { name: 'Rows of Orders' }).waitFor();
    await page.getByText('830 rows', { exact: true }).waitFor();
    await page.getByText('Personal columns are left out: ShipName, ShipAddress.').waitFor();
    await shot(page, '62-rows');
    return findings(page);
  });
  await check(
    'a file is looked at before it is imported: delimiter, date order and decimal mark are told',
    async () => {
      await chooser('Look at files before importing').setInputFiles(file('sales.csv', sales));
      await dialog.getByText('Recognised as csv').waitFor();
      await dialog.getByText('written as DD.MM.YYYY').waitFor();
      await dialog.getByLabel('Columns parted by').waitFor();
      await shot(page, '63-look');
      const chosen = await dialog.getByLabel('Columns parted by').inputValue();
      const serious = await findings(page);
      return serious.length > 0 ? serious : chosen === ';';
    },
  );
  await check('another delimiter shows at once what it would do, and one click goes back', async () => {
    await dialog.getByLabel('Columns parted by').selectOption(',');
    await dialog.getByLabel('Name of the column sale;day;town;amount;email').waitFor();
    await dialog.getByRole('button', { name: 'Back to as recognised' }).click();
    await dialog.getByLabel('Type of the column amount').waitFor();
  });
  await check('a column gets a type and a name, and a type that does not fit is refused with the value', async () => {
    await dialog.getByLabel('Type of the column sale').selectOption('text');
    await dialog.getByRole('button', { name: 'Back to as recognised' }).waitFor();
    await dialog.getByLabel('Name of the column town').fill('city');
    await dialog.getByLabel('Name of the column town').press('Tab');
    await dialog.getByLabel('Type of the column city').selectOption('integer');
    await dialog.getByText('cannot be read').first().waitFor();
    await shot(page, '64-look-refused');
    const blocked = await dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled();
    await dialog.getByLabel('Type of the column city').selectOption('text');
    await dialog.getByText('cannot be read').first().waitFor({ state: 'hidden' });
    trouble.splice(0, trouble.length, ...trouble.filter((line) => !line.includes('400')));
    return blocked;
  });
  await check('it is imported as it was looked at, with questions to start with', async () => {
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    const card = page.getByRole('article', { name: 'Imported' });
    await card.waitFor();
    const questions = await card.locator('.questions button').count();
    await shot(page, '65-imported');
    await card.getByRole('button', { name: 'sales', exact: true }).click();
    await page.locator('tr[data-column="city"]').waitFor();
    const sale = await page.locator('tr[data-column="sale"]').innerText();
    return questions > 0 && questions <= 3 && sale.includes('text');
  });
  await check('the source says what was read and how', async () => {
    await tab('Source').click();
    await page.getByText('Changed by hand').waitFor();
    await page.getByText('Semicolon').waitFor();
    await shot(page, '66-source');
    return findings(page);
  });
  await check('a source is renamed', async () => {
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name of the source').fill('Sales of January');
    await page.keyboard.press('Enter');
    await tree.getByText('Sales of January').waitFor();
  });
  await check('it is read another way after the import, and answers follow', async () => {
    await page.getByRole('button', { name: 'Read it another way' }).click();
    await dialog.getByLabel('Type of the column sale').selectOption('integer');
    await dialog.getByRole('button', { name: 'Read it like this' }).click();
    await tab(/^Columns/).click();
    await page.locator('tr[data-column="sale"]').getByText('integer').waitFor();
  });
  await check('a newer file takes its place', async () => {
    await tab('Source').click();
    await chooser('Replace with a newer file').setInputFiles(
      file('sales.csv', sales + '41;01.02.2025;Rome;3,5;x@example.org\n'),
    );
    await page.getByText('41 rows, 5 columns').waitFor();
  });
  await check('a removed source is gone, its questions are refused, and it comes back', async () => {
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Sales of January was removed.').waitFor();
    const gone = (await tree.locator('button.item[data-table="sales"]').count()) === 0;
    const answer = await page.request.post(new URL('api/ask', site).href, {
      data: { frame_ql: 'SELECT sales.amount FROM sales' },
      headers: { Origin: new URL(site).origin },
    });
    const refused = !(await answer.text()).includes('"outcome":"answer"');
    await shot(page, '67-removed');
    await page.getByRole('button', { name: 'Undo' }).click();
    await tree.locator('button.item[data-table="sales"]').waitFor();
    return gone && refused;
  });
  await check('values that do not fit are said before the import and after it', async () => {
    await chooser('Look at files before importing').setInputFiles(
      file('counts.csv', 'n,what\n1,a\n2,b\nmany,c\n4,d\n'),
    );
    await dialog.getByLabel('Type of the column n').selectOption('integer');
    await dialog.getByText('1 of 4 values is not').first().waitFor();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('article', { name: 'Imported' }).getByText('1 of 4 values is not').first().waitFor();
    await shot(page, '68-rejected');
    return findings(page);
  });
  await check('a drop on the lower strip looks at the file first', async () => {
    const transfer = await page.evaluateHandle(() => {
      const held = new DataTransfer();
      held.items.add(new File(['a,b\n1,2\n'], 'dropped.csv', { type: 'text/csv' }));
      return held;
    });
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
    await page.getByText('Drop here to look at it first').waitFor();
    await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer, clientX: 600, clientY: 760 });
    await page.dispatchEvent('body', 'drop', { dataTransfer: transfer, clientX: 600, clientY: 760 });
    await dialog.getByText('dropped.csv').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });
  await check('of two files the one that cannot be read is named, and the other is in', async () => {
    await page
      .locator('input[type=file][aria-label="Open files"]')
      .setInputFiles([
        file('fine.csv', 'k,v\n1,2\n'),
        { name: 'broken.parquet', mimeType: 'application/octet-stream', buffer: Buffer.from('PAR1 nothing') },
      ]);
    await page.getByText('broken.parquet was not imported').waitFor();
    await page.getByRole('article', { name: 'Imported' }).getByText('fine.csv').waitFor();
    await shot(page, '69-two-files');
  });
  await check('the data view needs no mouse', async () => {
    await page.goto(`${site}#data`);
    await page.getByRole('searchbox').waitFor();
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    const opened = await page.evaluate(
      () => document.activeElement?.closest('li')?.querySelector('.turn')?.getAttribute('aria-expanded') === 'true',
    );
    await page.keyboard.press('Enter');
    await page.getByRole('tablist', { name: 'Parts of the table' }).waitFor();
    return opened;
  });
  await check('the data view is whole in every size and theme', async () => {
    const wrong = [];
    const sizes = looksOf(
      [
        ['dark-1920', { width: 1920, height: 1080, scheme: 'dark' }],
        ['light-320', { width: 320, height: 640 }],
      ],
      [
        ['light-1920', { width: 1920, height: 1080 }],
        ['dark-1280', { width: 1280, height: 800, scheme: 'dark' }],
      ],
    );
    for (const [name, size] of sizes) {
      const other = await visit(size);
      await other.page.goto(`${site}#data/Orders`);
      await other.page.reload();
      await other.page.locator('tr[data-column="Freight"] .figures').first().waitFor();
      await other.page.waitForFunction(() => document.querySelectorAll('tr[data-column] .number').length > 0);
      await shot(other.page, `70-data-${name}`);
      wrong.push(...(await findings(other.page)).map((one) => `${name}: ${one}`));
      wrong.push(...(await clipped(other.page)).map((one) => `${name}: ${one}`));
      wrong.push(...other.trouble);
      await other.context.close();
    }
    return wrong;
  });
  await check('an import by a drop still takes one step', async () => {
    await page.goto(site);
    await page.locator('#composer').waitFor();
    const called = await drop(page, 'towns.csv', 'town,people\nRome,3\nParis,2\n');
    await page.getByRole('article', { name: 'Imported' }).getByText('towns.csv').waitFor();
    return called;
  });
  await check('nothing went wrong in the data view', async () => trouble.filter((line) => !line.includes('404')));
}
