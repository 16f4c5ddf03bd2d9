// Shared knowledge: offered in the settings, looked at and decided by keyboard, used in everybody's answers, written as a context file, and taken away again.
import { ask, findings, looksOf } from './browser.mjs';
import { fakeOllama } from './fake-ollama.mjs';
import { clipped } from './looks.mjs';
import { choose } from './writing.mjs';

// What somebody may write: long, with what would be markup, and with signs that turn the direction of writing.
const hostile =
  'all of us who close the books have always said wholesale and meant the drinks alone: whoever says it in a meeting of the sales people ' +
  'never thinks of the food, and certainly not of the freight, which the carriers bill on their own account and which was moved out of it ' +
  'years ago <img src=x onerror=alert(1)> \u202eereh si siht\u202c so that nobody has to ask again what was meant by ' +
  'aWordThatIsMuchLongerThanAnythingThatFitsIntoANarrowWindowAndHasNoPlaceWhereItCouldBeBroken.';

export async function review({ visit, site, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 800 });
  const api = async (method, path, data) => {
    const response = await page.request.fetch(new URL(`api/${path}`, site).href, {
      method,
      data,
      headers: { Origin: new URL(site).origin },
    });
    if (!response.ok()) throw new Error(`${response.status()} ${await response.text()}`);
    return response.status() === 204 ? null : response.json();
  };
  const teach = async (term, means) => (await api('POST', 'corrections', { term, means })).correction;
  const place = page.locator('main:not([hidden])');
  const title = place.locator('#review-title');
  const said = (words) => place.getByRole('status').filter({ hasText: words });
  const row = (words) => place.getByRole('navigation', { name: 'Shared knowledge' }).locator('a', { hasText: words });
  const go = async (hash) => {
    await page.goto(`${site}#${hash}`);
    await place.getByRole('heading', { level: 1 }).waitFor();
  };
  const looked = async (name, on = page) => {
    await shot(on, `99-review-${name}`);
    return [...(await findings(on)), ...(await clipped(on))];
  };

  await check('review: nothing is shared yet, and the place says how something comes into it', async () => {
    await go('review');
    await place.getByRole('heading', { name: 'Nothing is shared yet' }).waitFor();
    return looked('empty');
  });
  await check('review: what was taught is offered to everybody in the settings, and said there', async () => {
    await teach('wholesale', 'revenue in beverages');
    await teach('deal size', 'average order value');
    await teach('revenue', 'gross revenue');
    await go('settings/memory');
    const section = page.getByRole('region', { name: 'Memory', exact: true });
    await page.reload();
    for (const term of ['revenue', 'wholesale', 'deal size']) {
      const offer = section.getByRole('button', { name: `Offer to everybody: “${term}”` });
      await offer.scrollIntoViewIfNeeded();
      await offer.click();
      await offer.waitFor({ state: 'hidden' });
    }
    await section.getByRole('status').filter({ hasText: 'it waits for a decision' }).waitFor();
    const found = await looked('offered');
    await page.getByRole('button', { name: 'Review: 3 wait for your decision' }).waitFor();
    await section.getByRole('link', { name: 'Look at it in Review' }).first().click();
    await title.waitFor();
    return found;
  });
  await check('review: the palette finds it, and the queue is gone through by keyboard', async () => {
    await go('workspace');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Do anything' }).getByRole('combobox').fill('shared know');
    await page.keyboard.press('Enter');
    await row('deal size').waitFor();
    const order = await place.locator('[data-row] .meaning').allTextContents();
    await row(order[0].split(' = ')[0]).focus();
    await page.keyboard.press('j');
    await title.filter({ hasText: order[1].split(' = ')[0] }).waitFor();
    await page.keyboard.press('ArrowDown');
    await title.filter({ hasText: order[2].split(' = ')[0] }).waitFor();
    await page.keyboard.press('k');
    await title.filter({ hasText: order[1].split(' = ')[0] }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'review-title');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-row'));
    return order.length === 3 ? [] : [`${order.length} wait`];
  });
  await check('review: a search writes, and decides nothing', async () => {
    const search = place.getByRole('searchbox', { name: 'Search shared knowledge' });
    await search.fill('');
    await search.pressSequentially('gross area');
    await place.getByText('Nothing holds all of these words.').waitFor();
    const waiting = await page.getByRole('button', { name: 'Review: 3 wait for your decision' }).count();
    await page.keyboard.press('Escape');
    await row('gross revenue').waitFor();
    return waiting === 1 ? [] : ['a key that was written has decided'];
  });
  await check('review: a piece is shown with what somebody needs to decide', async () => {
    // An answer that is relied on would be another one: for whoever gave the word a meaning of their own it would not.
    await go('review');
    await page.reload();
    await row('gross revenue').click();
    await title.filter({ hasText: 'revenue = gross revenue' }).waitFor();
    await place.getByText(/is what the model calls/).waitFor();
    await place.getByText(/would be answered otherwise/).waitFor();
    await place
      .getByRole('listitem')
      .filter({ hasText: 'How much revenue did each category bring?' })
      .last()
      .getByRole('button', { name: 'The query now and then' })
      .click();
    await place.getByRole('group', { name: 'Then', exact: true }).first().waitFor();
    await place.getByRole('heading', { name: 'Who said so' }).waitFor();
    return looked('item');
  });
  await check(
    'review: rejecting wants a reason, which stays when it is refused, and the next one is chosen',
    async () => {
      await row('gross revenue').click();
      await title.filter({ hasText: 'gross revenue' }).waitFor();
      await page.keyboard.press('r');
      const field = place.getByRole('textbox', { name: /Why it shall not hold/ });
      await field.waitFor();
      await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
      await page.keyboard.press('Enter');
      await place.getByRole('alert').waitFor();
      const found = await looked('reason');
      await page.keyboard.type('the carriers bill it');
      const conflict = { code: 'conflict', message: 'It was changed meanwhile.', hint: 'Look at it again.' };
      await page.route('**/decisions', (route) => route.fulfill({ status: 409, json: conflict }));
      await page.keyboard.press('Enter');
      await place.getByRole('alert').filter({ hasText: 'It was changed meanwhile.' }).waitFor();
      await page.unroute('**/decisions');
      const kept = await field.inputValue();
      await field.press('Enter');
      await said('“revenue” is rejected.').waitFor();
      await field.waitFor({ state: 'hidden' });
      await title.filter({ hasNotText: 'gross revenue' }).waitFor();
      await page.waitForFunction(() => document.activeElement?.id === 'review-title');
      await page.getByRole('button', { name: 'Review: 2 wait for your decision' }).waitFor();
      const own = (await api('GET', 'corrections')).corrections.find(({ term }) => term === 'revenue');
      await api('DELETE', `corrections/${own.id}`); // what was turned down stays so, and questions are read as before
      return kept === 'the carriers bill it' ? found : [`the reason is now "${kept}"`, ...found];
    },
  );
  await check('review: it is endorsed and approved by a key each', async () => {
    await row('deal size').click();
    await title.filter({ hasText: 'deal size' }).waitFor();
    await page.keyboard.press('e');
    await said('You stand behind “deal size” now.').waitFor();
    await place.locator('button[aria-keyshortcuts=A]:not([aria-disabled=true])').waitFor(); // it is shown what would change
    await page.keyboard.press('a');
    await said('“deal size” is approved').waitFor();
    await title.filter({ hasText: 'wholesale' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('wholesale')); // the next one, once it is there
    return [];
  });
  await check('review: the next answer of everybody is read with it, and says so', async () => {
    for (const one of (await api('GET', 'corrections')).corrections)
      if (one.term === 'deal size') await api('DELETE', `corrections/${one.id}`);
    await go('workspace');
    await page
      .getByRole('button', { name: /New session/ })
      .first()
      .click();
    const answer = await ask(page, 'deal size by country in 1997');
    await answer.getByText(/agreed for everybody: average order value/).waitFor();
    await shot(page, '99-review-answer');
    const card = page.locator('ol > li').filter({ hasText: 'Average order value' }).last();
    await card
      .getByRole('button', { name: /attested|provenance/i })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Meanings that were used' }).scrollIntoViewIfNeeded();
    await page.getByText('(agreed for everybody)').waitFor();
    const found = await looked('provenance');
    await page.keyboard.press('Escape');
    return found;
  });
  await check('review: what is to be known is written down and described, and fits every window', async () => {
    await go('review');
    await page.getByRole('button', { name: 'Write down…' }).click();
    await page.keyboard.type('Part years');
    await place.getByRole('textbox', { name: 'What is to be known' }).fill('1996 and 1998 are not whole years.');
    await place.getByText('Something to watch out for').click();
    await place.getByRole('textbox', { name: /^About/ }).fill('orders, nothing of the kind');
    await place.getByRole('textbox', { name: /^Tags/ }).fill('time');
    await place.getByRole('button', { name: 'Keep' }).click();
    await place.getByRole('alert').filter({ hasText: 'nothing of the kind' }).waitFor();
    const found = await looked('write');
    await place.getByRole('textbox', { name: /^About/ }).fill('orders');
    await page.keyboard.press('Enter');
    await said('“Part years” is written down').waitFor();
    await title.filter({ hasText: 'Part years' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'review-title');
    const about = place.getByRole('region', { name: 'What it is about' });
    await about.getByText(/Something to watch out for.*about orders.*tags time/).waitFor();
    found.push(...(await looked('written-down')));
    for (const [scheme, width] of [
      ['dark', 1280],
      ['light', 320],
    ]) {
      const other = await visit({ width, height: 800, scheme });
      await other.page.goto(page.url());
      const there = other.page.locator('main:not([hidden])');
      await there.getByRole('button', { name: 'Describe anew' }).click();
      await there.getByRole('textbox', { name: 'Title' }).waitFor();
      found.push(...(await looked(`describe-${scheme}-${width}`, other.page)));
      await other.page.keyboard.press('Escape');
      await there.getByRole('button', { name: 'Write down…' }).click();
      await there.getByRole('heading', { name: 'Write down what is to be known' }).waitFor();
      found.push(...(await looked(`write-${scheme}-${width}`, other.page)));
      await other.context.close();
    }
    await about.getByRole('button', { name: 'Describe anew' }).click();
    await about.getByRole('textbox', { name: /^Tags/ }).fill('time, orders');
    await page.keyboard.press('Enter');
    await said('“Part years” is described anew.').waitFor();
    await about.getByText(/tags orders, time/).waitFor();
    const [item] = (await api('GET', 'knowledge')).items.filter(({ title: of }) => of === 'Part years');
    await about.getByRole('button', { name: 'Forget' }).click();
    await about.getByText('Nothing of it can be read afterwards').waitFor();
    found.push(...(await looked('forget')));
    await about.getByRole('button', { name: 'Keep it' }).click();
    await about.getByRole('button', { name: 'Forget' }).click();
    await about.getByRole('button', { name: 'Forget' }).click();
    await said('Forgotten: Part years').waitFor();
    if ((await api('GET', 'knowledge')).items.some(({ id }) => id === item.id))
      found.push('what was forgotten is there');
    await page.reload();
    return found;
  });
  await check('review: what says the opposite is shown beside it, and is one click away', async () => {
    const [item] = (await api('GET', 'knowledge')).items.filter(({ term }) => term === 'wholesale');
    await api('POST', `knowledge/${item.id}/decisions`, { verdict: 'endorse', reason: hostile });
    await api('POST', `knowledge/${item.id}/decisions`, { verdict: 'approve' });
    const opposite = await teach('wholesale', 'revenue excluding beverages');
    await api('POST', 'knowledge', { correction_id: opposite.id });
    await go('review');
    await page.reload();
    await row('revenue excluding beverages').click();
    await title.filter({ hasText: 'excluding beverages' }).waitFor();
    await place.getByText('Says the opposite').waitFor();
    const found = await looked('opposite');
    await place.getByRole('link', { name: 'Look at it', exact: true }).click();
    await title.filter({ hasText: 'wholesale = revenue in beverages' }).waitFor();
    await place.locator('blockquote', { hasText: '<img src=x onerror=alert(1)>' }).waitFor();
    const images = await place.locator('img').count();
    return images === 0 ? found : ['what somebody wrote became a picture', ...found];
  });
  await check('review: it is said whom a piece is for, until when, and in the place of what', async () => {
    await row('revenue excluding beverages').click();
    await title.filter({ hasText: 'excluding beverages' }).waitFor();
    const part = place.getByRole('region', { name: 'Whom it is for' });
    await part.getByText('For everyone').waitFor();
    await part.getByRole('button', { name: 'Change' }).click();
    await part.getByLabel('Until').fill('2001-01-01');
    await part.getByRole('button', { name: 'Keep' }).click();
    await part.getByRole('alert').filter({ hasText: '2001-01-01 is over' }).waitFor();
    const found = await looked('reach');
    await part.getByLabel('Until').fill('2199-01-01');
    await part.getByLabel('In the place of').selectOption({ label: 'wholesale = revenue in beverages' });
    await part.getByLabel('Confidential').check();
    await part.getByRole('button', { name: 'Keep' }).click();
    await said('It is kept whom “wholesale” is for.').waitFor();
    await part.getByText(/until Jan 1, 2199/).waitFor();
    await part.getByText('Confidential').waitFor();
    await place.getByText('said whom it is for').waitFor();
    return [...found, ...(await looked('reached'))];
  });
  await check(
    'review: a model that is on compares a piece with others, and what it says is marked as its words',
    async () => {
      const bulk = await teach('bulk', 'revenue in beverages');
      const { id } = await api('POST', 'knowledge', { correction_id: bulk.id });
      const why =
        'The one counts the drinks alone, and the other everything but the drinks, so that whoever asks for the one is answered with the other, ' +
        'aWordThatIsMuchLongerThanAnythingThatFitsIntoANarrowWindowAndHasNoPlace.';
      let words = 'They differ.';
      const say = () => ({ content: words });
      const ollama = await fakeOllama({ say });
      const before = await choose(page, { mind: 'ollama:sample-small:1b', ollama: ollama.address });
      try {
        await go(`review/${id}`);
        await page.reload();
        await title.filter({ hasText: 'bulk = revenue in beverages' }).waitFor();
        const part = place.getByRole('region', { name: 'What says otherwise' });
        const compare = part.getByRole('button', { name: 'Compare with ollama:sample-small:1b' });
        await compare.click();
        await part.getByText('Its reply could not be read.').waitFor();
        const found = await looked('judge-failed');
        const judgment = { contradicts: true, severity: 'high', suggestion: 'keep_other', why };
        words = JSON.stringify({ judgments: ['c1', 'c2', 'c99'].map((one) => ({ candidate_id: one, ...judgment })) });
        await compare.press('Enter');
        await part.getByText('Cannot hold together with it').first().waitFor();
        await part.getByText('aWordThatIsMuchLonger').first().waitFor();
        await part.getByText('Nothing left this machine.').waitFor();
        found.push(...(await looked('judged')));
        const sent = JSON.stringify(ollama.asked.at(-1).messages);
        if (!sent.includes('excluding beverages')) found.push(`it was shown ${sent}`);
        const [item] = (await api('GET', 'knowledge')).items.filter(({ term }) => term === 'bulk');
        if (item.stands !== 'pending') found.push(`a model made it ${item.stands}`);
        for (const [scheme, width] of [
          ['dark', 1280],
          ['light', 390],
          ['dark', 320],
        ]) {
          const other = await visit({ width, height: 800, scheme });
          await other.page.goto(`${site}#review/${id}`);
          const there = other.page.locator('main:not([hidden])');
          await there.getByText('Cannot hold together with it').first().scrollIntoViewIfNeeded();
          found.push(...(await looked(`judged-${scheme}-${width}`, other.page)));
          const over = await there.locator('.scroll').evaluate((box) => box.scrollWidth - box.clientWidth);
          if (over > 1) found.push(`${scheme}, ${width} wide: the page scrolls sideways by ${over}`);
          await other.context.close();
        }
        return found;
      } finally {
        await choose(page, before);
        await ollama.close();
        await api('DELETE', `corrections/${bulk.id}`);
        await go('review');
        await page.reload();
      }
    },
  );
  await check('review: long and hostile words fit every window, light and dark', async () => {
    const found = [];
    const sizes = looksOf(
      [
        ['dark', 1280],
        ['light', 320],
      ],
      [
        ['light', 760],
        ['dark', 380],
      ],
    );
    for (const [scheme, width] of sizes) {
      const other = await visit({ width, height: 800, scheme });
      const narrow = other.page;
      await narrow.goto(`${site}#review`);
      const there = narrow.locator('main:not([hidden])');
      const link = there.getByRole('navigation', { name: 'Shared knowledge' }).locator('a', { hasText: 'excluding' });
      await link.waitFor();
      found.push(...(await looked(`list-${scheme}-${width}`, narrow)));
      await link.click();
      await there.getByText('Says the opposite').waitFor();
      await there.getByRole('button', { name: 'Approve' }).waitFor();
      found.push(...(await looked(`opposite-${scheme}-${width}`, narrow)));
      await there.getByRole('button', { name: 'Reject' }).click();
      await there.getByRole('textbox', { name: /Why it shall not hold/ }).waitFor();
      found.push(...(await looked(`reason-${scheme}-${width}`, narrow)));
      await narrow.keyboard.press('Escape');
      await there.getByRole('textbox', { name: /Why it shall not hold/ }).waitFor({ state: 'detached' });
      await there.getByRole('link', { name: 'Look at it', exact: true }).click();
      await there.locator('blockquote', { hasText: 'onerror' }).waitFor();
      await there.locator('blockquote', { hasText: 'onerror' }).scrollIntoViewIfNeeded();
      found.push(...(await looked(`quote-${scheme}-${width}`, narrow)));
      const over = await there.locator('.scroll').evaluate((box) => box.scrollWidth - box.clientWidth);
      if (over > 1) found.push(`${scheme}, ${width} wide: the page scrolls sideways by ${over}`);
      await there.locator('#review-title').click();
      await narrow.keyboard.press('Escape');
      await there.getByRole('navigation', { name: 'Shared knowledge' }).waitFor();
      found.push(...other.trouble);
      await other.context.close();
    }
    return found;
  });
  await check('review: without git no branch is written, and the program says what to do', async () => {
    await page.getByRole('radio', { name: /^Decided/ }).check({ force: true });
    await row('revenue in beverages').click();
    await title.filter({ hasText: 'wholesale = revenue in beverages' }).waitFor();
    await place.getByRole('button', { name: 'Write it onto a branch' }).click();
    await place.getByRole('alert').filter({ hasText: 'no git repository' }).waitFor();
    return looked('no-git');
  });
  await check('review: who works alone writes the file directly, and the model has it', async () => {
    await place.getByRole('button', { name: 'Write the file directly' }).click();
    await said('terms/wholesale.yaml is written').waitFor();
    await place.getByText(/The context files say it since/).waitFor();
    const found = await looked('written');
    await go(`model/${encodeURIComponent('term/wholesale')}`);
    await page.reload();
    await page.locator('#object-title').getByText('wholesale').waitFor();
    return [...found, ...(await looked('model-term'))];
  });
  await check('review: what was approved is revoked with its reason, and its file is removed', async () => {
    for (const term of ['wholesale = revenue in beverages', 'deal size']) {
      await go('review');
      await page.getByRole('radio', { name: /^Decided/ }).check({ force: true });
      await row(term).click();
      await title.filter({ hasText: term }).waitFor();
      await page.keyboard.press('r');
      await place.getByRole('textbox', { name: /Why it shall hold no more/ }).fill('it was for a check');
      await page.keyboard.press('Enter');
      await said('is revoked').waitFor();
      if (term === 'deal size') continue;
      await place.getByRole('button', { name: 'Remove the file directly' }).click();
      await said('terms/wholesale.yaml is removed').waitFor();
    }
    await place.getByText('it was for a check').first().waitFor();
    return looked('revoked');
  });
  await check('review: what was taught is forgotten, nothing waits, and questions are read as before', async () => {
    for (const { id } of (await api('GET', 'corrections')).corrections) await api('DELETE', `corrections/${id}`);
    await go('review');
    await page.reload();
    await page.getByRole('button', { name: 'Review', exact: true }).waitFor();
    const { items, waiting } = await api('GET', 'knowledge');
    const holding = items.filter(({ stands }) => stands === 'approved' || stands === 'pending').length;
    const terms = (await api('GET', 'model')).objects.filter(({ kind }) => kind === 'term').length;
    return waiting + holding + terms === 0 ? [] : [`${waiting} wait, ${holding} hold, ${terms} stand in files`];
  });
  // What is refused is refused with a status that the browser writes down.
  await check('review: nothing went wrong', () => trouble.filter((line) => !/status of 4\d\d/.test(line)));
  await context.close();
}
