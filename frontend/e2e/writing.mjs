// A model writes about an answer: each sentence stands on the page once it holds, the answer says who wrote it, and its provenance what went where.
import { ask, findings } from './browser.mjs';
import { fakeOllama } from './fake-ollama.mjs';
import { clipped } from './looks.mjs';

const question = 'revenue by category in 1997';
const mind = 'ollama:sample-tools:4b';

/** Chooses who thinks, and whether something may leave, as the settings do. Gives who was chosen before. */
export const choose = (page, change, stays) =>
  page.evaluate(
    async ([wanted, local_only]) => {
      const settings = (await (await fetch('api/settings')).json()).settings;
      const before = settings.minds;
      const kept = local_only === null ? settings : { ...settings, local_only };
      const body = JSON.stringify({ ...kept, minds: { ...before, ...wanted } });
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch('api/settings', { method: 'PATCH', headers, body });
      if (!response.ok) throw new Error(await response.text());
      return before;
    },
    [change, stays ?? null],
  );

/** A promise with the way to keep it. */
function gate() {
  let open;
  return [new Promise((done) => (open = done)), (value) => open(value)];
}

/** What went elsewhere is there to be read, for an answer and where there is none. */
async function leaving({ visit, check, shot }) {
  const models = [
    { name: 'passed-on:70b', model: 'passed-on:70b', size: 1, digest: 'sha256:dd', host: 'https://models.example:443' },
  ];
  let hangs = false;
  async function* begun() {
    yield '{r3.category_name} leads. ';
    await new Promise(() => undefined);
  }
  const say = (body) =>
    body.format ? { content: '{"questions":[]}' } : { content: hangs ? begun() : '{r3.category_name} leads.' };
  const ollama = await fakeOllama({ say, models });
  const { context, page, trouble } = await visit({ width: 1280, height: 900 });
  const before = await choose(page, { mind: 'ollama:passed-on:70b', ollama: ollama.address }, false);
  const words = page.getByRole('button', { name: 'What was sent, word for word' });
  try {
    await check('behind what left the machine stands what was sent, word for word', async () => {
      await page.reload();
      await ask(page, question);
      await page
        .getByRole('button', { name: /^Provenance/ })
        .first()
        .click();
      await words.press('Enter');
      await page.locator('pre', { hasText: question }).first().waitFor();
      await shot(page, '68-sent-words');
      return [...(await findings(page)), ...(await clipped(page))];
    });
    await check('where there is no answer it is reached by the keyboard, and is text whatever it is', async () => {
      const hostile = 'how did <img src=x onerror="document.title=1"> fare lately';
      const turn = await ask(page, hostile);
      if ((await turn.locator('.refusal, .clarification').count()) === 0) return [await turn.textContent()];
      await turn.focus();
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
      const to = async (name) => {
        for (let n = 0; n < 40 && (await focused()) !== name; n++) await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
      };
      await to('What left this machine');
      await turn
        .getByRole('row', { name: new RegExp(new URL(ollama.address).host) })
        .first()
        .waitFor();
      await to('What was sent, word for word');
      await turn.locator('pre', { hasText: '<img src=x' }).first().waitFor();
      await shot(page, '69-sent-words-refused');
      const made = await turn.locator('img').count();
      return [
        ...(made > 0 ? ['markup was made of it'] : []),
        ...(await findings(page)),
        ...(await clipped(page)),
        ...trouble,
      ];
    });
    await check('what was sent for a question that was stopped can be read too', async () => {
      hangs = true;
      await page.locator('#composer').fill(question);
      await page.locator('#composer').press('Enter');
      await page.locator('.draft').waitFor();
      await page.keyboard.press('Escape');
      await page.reload();
      const turn = page.locator('article[aria-label^="Question"]').last();
      await turn.getByText('Stopped').first().waitFor();
      await turn.getByRole('button', { name: 'What was sent, word for word' }).click();
      await turn.locator('pre', { hasText: question }).first().waitFor();
      await shot(page, '69-sent-words-stopped');
      return [...(await findings(page)), ...trouble];
    });
  } finally {
    await choose(page, before, true);
    await context.close();
    await ollama.close();
  }
}

export async function writing({ visit, check, shot }) {
  await leaving({ visit, check, shot });
  for (const scheme of ['light', 'dark']) {
    const gates = [gate(), gate()];
    let text = async function* () {
      yield '{r3.category_name} leads with {r3.revenue}. ';
      await gates[0][0];
      yield 'In total, revenue was ';
      await gates[1][0];
      yield '{sum(revenue)}.';
    };
    const say = (body) => (body.format ? { content: '{"questions":[]}' } : { content: text() });
    const ollama = await fakeOllama({ say });
    const { context, page, trouble } = await visit({ width: 1280, height: 900, scheme });
    const before = await choose(page, { mind, ollama: ollama.address });
    const turn = page.locator('article[aria-label^="Question"]').last();
    const draft = turn.locator('.draft');
    try {
      await check(`${scheme}: what a model writes stands there sentence by sentence`, async () => {
        await page.reload();
        await page.locator('#composer').fill(question);
        await page.locator('#composer').press('Enter');
        await draft.getByText('Dairy Products leads with', { exact: false }).waitFor();
        await draft.getByText(`sample-tools:4b is writing`, { exact: false }).waitFor();
        gates[0][1]();
        await shot(page, `66-writing-${scheme}`);
        const half = await draft.textContent();
        return half.includes('{') || half.includes('In total')
          ? [half]
          : [...(await findings(page)), ...(await clipped(page))];
      });
      await check(`${scheme}: the answer takes the place of the draft, with every number locked`, async () => {
        gates[1][1]();
        await turn.getByText('Written by sample-tools:4b, numbers by Assay').waitFor();
        await draft.waitFor({ state: 'detached' });
        const numbers = await turn.locator('.narration button').allTextContents();
        return numbers.join(' ') === 'Dairy Products 115,387.64 617,085.20' ? [] : numbers;
      });
      await check(`${scheme}: the provenance says who thought, and what went where`, async () => {
        await page
          .getByRole('button', { name: /^Provenance/ })
          .first()
          .click();
        const row = page.getByRole('row', { name: new RegExp(`${new URL(ollama.address).host}, to narrate`) }).first();
        await row.waitFor();
        await row.scrollIntoViewIfNeeded();
        await shot(page, `67-egress-${scheme}`);
        return [...(await findings(page)), ...(await clipped(page))];
      });
      await check(`${scheme}: a text with a number of its own is not shown, and is counted`, async () => {
        text = async function* () {
          yield '{r0.category_name} leads with 17 percent. So ';
          yield 'it is.';
        };
        const answer = await ask(page, question);
        const words = await answer.textContent();
        if (words.includes('17 percent') || words.includes('Written by')) return [words];
        await page
          .getByRole('button', { name: /^Provenance/ })
          .first()
          .click();
        const counted = "2 texts of sample-tools:4b did not hold against the table. The sentence is Assay's own.";
        await page.getByText(counted).waitFor();
        return [];
      });
      await check(`${scheme}: a stopped question leaves no draft`, async () => {
        text = async function* () {
          yield '{r3.category_name} leads with {r3.revenue}. And ';
          await new Promise(() => undefined);
        };
        await page.locator('#composer').fill(question);
        await page.locator('#composer').press('Enter');
        await draft.getByText('Dairy Products leads with', { exact: false }).waitFor();
        await page.keyboard.press('Escape');
        await draft.waitFor({ state: 'detached' });
        await turn.getByRole('button', { name: 'What was sent, word for word' }).click();
        await turn.getByText('Nothing went to a language model elsewhere for it.').waitFor();
        await shot(page, `81-stopped-${scheme}`);
        return [...trouble, ...(await findings(page))];
      });
    } finally {
      await choose(page, before);
      await context.close();
      await ollama.close();
    }
  }
}
