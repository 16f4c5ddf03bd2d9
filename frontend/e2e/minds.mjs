// Who thinks: settings find a local Ollama, try and choose its models, keep keys, and say what would leave; a session changes its mind.
import { ask, findings } from './browser.mjs';
import { fakeOllama } from './fake-ollama.mjs';
import { clipped } from './looks.mjs';

export async function minds({ visit, check, shot }) {
  const ollama = await fakeOllama();
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
