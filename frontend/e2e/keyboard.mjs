// Everything that the window is for, without a mouse: nothing here clicks, hovers, or focuses by itself.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function keyboard({ visit, check, shot }) {
  const { context, page, trouble } = await visit({ width: 1280, height: 800 });
  const press = (...keys) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const at = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      return `${element?.getAttribute('aria-label') ?? ''} ${element?.textContent ?? ''} ${element?.id ?? ''} ${element?.getAttribute('role') ?? ''}`.trim();
    });
  const unseen = [];

  // The element with the focus must show it: an outline, or a look of its own.
  const look = async () => {
    const said = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return '';
      const shows = (one, pseudo) => {
        const style = getComputedStyle(one, pseudo);
        return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
      };
      // A radio button that is drawn by its label, a row by its cell, a field by its frame.
      const drawn = [element, element.parentElement, element.closest('label'), element.closest('form')];
      const field = /^(INPUT|TEXTAREA)$/.test(element.tagName) || element.isContentEditable;
      const marked = element.matches(
        '.narration button, [data-highlighted], [data-selected], h2[tabindex="-1"], [role="grid"], dialog *[tabindex="-1"]',
      );
      return drawn.some((one) => one && shows(one)) || field || marked ? '' : element.outerHTML.slice(0, 140);
    });
    if (said && !unseen.includes(said)) unseen.push(said);
  };

  /** Goes by Tab until something has the focus. */
  const tabTo = async (pattern, key = 'Tab', most = 120) => {
    for (let i = 0; i < most; i++) {
      await press(key);
      await look();
      if (typeof pattern === 'function' ? await page.evaluate(pattern) : pattern.test(await at())) return;
    }
    throw new Error(`${key} never comes to ${pattern}; it is on ${await at()}`);
  };
  const choose = async (item) => {
    await page.locator('.menu').waitFor();
    for (let i = 0; i < 40; i++) {
      const on = await page.evaluate(
        () => document.querySelector('.menu [data-highlighted]')?.textContent?.trim() ?? '',
      );
      if (item.test(on)) return press('Enter');
      await press('ArrowDown');
    }
    throw new Error(`the menu has no ${item}`);
  };
  /** Presses the key of a view's search and writes into its field, which may still be on its way. */
  const search = async (field, text) => {
    await page.getByRole('searchbox', { name: field }).waitFor();
    await press('/');
    await page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label') === name, field);
    await page.keyboard.type(text);
  };
  const command = async (title) => {
    await press('Control+k');
    await page.waitForFunction(() => document.activeElement?.matches('.palette-input'));
    await page.keyboard.type(title);
    const chosen = page.locator('.palette-item[data-selected] .title');
    await page.locator('.palette-item .title').getByText(title, { exact: true }).first().waitFor();
    for (let i = 0; (await chosen.first().textContent()) !== title; i++) {
      if (i === 30) throw new Error(`no arrow comes to ${title}`);
      await press('ArrowDown');
    }
    await press('Enter');
    await page.locator('.palette-input').waitFor({ state: 'hidden' });
  };
  /** Writes behind what stands in the question field, waits for its completions, closes them and sends it. */
  const send = async (text) => {
    const whole = ((await page.locator('#composer').inputValue()) + text).trim();
    const completed = page.waitForResponse(
      (one) => one.url().includes('api/complete') && new URL(one.url()).searchParams.get('q')?.trim() === whole,
    );
    await page.keyboard.type(text);
    await completed;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    if ((await page.getByRole('option').count()) > 0) await press('Escape');
    await press('Enter');
  };
  const asked = (question) => page.locator('article[aria-label^="Question"]', { hasText: question }).last();

  await check('keyboard: a completion is taken, and a question asked', async () => {
    await page.waitForFunction(() => document.activeElement?.id === 'composer');
    await page.keyboard.type('revenue by cate');
    await page.getByRole('option').first().waitFor();
    await press('Tab');
    const taken = await page.locator('#composer').inputValue();
    await press('Enter');
    await page.locator('article[aria-label^="Question"] .narration').first().waitFor();
    return /category/i.test(taken);
  });
  await check('keyboard: Up recalls the question, which is asked with another year', async () => {
    await press('ArrowUp');
    await page.waitForFunction(() => document.querySelector('#composer').value !== '');
    await press('End');
    await press('Backspace');
    await send('6');
    await asked('in 1996').locator('.narration').waitFor();
  });
  await check('keyboard: a run is stopped by Esc', async () => {
    await page.route('**/api/ask', () => undefined); // it is never answered
    await send('freight by month');
    await page.locator('form button[aria-label="Cancel"]').waitFor();
    await press('Escape');
    await asked('freight by month')
      .getByText(/stopped/i)
      .first()
      .waitFor();
    await page.unroute('**/api/ask');
    trouble.splice(0, trouble.length, ...trouble.filter((line) => !line.includes('ERR_')));
  });
  await check('keyboard: a number of the answer leads to its cell', async () => {
    await press('Control+j');
    await page.waitForFunction(() => document.activeElement?.id === 'composer');
    for (let i = 0; i < 60; i++) {
      await press('Shift+Tab');
      await look();
      if (await page.evaluate(() => document.activeElement?.closest('.narration') !== null)) break;
    }
    const number = await page.evaluate(
      () => document.activeElement?.closest('.narration') && document.activeElement.textContent,
    );
    await press('Enter');
    await page
      .locator('#panels [role="gridcell"]:is(.lit, .wanted, :focus), #panels [role="grid"] .lit')
      .first()
      .waitFor();
    return Boolean(number);
  });
  await check('keyboard: the provenance opens and closes', async () => {
    await press('Alt+1');
    await tabTo(/^Provenance/);
    await press('Enter');
    await page.locator('[aria-expanded="true"]', { hasText: 'Provenance' }).first().waitFor();
    await press('Enter');
    await page.locator('#panels [aria-expanded="true"]', { hasText: 'Provenance' }).waitFor({ state: 'hidden' });
  });
  await check('keyboard: the result menu copies rows and gives the keyboard back', async () => {
    await press('Alt+1');
    await tabTo(/^Result menu/);
    await press('Enter');
    await choose(/Copy rows as TSV/);
    await page.locator('.menu').waitFor({ state: 'hidden' });
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    return copied.includes('\t') && /^Result menu/.test(await at());
  });
  await check('keyboard: the chart editor changes the kind of chart', async () => {
    await press('Alt+1');
    await tabTo(/^Edit chart/);
    await press('Enter');
    await page.getByRole('combobox').first().waitFor();
    for (let i = 0; i < 12; i++) {
      await press('Tab');
      if (await page.evaluate(() => document.activeElement?.tagName === 'SELECT')) break;
    }
    const before = await page.evaluate(() => document.activeElement?.value);
    await press('ArrowDown');
    const after = await page.evaluate(() => document.activeElement?.value);
    await shot(page, '80-keyboard-chart');
    return before !== undefined && after !== before;
  });
  await check('keyboard: a range of cells is selected, summed and copied', async () => {
    await press('Alt+1');
    await tabTo(
      () =>
        document.activeElement?.closest('[role="grid"]') && !document.activeElement.closest('[role="columnheader"]'),
    );
    await press('ArrowDown', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await page.locator('#panels .says', { hasText: 'Sum' }).first().waitFor();
    await press('Control+c');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    await press('Tab');
    return (
      copied.trim().split('\n').length === 3 &&
      !(await page.evaluate(() => document.activeElement?.closest('[role="grid"]')))
    );
  });
  await check('keyboard: an opinion is given', async () => {
    await press('Control+j');
    await page.waitForFunction(() => document.activeElement?.id === 'composer');
    await tabTo(/^Good answer/, 'Shift+Tab');
    let keep;
    const closed = new Promise((resolve) => (keep = resolve));
    await page.route('**/api/requests/*/feedback', async (route) => {
      await closed; // an opinion that is still being kept takes the keyboard from nobody
      await route.continue();
    });
    const kept = page.waitForResponse('**/api/requests/*/feedback');
    await press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('.thumbs input')); // the form takes the keyboard when it is there, whatever is kept
    await press('Escape');
    const back = await at();
    keep();
    await kept;
    await page.unroute('**/api/requests/*/feedback');
    return /^Good answer/.test(back) && /^Good answer/.test(await at());
  });
  await check('keyboard: a file is imported by the file dialog', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'assay-keys-')), 'harbours.csv');
    writeFileSync(file, 'harbour,ships\nKiel,12\nOslo,30\n');
    const chooser = page.waitForEvent('filechooser');
    await command('Open files');
    await (await chooser).setFiles(file);
    await page.getByText('harbours', { exact: false }).first().waitFor();
  });
  await check('keyboard: the data view is gone through, to a table and its rows', async () => {
    await command('Data');
    await page.waitForFunction(() => location.hash.startsWith('#data'));
    await search('Search tables and columns', 'customers');
    await tabTo(() => document.activeElement?.getAttribute('data-table') === 'Customers');
    await press('Enter');
    await page
      .getByRole('heading', { name: /customers/i })
      .first()
      .waitFor();
  });
  await check('keyboard: a query is written and run', async () => {
    await command('Query');
    await page.locator('.cm-content').first().waitFor();
    await command('New Frame-QL query');
    for (let i = 0; i < 60; i++) {
      if (await page.evaluate(() => document.activeElement?.classList.contains('cm-content'))) break;
      await press('Tab');
    }
    await press('Control+a');
    await page.keyboard.type('SELECT revenue AT category_name');
    await press('Escape', 'Control+Enter');
    await page.getByRole('grid').first().waitFor();
    // Tab writes no tab into the editor and traps nobody: Esc, then Tab leaves it.
    await press('Escape', 'Tab');
    return page.evaluate(() => !document.activeElement?.classList.contains('cm-content'));
  });
  await check('keyboard: an object of the model is found and opened', async () => {
    await command('Model');
    await page.waitForFunction(() => location.hash.startsWith('#model'));
    await page.getByRole('combobox', { name: 'Kind of object' }).waitFor();
    await tabTo(/Search the model/);
    await page.keyboard.type('revenue');
    await tabTo(
      () => document.activeElement?.matches('button, a') && /^\s*revenue/i.test(document.activeElement.textContent),
    );
    await press('Enter');
    await page
      .getByRole('heading', { name: /revenue/i })
      .first()
      .waitFor();
  });
  await check('keyboard: a setting is found and changed', async () => {
    await press('Control+,');
    await page.getByText('Rules in force').waitFor();
    await search('Search settings', 'density');
    await press('Enter');
    await press('ArrowRight');
    await page.locator('html[data-density="compact"]').waitFor();
    await look();
    await press('ArrowLeft');
    await page.locator('html[data-density="comfortable"]').waitFor();
  });
  await check(
    'keyboard: the sessions open over everything, Esc closes them alone, and the keyboard is back',
    async () => {
      await press('Control+j');
      await page.waitForFunction(() => document.activeElement?.id === 'composer');
      await press('Control+b');
      await page.getByRole('dialog', { name: 'Sessions' }).locator('.open').first().waitFor();
      await tabTo(/^Search sessions/);
      await press('ArrowDown');
      await look();
      await press('Escape');
      await page.getByRole('dialog', { name: 'Sessions' }).waitFor({ state: 'hidden' });
      return /composer/.test(await at());
    },
  );
  await check('keyboard: the inbox and the shortcuts open, and Esc closes the topmost', async () => {
    await command('Inbox');
    await page.getByRole('dialog', { name: 'Inbox' }).waitFor();
    await press('Escape');
    await page.getByRole('dialog', { name: 'Inbox' }).waitFor({ state: 'hidden' });
    await press('F6', '?');
    const shortcuts = page.locator('dialog[open]');
    await shortcuts.getByText('Next part of the window').waitFor();
    await press('Escape');
    await shortcuts.waitFor({ state: 'hidden' });
  });
  await check('keyboard: Tab goes through the whole window and comes round: no trap', async () => {
    await press('Control+j');
    await page.waitForFunction(() => document.activeElement?.id === 'composer');
    let outside = false;
    for (let i = 0; i < 250; i++) {
      await press('Tab');
      await look();
      outside ||= await page.evaluate(() => document.activeElement === document.body);
      if (/composer/.test(await at())) return true;
    }
    throw new Error(`it is on ${await at()}${outside ? ', and was outside' : ''}`);
  });
  await check('keyboard: wherever it was, it could be seen', () => unseen);
  await check('keyboard: nothing went wrong', () => trouble);
  await context.close();
}
