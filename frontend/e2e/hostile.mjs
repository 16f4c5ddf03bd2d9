// Hostile texts where a stranger may put them: titles, questions, names, notes, cells and columns. In the page they stay text, also in a session that came with a file.
import { readFileSync } from 'node:fs';
import { findings } from './browser.mjs';

const texts = JSON.parse(readFileSync(new URL('../../backend/report/testdata/hostile.json', import.meta.url), 'utf8'));

/** What a text of the data may never become. `known` are the elements and handlers that the page has without any. */
const foreign = () => {
  const bad = [];
  for (const element of document.querySelectorAll(
    'iframe, object, embed, base, meta[http-equiv], math, marquee, template, form[action], a[href], img, video, audio, source, link, script, foreignObject, image, style',
  )) {
    const own =
      element.matches(
        'meta[http-equiv="Content-Security-Policy"], style, link[rel], script[src^="/assets/"], script[src^="./assets/"]',
      ) ||
      (element.matches('a[href]') && element.getAttribute('href').startsWith('#')) ||
      (element.matches('img') && /^(data|blob):/.test(element.getAttribute('src') ?? ''));
    if (!own) bad.push(element.outerHTML.slice(0, 120));
  }
  for (const element of document.querySelectorAll('*'))
    for (const { name, value } of element.attributes)
      if (name.startsWith('on') || /^\s*javascript:/i.test(value))
        bad.push(`${element.tagName} ${name}=${value.slice(0, 60)}`);
  return bad;
};

const plain = (text) => text.replace(/\s+/g, ' ').trim();

export async function hostile({ visit, site, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1280, height: 860 });
  page.on('dialog', (dialog) => {
    trouble.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const call = async (method, path, data) => {
    const answer = await page.request.fetch(new URL(path, site).href, {
      method,
      data,
      headers: { accept: 'application/json' },
    });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return answer.json().catch(() => null);
  };
  const ask = (session_id, question) => call('POST', '/api/ask', { session_id, question });
  await check('hostile texts: as questions, names and notes of a session', async () => {
    const asked = [];
    for (const text of texts) {
      const question = plain(text).slice(0, 400) || 'nothing';
      asked.push(await ask('hostile-questions', question));
    }
    for (const [at, text] of texts.entries()) {
      const id = `hostile-${at % 40}`;
      if (at < 40) await ask(id, at % 2 ? 'orders by country' : 'revenue in 1997');
      await call('PATCH', `/api/sessions/${id}`, { title: (text + '.').slice(0, 400) });
    }
    const named = await ask('hostile-names', 'revenue by category in 1997');
    for (const text of texts)
      await call('POST', `/api/requests/${named.request_id}/view`, {
        show: 'table',
        title: text.slice(0, 60),
        pinned: true,
      });
    await call('POST', `/api/requests/${named.request_id}/feedback`, {
      thumb: 'down',
      words: texts.slice(0, 20).join(' '),
    });
    return asked.every((answer) => answer.outcome) ? [] : ['a question has no outcome'];
  });

  await check('hostile texts: all of them stand in the list of sessions as they are', async () => {
    await page.goto(site);
    await page.locator('#composer').waitFor();
    const lost = [];
    for (let from = 0; from < texts.length; from += 40) {
      for (const [at, text] of texts.slice(from, from + 40).entries())
        await call('PATCH', `/api/sessions/hostile-${at}`, { title: `${from + at} ${text}`.slice(0, 400) });
      const { sessions } = await call('GET', '/api/sessions');
      await page.reload();
      await page.getByRole('button', { name: 'Sessions', exact: true }).click();
      await page.getByRole('dialog').getByRole('searchbox').waitFor();
      await page.getByRole('dialog').locator('.open').first().waitFor();
      const shown = await page.getByRole('dialog').locator('.open').allTextContents();
      for (const head of sessions.filter(({ id }) => /^hostile-\d+$/.test(id)))
        if (!shown.some((row) => plain(row).includes(plain(head.title)))) lost.push(`${head.id}: ${head.title}`);
      lost.push(...(await page.evaluate(foreign)));
      await page.keyboard.press('Escape');
    }
    return lost;
  });

  await check('hostile texts: a table of them is shown, with hostile columns', async () => {
    const quoted = (text) => `"${text.replaceAll('"', '""').replaceAll('\u0000', '')}"`;
    const head = ['words', ...texts.slice(0, 30).map((text, at) => `${at}${text.slice(0, 60)}`)];
    const lines = [
      head.map(quoted).join(','),
      ...texts.map((text) => [text, ...head.slice(1).map((_, at) => String(at))].map(quoted).join(',')),
    ];
    await page.goto(site);
    await page.locator('#composer').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open files' }).first().click();
    await (
      await chooser
    ).setFiles({
      name: 'hostile "><img src=x onerror=alert(1)>.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\r\n')),
    });
    await page.getByRole('article', { name: 'Imported' }).waitFor();
    const bad = await page.evaluate(foreign);
    const { sources } = await call('GET', '/api/workspace');
    const table = sources.flatMap((source) => source.tables ?? []).find(({ name }) => name.includes('hostile'));
    const answer = await call('POST', '/api/ask', {
      session_id: 'hostile-cells',
      sql: `SELECT * FROM ${quoted(table.name)}`,
    });
    const cells = answer.frame.rows.map(([cell]) => cell);
    const kept = texts.filter(
      (text) =>
        plain(text.replaceAll('\u0000', '')) !== '' &&
        cells.some((cell) => plain(String(cell)) === plain(text.replaceAll('\u0000', ''))),
    );
    if (kept.length < 140) bad.push(`only ${kept.length} of ${texts.length} came through the file`);
    return bad;
  });

  for (const id of ['hostile-questions', 'hostile-names', 'hostile-cells'])
    await check(
      `hostile texts: the session ${id} stands in the page as text, here and where it came with a file`,
      async () => {
        const bad = [];
        const exported = await call('POST', `/api/sessions/${id}/export`, { frames: 'whole' });
        const file = await page.request.get(new URL(`/api/exports/${exported.id}`, site).href);
        const upload = await page.request.post(new URL('/api/uploads?name=hostile.assay', site).href, {
          data: await file.body(),
          headers: { 'content-type': 'application/octet-stream' },
        });
        const arrived = await call('POST', '/api/sessions/import', { token: (await upload.json()).token });
        for (const session of [id, arrived.session_id]) {
          await page.goto('about:blank');
          await page.goto(`${site}#session/${session}`);
          await page.locator('article[aria-label^="Question"]').first().waitFor();
          await page.evaluate(() => dispatchEvent(new Event('beforeprint'))); // all of it is drawn now
          const document = await call('GET', `/api/sessions/${session}`);
          const shown = plain(await page.locator('body').innerText());
          const said = document.turns
            .map(({ question }) => plain(question))
            .filter((question) => !question.startsWith('SELECT'));
          const missing = said.filter((question) => !shown.includes(question.slice(0, 60)));
          if (missing.length > said.length / 20)
            bad.push(
              `${session}: ${missing.length} of ${said.length} questions are not there: ${missing.slice(0, 3).join(' ¦ ')}`,
            );
          bad.push(...(await page.evaluate(foreign)));
        }
        await shot(page, `97-${id}`);
        return [...bad, ...(await findings(page))];
      },
    );

  await check('hostile texts: nothing ran, and nothing was fetched', () => trouble);
  await context.close();
}
