// Who thinks: settings find a local Ollama, try and choose its models, keep keys, and say what would leave; a session changes its mind.
import { ask, findings } from './browser.mjs';
import { fakeOllama, MODELS } from './fake-ollama.mjs';
import { clipped } from './looks.mjs';

export async function minds({ visit, check, shot }) {
  const offered = [...MODELS];
  let stopped = false;
  const pull = async function* ({ model: name }, gone) {
    yield { status: 'pulling manifest' };
    yield { status: 'pulling 5f1e', digest: 'sha256:5f1e', total: 2e9, completed: 5e8 };
    if (name === 'endless:1b') {
      await gone;
      stopped = true;
      return;
    }
    offered.push({ name, model: name, size: 2e9, digest: 'sha256:cc', tools: true });
    yield { status: 'success' };
  };
  const ollama = await fakeOllama({ models: offered, pull });
  const { context, page, trouble } = await visit({ width: 1280, height: 1400 });
  const models = page.getByRole('region', { name: 'Models', exact: true });
  const toSettings = () => page.getByRole('button', { name: 'Settings' }).click();
  const toWorkspace = () => page.getByRole('button', { name: 'Workspace' }).click();
  const address = models.getByRole('textbox', { name: 'Address of Ollama' });
  const put = async (url) => {
    await address.fill(url);
    await address.press('Enter');
  };
  const test = models.getByRole('status', { name: 'Self-test' });
  const canary = 'sk-canary-4f1d9c7e2b';
  const heard = [];
  page.on('response', async (response) => {
    if (new URL(response.url()).pathname.startsWith('/api/')) heard.push(await response.text().catch(() => ''));
  });
  try {
    await check('where no Ollama answers, the settings say how to get one', async () => {
      await toSettings();
      await models.waitFor();
      await put('http://127.0.0.1:9');
      await models.getByText('No Ollama server answers at 127.0.0.1:9.', { exact: false }).waitFor();
      return models.getByText('ollama pull', { exact: false }).isVisible();
    });
    await check('an Ollama is found, with its models and their sizes', async () => {
      await put(ollama.address);
      const row = models.getByRole('row', { name: /sample-tools:4b/ });
      await row.waitFor();
      const words = await row.textContent();
      return (
        /2\.\d GB/.test(words) &&
        words.includes('use tools') &&
        (await models.getByText('Version 0.30.0').count()) === 1
      );
    });
    await check('the embedded mind passes its self-test and needs nothing', async () => {
      await models.getByRole('button', { name: 'Try it' }).click();
      await test.getByText('Can be used').waitFor();
      return (await test.getByText('needs nothing', { exact: false }).count()) === 1;
    });
    await check('a model is chosen, and its self-test shows each line', async () => {
      await models.getByRole('button', { name: 'Choose sample-tools:4b' }).click();
      await models
        .getByRole('row', { name: /sample-tools:4b/ })
        .getByText('Thinks')
        .waitFor();
      await models.getByRole('button', { name: 'Try it' }).click();
      await test.getByText('Can be used').waitFor();
      const lines = await test.getByRole('listitem').allTextContents();
      await shot(page, '60-models');
      return lines.length === 5 && lines.every((line) => line.includes('passed'))
        ? [...(await findings(page)), ...(await clipped(page))]
        : lines;
    });
    await check(
      'nothing of the data was in the questions of the self-test',
      () => ollama.asked.length === 2 && !JSON.stringify(ollama.asked).match(/revenue|Orders|Northwind/i),
    );
    await check('what would leave is told: nothing, for a model of this machine', async () => {
      const group = models.getByRole('group', { name: 'What would leave this machine' });
      return (await group.getByText('Nothing.', { exact: false }).count()) === 1;
    });
    await check('a key is kept without a keyring until the program ends, and is never given back', async () => {
      const field = models
        .getByRole('textbox', { name: 'Key for OpenAI' })
        .or(models.getByLabel('Key for OpenAI', { exact: true }));
      await field.first().fill(canary);
      await field.first().press('Enter');
      await models.getByText('Kept until Assay ends', { exact: false }).first().waitFor();
      const shown = await page.evaluate((key) => document.documentElement.outerHTML.includes(key), canary);
      const refused = await models
        .getByText('Nothing leaves this machine, and OpenAI would be asked', { exact: false })
        .count();
      await shot(page, '61-models-key');
      return !shown && refused === 1 && !heard.some((body) => body.includes(canary));
    });
    await check('a key is forgotten', async () => {
      await models.getByRole('button', { name: 'Forget: Key for OpenAI' }).click();
      await models.getByLabel('Key for OpenAI', { exact: true }).waitFor();
    });
    await check('while nothing may leave, a mind elsewhere is refused and the switch is named', async () => {
      const answer = await page.evaluate(async () => {
        const settings = (await (await fetch('api/settings')).json()).settings;
        settings.minds.mind = 'anthropic:some-model';
        const headers = { 'Content-Type': 'application/json' };
        const response = await fetch('api/settings', { method: 'PATCH', headers, body: JSON.stringify(settings) });
        return [response.status, await response.text()];
      });
      trouble.splice(0, trouble.length, ...trouble.filter((line) => !line.includes('403'))); // the browser tells of it too
      return answer[0] === 403 && answer[1].includes('Nothing leaves this machine');
    });
    const fetched = models.getByRole('status', { name: 'Fetch a model' });
    const fetchModel = async (name) => {
      await models.getByRole('textbox', { name: 'Name of the model' }).fill(name);
      await models.getByRole('button', { name: 'Fetch', exact: true }).click();
    };
    const nothingLeaves = (local_only) =>
      page.evaluate(async (wanted) => {
        const settings = (await (await fetch('api/settings')).json()).settings;
        const body = JSON.stringify({ ...settings, local_only: wanted });
        const headers = { 'Content-Type': 'application/json' };
        const response = await fetch('api/settings', { method: 'PATCH', headers, body });
        if (!response.ok) throw new Error(await response.text());
      }, local_only);
    await check('while nothing may leave, no model is fetched, and it is said why', async () => {
      await fetchModel('fresh:2b');
      await models.getByText('Nothing leaves this machine, and to fetch fresh:2b', { exact: false }).waitFor();
      return offered.length === MODELS.length ? findings(page) : ['it was fetched'];
    });
    await check('a model that is being fetched says how far it is, and is stopped at the server too', async () => {
      await nothingLeaves(false);
      await fetchModel('endless:1b');
      await fetched.getByText('500 MB of 2.0 GB', { exact: false }).waitFor();
      await models.getByRole('progressbar', { name: 'Fetch a model' }).waitFor();
      await shot(page, '61-models-fetching');
      const wrong = [...(await findings(page)), ...(await clipped(page))];
      await models.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
      await fetched.getByText('Stopped.', { exact: false }).waitFor();
      for (let n = 0; n < 100 && !stopped; n++) await page.evaluate(() => fetch('api/minds')); // the server hears of it a little later
      return stopped ? wrong : ['the server goes on', ...wrong];
    });
    await check('a model that was fetched is there to be chosen', async () => {
      await fetchModel('fresh:2b');
      await fetched.getByText('fresh:2b is there.').waitFor();
      await models.getByRole('button', { name: 'Choose fresh:2b' }).waitFor();
      await nothingLeaves(true);
    });
    await check('how long a model may plan is kept, and what cannot be is not', async () => {
      const field = models.getByRole('spinbutton', { name: 'Seconds to plan' });
      const kept = () =>
        page.evaluate(async () => (await (await fetch('api/settings')).json()).settings.minds.plan_seconds ?? 0);
      const taken = (n) =>
        page
          .waitForResponse((r) => r.url().endsWith('/api/settings') && r.request().method() === 'PATCH')
          .then(() => kept())
          .then((is) => is === n);
      const first = taken(90);
      await field.fill('90');
      await field.press('Enter');
      const held = await first;
      await field.fill('601');
      await field.press('Enter');
      const bad = (await field.evaluate((element) => !element.validity.valid)) && (await kept()) === 90;
      const last = taken(0);
      await field.fill('0');
      await field.press('Enter');
      return held && bad && (await last);
    });
    await check('with the switch on, every way out is refused', async () => {
      await page.getByRole('button', { name: 'Try', exact: true }).click();
      await page.getByText('Nothing could leave: every way was refused.').waitFor();
      await page.getByText('Nothing could leave', { exact: false }).scrollIntoViewIfNeeded();
      await shot(page, '62-sealed');
      return findings(page);
    });
    await check('a number of a budget that cannot be is not kept', async () => {
      const field = models.getByRole('spinbutton', { name: 'A question: Calls' });
      await field.fill('-1');
      await field.press('Enter');
      const bad = await field.evaluate((element) => !element.validity.valid);
      await field.fill('12');
      await field.press('Enter');
      return bad;
    });
    await check('the composer says who thinks, and a session changes its mind', async () => {
      await toWorkspace();
      await page.getByText('ollama:sample-tools:4b thinks.').waitFor();
      await page.getByRole('button', { name: /^Who thinks here/ }).click();
      await shot(page, '63-mind-menu');
      await page.getByRole('menuitem', { name: /Embedded/ }).click();
      await page.getByText('thinks.', { exact: false }).waitFor({ state: 'detached' });
      const asked = page.waitForRequest((request) => request.url().endsWith('/api/ask'));
      await ask(page, 'revenue by category in 1997');
      const mind = (await asked).postDataJSON().mind;
      await page.getByRole('button', { name: /^Who thinks here/ }).click();
      await page.getByRole('menuitem', { name: /sample-small/ }).click();
      await page.getByText('ollama:sample-small:1b thinks.').waitFor();
      return mind === 'embedded' ? findings(page) : [`the mind of the question is ${mind}`];
    });
    await check('a new session begins with the mind that is chosen', async () => {
      await page.getByRole('button', { name: 'New session' }).first().click();
      await page.getByText('ollama:sample-tools:4b thinks.').waitFor();
    });
    await check('the page of models has no trouble', () => trouble);
    for (const { name, width, height, scheme } of [
      { name: '64-models-dark', width: 1280, height: 1400, scheme: 'dark' },
      { name: '65-models-narrow', width: 380, height: 1600, scheme: 'light' },
    ]) {
      await check(`${name}: nothing is cut, and nothing serious for a screen reader`, async () => {
        const other = await visit({ width, height, scheme });
        await other.page.getByRole('button', { name: 'Settings' }).click();
        const section = other.page.getByRole('region', { name: 'Models', exact: true });
        await section.getByRole('row', { name: /sample-tools:4b/ }).waitFor();
        await section.evaluate((element) => element.scrollIntoView());
        await shot(other.page, name);
        const found = [...(await findings(other.page)), ...(await clipped(other.page)), ...other.trouble];
        await other.context.close();
        return found;
      });
    }
    await check('minds are put back as they were', async () => {
      await toSettings();
      await models.getByRole('combobox', { name: 'Who thinks', exact: true }).selectOption('embedded');
      await put('');
      await toWorkspace();
      await page.getByText('thinks.', { exact: false }).waitFor({ state: 'detached' });
    });
  } finally {
    await context.close();
    await ollama.close();
  }
}
