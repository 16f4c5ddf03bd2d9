// The model: browsing, an object's page, the join graph, editing as a form and as the file, a conflict, saving.
import { ended, findings } from './browser.mjs';
import { clipped } from './looks.mjs';

export async function model({ visit, site, check, shot }) {
  const { page, trouble } = await visit({ width: 1280, height: 800 });
  const list = page.getByRole('navigation', { name: 'Objects of the model' });
  const search = page.getByRole('searchbox', { name: 'Search the model' });
  const title = page.locator('#object-title');
  const path = 'context/metrics/freight.yaml';

  const api = async (way, body) => {
    const response = await page.request.post(new URL(`api/model/${way}`, site).href, {
      data: body,
      headers: { Origin: new URL(site).origin },
    });
    if (!response.ok()) throw new Error(`${response.status()} ${await response.text()}`);
    return response.json();
  };

  await check('the join graph is drawn, with an arrow for each join', async () => {
    await page.goto(`${site}#model`);
    await page.locator('svg .node').first().waitFor();
    const nodes = await page.locator('svg .node').count();
    const edges = await page.locator('svg path.edge').count();
    await shot(page, '50-model');
    return nodes >= 8 && edges >= 8 ? findings(page) : [`${nodes} entities, ${edges} joins`];
  });
  await check('the graph moves, zooms and opens an entity by the keyboard', async () => {
    const world = page.locator('svg .world');
    await page.getByRole('group', { name: /Join graph/ }).focus();
    const before = await world.getAttribute('transform');
    await page.keyboard.press('+');
    const zoomed = await world.getAttribute('transform');
    await page.keyboard.press('ArrowLeft');
    const moved = await world.getAttribute('transform');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await title.waitFor();
    return before !== zoomed && zoomed !== moved && page.url().includes('#model/entity');
  });
  await check('going back goes back to the graph', async () => {
    await page.goBack();
    await page.locator('svg .node').first().waitFor();
  });
  await check('the graph is saved as a picture of its own', async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as SVG' }).click();
    return (await download).suggestedFilename() === 'joins.svg';
  });
  await check('a search finds a metric by a synonym, and its page says what it is', async () => {
    await search.fill('turnover');
    await list
      .getByRole('link', { name: /^Revenue/ })
      .first()
      .click();
    await title.getByText('Revenue', { exact: true }).waitFor();
    await page.getByText('context/metrics/revenue.yaml:').waitFor();
    await page.getByText('Uses', { exact: true }).waitFor();
    await page.getByText('Used by', { exact: true }).waitFor();
    await shot(page, '51-model-metric');
    return findings(page);
  });
  await check('what uses it is one click away, and has an address', async () => {
    await page.locator('article').getByRole('link', { name: 'Average order value' }).click();
    await title.getByText('Average order value').waitFor();
    await page.reload();
    await title.getByText('Average order value').waitFor();
  });
  await check('every kind is listed, dimensions too when they are wanted', async () => {
    await page.getByRole('combobox', { name: 'Kind of object' }).selectOption('dimension');
    await list.getByRole('heading', { name: /Dimensions/ }).waitFor();
    await page.getByRole('combobox', { name: 'Kind of object' }).selectOption('gotcha');
    await list.getByRole('link').first().click();
    await page.locator('article .kind').first().getByText('Gotcha').waitFor();
    await shot(page, '52-model-gotcha');
    await page.getByRole('combobox', { name: 'Kind of object' }).selectOption('all');
  });
  await check('the skills of the workspace are listed with what they say', async () => {
    await page.getByRole('button', { name: '1 skill' }).press('Enter');
    await page.getByRole('heading', { name: 'Skills', exact: true }).waitFor();
    await page.locator('dt', { hasText: 'seasonality_check' }).waitFor();
    await shot(page, '52-model-skills');
    return [...(await findings(page)), ...(await clipped(page))];
  });
  await check('a form changes fields of the file and shows the difference', async () => {
    await page.goto(`${site}#model/${encodeURIComponent('metric/freight')}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill('Freight charges');
    await shot(page, '53-model-form');
    const serious = await findings(page);
    await page.getByRole('button', { name: 'Put into the file' }).click();
    await page.getByText('It reads well: 1 object changes.').waitFor();
    await page.locator('pre .added').getByText('Freight charges').waitFor();
    await shot(page, '54-model-changes');
    return [...serious, ...(await findings(page))];
  });
  await check('what is wrong is said at its line while typing, and is not saved', async () => {
    await page.getByRole('tab', { name: 'File' }).click();
    const code = page.locator('.cm-content');
    await code.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('colour: red');
    await page.getByRole('button', { name: /freight.yaml:\d+.*colour/ }).waitFor();
    await page.locator('.line-remark').waitFor();
    await shot(page, '55-model-wrong');
    const serious = await findings(page);
    const closed = await page.getByRole('button', { name: 'Save', exact: true }).isDisabled();
    await page.keyboard.press('ControlOrMeta+Z');
    await page.keyboard.press('ControlOrMeta+Z');
    await page.getByText('It reads well').waitFor();
    return closed ? serious : ['it could be saved'];
  });
  await check('what somebody else wrote meanwhile is not lost, and neither is what is written here', async () => {
    const file = await (await page.request.get(new URL(`api/model/file?path=${path}`, site).href)).json();
    await api('save', { files: [{ path, text: `${file.text}# By somebody else.\n`, base: file.hash }] });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('was changed by somebody else while you wrote').waitFor();
    await page.locator('.theirs').getByText('# By somebody else.').waitFor();
    await shot(page, '56-model-conflict');
    return findings(page);
  });
  await check('after a look it is saved, and the model is another one', async () => {
    const version = await page.locator('.version').innerText();
    await page.getByRole('button', { name: 'Go on with mine in its place' }).click();
    await page.getByText('It reads well').waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await page.getByText('Saved. The model is the new one from now on.').waitFor();
    await title.getByText('Freight charges').waitFor();
    return (await page.locator('.version').innerText()) !== version;
  });
  await check('a question can be asked about an object', async () => {
    await page.getByRole('button', { name: 'Ask about it' }).click();
    await page.locator('article[aria-label^="Question"]').last().waitFor();
    await ended(page); // its answer brings the results into view
  });
  await check(
    'what is inferred from a file is reviewed: left out, looked over as files, and written down',
    async () => {
      await page.setInputFiles('input[type=file]', {
        name: 'visits.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('visit_id,day,fee\n1,2026-01-01,2.5\n2,2026-01-02,3.5\n3,2026-01-03,4.5\n'),
      });
      await ended(page); // an answer brings the results into view
      await page.getByRole('tab', { name: 'Sources' }).click();
      await page.getByRole('article', { name: 'Imported' }).getByText('visits.csv').waitFor();
      await page.goto(`${site}#model`);
      await page.getByRole('button', { name: /inferred entit/ }).click();
      await page.getByRole('heading', { name: 'Review what is inferred' }).waitFor();
      const visits = page.locator('.proposal li', { hasText: 'visits' }).first();
      await visits.getByRole('button', { name: /dimensions, metrics and joins/ }).click();
      await visits.getByRole('checkbox', { name: /fee/i }).first().uncheck();
      await shot(page, '57-model-proposal');
      const serious = await findings(page);
      await page.getByRole('button', { name: /Look over \d+ entit\w+ as files/ }).click();
      await page.getByRole('region', { name: 'Editing' }).waitFor();
      await shot(page, '58-model-proposal-files');
      return serious;
    },
  );
  for (const [name, options] of Object.entries({
    dark: { width: 1280, height: 800, scheme: 'dark' },
    wide: { width: 1920, height: 1000 },
    narrow: { width: 380, height: 720 },
  })) {
    await check(`the model reads well: ${name}`, async () => {
      const other = await visit(options);
      await other.page.goto(`${site}#model`);
      await other.page.locator('svg .node').first().waitFor();
      await shot(other.page, `59-model-${name}`);
      const wrong = [...(await findings(other.page)), ...(await clipped(other.page))];
      await other.page.goto(`${site}#model/${encodeURIComponent('entity/orders')}`);
      await other.page.locator('#object-title').waitFor();
      await shot(other.page, `59-model-entity-${name}`);
      wrong.push(...(await findings(other.page)), ...(await clipped(other.page)), ...other.trouble);
      await other.context.close();
      return wrong;
    });
  }
  // A conflict is an answer that a browser writes into its console.
  await check('nothing went wrong on the model page', () => trouble.filter((line) => !/status of 409/.test(line)));
}
