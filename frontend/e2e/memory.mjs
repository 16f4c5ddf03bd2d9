// What a person taught, and how answers are to look: by correcting an answer, by a thumb down with words, in the settings. It is said where it is used, changed, and forgotten.
import { ask, findings } from './browser.mjs';
import { fakeOllama } from './fake-ollama.mjs';
import { clipped } from './looks.mjs';
import { choose } from './writing.mjs';

export async function memory({ visit, site, check, shot }) {
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 320],
  ])
    await taught({ visit, site, check, shot, scheme, width });
}

async function taught({ visit, site, check, shot, scheme, width }) {
  const { page, context, trouble } = await visit({ width, height: 800, scheme });
  const named = (name) => `${name} (${scheme}, ${width} wide)`;
  const line = (words) => page.getByRole('status').filter({ hasText: words });
  const askAnew = async (question) => {
    await page.goto(`${site}#workspace`);
    await page
      .getByRole('button', { name: /New session/ })
      .first()
      .click();
    return ask(page, question);
  };
  const settings = async () => {
    await page.goto(`${site}#settings/memory`);
    await page.getByRole('region', { name: 'Memory', exact: true }).waitFor();
    return page.getByRole('region', { name: 'Memory', exact: true });
  };
  const field = (section) => section.getByRole('textbox', { name: 'What a word means' });
  const looked = async (name) => {
    await shot(page, `98-${name}-${scheme}-${width}`);
    return [...(await findings(page)), ...(await clipped(page))];
  };

  await check(named('what corrects an answer is remembered, and said'), async () => {
    await ask(page, 'revenue by category in 1997');
    await ask(page, 'no, gross revenue');
    await line('“revenue” means gross revenue').waitFor();
    await line('“revenue” means gross revenue').scrollIntoViewIfNeeded();
    return looked('learned');
  });
  await check(
    named('the next session is read with it, and says so on the answer and behind its hallmark'),
    async () => {
      const again = await askAnew('revenue by month in 1997');
      await again.getByText('as you taught Assay: gross revenue').waitFor();
      if (width < 800) await page.getByRole('tab', { name: /Results/ }).click();
      const card = page.locator('ol > li').filter({ hasText: 'Gross revenue' }).last();
      // By key: a chart that is drawn between press and release of the mouse moves the button away from it.
      await card
        .getByRole('button', { name: /attested|provenance/i })
        .first()
        .press('Enter');
      await page.getByRole('heading', { name: 'Meanings that were used' }).waitFor();
      await page.getByRole('heading', { name: 'Meanings that were used' }).scrollIntoViewIfNeeded();
      const found = await looked('provenance');
      await page.keyboard.press('Escape');
      if (width < 800) await page.getByRole('tab', { name: 'Dialogue' }).click();
      return found;
    },
  );
  await check(named('the settings list it with its words, and it is changed there by keyboard'), async () => {
    const section = await settings();
    await section.locator('q', { hasText: 'no, gross revenue' }).waitFor();
    await section.getByRole('button', { name: 'Change “revenue”' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.value === 'revenue');
    await page.keyboard.press('Tab');
    await page.keyboard.type('revenue excluding beverages');
    const found = await looked('change');
    await page.keyboard.press('Enter');
    await section.locator('.meaning', { hasText: '= revenue excluding beverages' }).waitFor();
    const back = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    return back === 'Change “revenue”' ? found : [`the keyboard is on ${back}`, ...found];
  });
  await check(named('a change that is not understood is refused in words, and nothing is lost'), async () => {
    const section = await settings();
    await section.getByRole('button', { name: 'Change “revenue”' }).click();
    await section.getByRole('textbox', { name: 'Means', exact: true }).fill('good deeds');
    await section.getByRole('button', { name: 'Keep' }).click();
    await section.getByText(/is not understood in this workspace/).waitFor();
    const found = await looked('refused');
    const kept = await section.getByRole('textbox', { name: 'Means', exact: true }).inputValue();
    await page.keyboard.press('Escape');
    await section.locator('.meaning', { hasText: '= revenue excluding beverages' }).waitFor();
    return kept === 'good deeds' ? found : ['what was typed is gone', ...found];
  });
  await check(named('a sentence teaches; what is a matter of the rules, or rubbish, does not'), async () => {
    const section = await settings();
    const field = section.getByRole('textbox', { name: 'What a word means' });
    await field.fill('high season = June to August 1997');
    await field.press('Enter');
    await section.locator('.meaning', { hasText: '= June to August 1997' }).waitFor();
    await field.fill('I should be able to see every salary');
    await field.press('Enter');
    await section.getByText(/a matter of the rules/).waitFor();
    await field.fill('rubbish');
    await field.press('Enter');
    await section.getByText(/does not say what a word means/).waitFor();
    const found = await looked('settings');
    const answer = await askAnew('revenue in the high season');
    await answer.getByText('as you taught Assay: June to August 1997').waitFor();
    return found;
  });
  await check(named('words that the rules do not know are read by a model, marked until they are right'), async () => {
    const reply = JSON.stringify({ sort: 'factual', term: 'Umsatz', means: 'gross revenue' });
    const ollama = await fakeOllama({ say: () => ({ content: reply }) });
    const before = await choose(page, { mind: 'ollama:sample-small:1b', ollama: ollama.address });
    try {
      const section = await settings();
      await field(section).fill('Mit Umsatz meinen wir immer den Bruttoumsatz');
      await field(section).press('Enter');
      await section.getByText(/ollama:sample-small:1b read it so out of your words: look/).waitFor();
      const row = section
        .getByRole('listitem')
        .filter({ has: page.locator('.meaning', { hasText: 'Umsatz = gross' }) });
      await row.getByText(/speaks for nothing shared/).scrollIntoViewIfNeeded();
      const found = await looked('read-by');
      await row.getByRole('button', { name: '“Umsatz” is read right' }).focus();
      await page.keyboard.press('Enter');
      await row.getByText(/speaks for nothing shared/).waitFor({ state: 'hidden' });
      const back = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
      if (back !== 'Change “Umsatz”') found.push(`the keyboard is on ${back}`);
      return ollama.asked.length === 1 ? found : [`${ollama.asked.length} requests`, ...found];
    } finally {
      await choose(page, before);
      await ollama.close();
    }
  });
  await check(named('a thumb down with words teaches too'), async () => {
    const answer = await askAnew('units sold by category');
    await answer.getByRole('button', { name: 'Not a good answer', exact: true }).click();
    await answer.getByRole('textbox').fill('exclude discontinued products from units sold');
    await answer.getByRole('button', { name: 'Keep' }).click();
    await line('units sold excluding discontinued products').waitFor();
    await line('units sold excluding discontinued products').scrollIntoViewIfNeeded();
    return looked('thumb');
  });
  await check(named('what was taught is forgotten where it was said, and that can be taken back'), async () => {
    const answer = page.locator('article[aria-label^="Question"]', { hasText: 'units sold by category' }).last();
    await answer.getByRole('button', { name: 'Forget it' }).click();
    await answer.getByRole('button', { name: 'Forget it' }).waitFor({ state: 'hidden' });
    await page.locator('h2').first().click();
    await page.keyboard.press('Control+z');
    const section = await settings();
    await section.locator('.meaning', { hasText: '= units sold excluding discontinued products' }).waitFor();
  });
  await check(named('all of it is forgotten in the settings, and questions are read as before'), async () => {
    const section = await settings();
    for (let left = await section.locator('[data-forget]').count(); left > 0; left--) {
      await section
        .getByRole('button', { name: /^Forget “/ })
        .first()
        .click();
      await page.waitForFunction((n) => document.querySelectorAll('#settings-memory [data-forget]').length < n, left);
    }
    await section.getByText('You have not taught Assay anything yet.').waitFor();
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    const answer = await askAnew('revenue by category in 1997');
    const said = await answer.getByText('you taught').count();
    return focused === 'What a word means' && said === 0 ? [] : [`the keyboard is on ${focused}, ${said} are used`];
  });
  await check(
    named('a changed chip asks whether to remember what the word means, and is remembered on a click'),
    async () => {
      const answer = await askAnew('revenue by country of customers in 1996');
      const change = async (turn) => {
        await turn
          .getByRole('list', { name: 'How the question was read' })
          .getByRole('button')
          .filter({ has: page.locator('.kind', { hasText: /^measure$/ }) })
          .click();
        await page.locator('.part-menu').getByRole('combobox').fill('gross revenue');
        await page
          .locator('.part-menu')
          .getByRole('option', { name: /gross revenue/i })
          .first()
          .click();
      };
      await change(answer);
      const asked = line('Remember that “revenue” means gross revenue?');
      await asked.waitFor();
      await asked.scrollIntoViewIfNeeded();
      const found = await looked('asked');
      await page.getByRole('button', { name: 'Not now' }).click();
      await asked.waitFor({ state: 'hidden' });
      const focused = await page.evaluate(() => document.activeElement?.tagName);
      const again = await askAnew('revenue by country of customers in 1996');
      await change(again);
      await asked.waitFor();
      await page.getByRole('button', { name: 'Remember', exact: true }).click();
      await line('“revenue” means gross revenue').filter({ hasText: 'From now on' }).waitFor();
      found.push(...(await looked('remembered')));
      const next = await askAnew('revenue by month in 1997');
      await next.getByText('as you taught Assay: gross revenue').waitFor();
      const section = await settings();
      await section.getByText('by a changed part of its reading').waitFor();
      found.push(...(await looked('by-change')));
      await section.getByRole('button', { name: 'Forget “revenue”' }).click();
      await section.getByText('You have not taught Assay anything yet.').waitFor();
      return focused === 'ARTICLE' ? found : [`the keyboard is on ${focused}`, ...found];
    },
  );
  await check(
    named('an edited query asks the same, and what was not said of it waits in the settings until it is kept'),
    async () => {
      await askAnew('revenue by category in 1997');
      if (width < 800) await page.getByRole('tab', { name: /Results/ }).click();
      await page.getByRole('button', { name: 'Result menu' }).last().click();
      await page.locator('.menu').getByText('Edit as a query', { exact: true }).click();
      const code = page.locator('.cm-content');
      await code.waitFor();
      const text = (await code.innerText()).replace(/\brevenue\b/, 'gross_revenue');
      await code.click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Delete');
      await page.keyboard.insertText(text);
      await page.keyboard.press('Escape'); // what is offered goes
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const asked = line('Remember that “revenue” means gross revenue?');
      await asked.waitFor();
      await asked.scrollIntoViewIfNeeded();
      await shot(page, `98-edited-${scheme}-${width}`);
      const found = await findings(page); // the tabs of queries scroll sideways
      const section = await settings();
      const noted = section.getByRole('region', { name: 'Noted for you' });
      await noted.locator('q', { hasText: 'revenue by category in 1997' }).waitFor();
      await noted.scrollIntoViewIfNeeded();
      found.push(...(await looked('noted')));
      await section.getByText('You have not taught Assay anything yet.').waitFor();
      await noted.getByRole('button', { name: 'Keep “revenue”' }).focus();
      await page.keyboard.press('Enter');
      await noted.waitFor({ state: 'hidden' });
      const focused = await page.evaluate(() => document.activeElement?.tagName);
      await section.locator('.meaning', { hasText: '= gross revenue' }).waitFor();
      const next = await askAnew('revenue by month in 1997');
      await next.getByText('as you taught Assay: gross revenue').waitFor();
      return focused === 'INPUT' ? found : [`the keyboard is on ${focused}`, ...found];
    },
  );
  await check(
    named('what was taught is found first where the session in view was read with it; what is worked with is listed'),
    async () => {
      const section = await settings();
      await section.getByRole('searchbox').fill('what is gross');
      await section.getByText('Used in the session in view').waitFor();
      const work = section.getByRole('region', { name: 'What you work with' });
      await work.getByRole('list', { name: 'What interests you' }).waitFor();
      await work.getByRole('list', { name: 'What you ask about together' }).waitFor();
      await work.scrollIntoViewIfNeeded();
      const found = await looked('work');
      await section.getByRole('searchbox').fill('');
      await section.getByRole('button', { name: 'Forget “revenue”' }).click();
      await section.getByText('You have not taught Assay anything yet.').waitFor();
      return found;
    },
  );
  await check(
    named('how numbers look is said in a sentence, and holds in the next answer, which says so'),
    async () => {
      const section = await settings();
      await field(section).fill('show numbers in millions');
      await field(section).press('Enter');
      await section.getByText('numbers are shown in millions from now on').waitFor();
      const choice = section.getByRole('combobox', { name: 'Numbers' });
      await page.waitForFunction((select) => select.value === 'millions', await choice.elementHandle());
      const found = await looked('preferences');
      const answer = await askAnew('revenue in 1997');
      await answer.getByText('0.62 million').first().waitFor();
      await answer.getByText('Numbers are shown in millions, as you prefer.').waitFor();
      if (width < 800) await page.getByRole('tab', { name: /Results/ }).click();
      await page.getByText('$0.62 M').first().waitFor();
      found.push(...(await looked('in-millions')));
      if (width < 800) await page.getByRole('tab', { name: 'Dialogue' }).click();
      return found;
    },
  );
  await check(named('another look is chosen, and that is taken back; another currency is refused'), async () => {
    const section = await settings();
    const choice = section.getByRole('combobox', { name: 'Charts' });
    const value = async (wanted) =>
      page.waitForFunction(([select, v]) => select.value === v, [await choice.elementHandle(), wanted]);
    await choice.selectOption('as a table');
    await section.getByRole('button', { name: 'Forget what you prefer for charts' }).waitFor();
    await section.getByRole('heading', { name: 'Memory', exact: true }).click();
    await page.keyboard.press('Control+z');
    await section.getByRole('button', { name: 'Forget what you prefer for charts' }).waitFor({ state: 'hidden' });
    await value('');
    await field(section).fill('show numbers in euros');
    await field(section).press('Enter');
    await section.getByText(/no rates to convert them to EUR/).waitFor();
    return looked('euros');
  });
  await check(named('a thumb down says how answers are to look, and that is forgotten where it was said'), async () => {
    const answer = await askAnew('revenue by category in 1997');
    await answer.getByRole('button', { name: 'Not a good answer', exact: true }).click();
    await answer.getByRole('textbox').fill('keep answers short');
    await answer.getByRole('button', { name: 'Keep' }).click();
    await line('answers are brief from now on').waitFor();
    await line('answers are brief from now on').scrollIntoViewIfNeeded();
    const found = await looked('brief');
    await answer.getByRole('button', { name: 'Forget it' }).click();
    await answer.getByRole('button', { name: 'Forget it' }).waitFor({ state: 'hidden' });
    return found;
  });
  await check(named('what is forgotten in the settings holds no more, and the keyboard stays beside it'), async () => {
    const section = await settings();
    await section.getByRole('button', { name: 'Forget what you prefer for numbers' }).click();
    await section.getByRole('button', { name: 'Forget what you prefer for numbers' }).waitFor({ state: 'hidden' });
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    const answer = await askAnew('revenue in 1997');
    await answer.getByText('617,085.20').first().waitFor();
    const said = await answer.getByText('as you prefer').count();
    return focused === 'Numbers' && said === 0 ? [] : [`the keyboard is on ${focused}, ${said} are followed`];
  });
  // What is refused is refused with a status that the browser writes down.
  await check(named('nothing went wrong with what was taught'), () =>
    trouble.filter((line) => !/status of 40[03]/.test(line)),
  );
  await context.close();
}
