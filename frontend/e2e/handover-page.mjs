// A session as a page, opened from the disk in a browser without a network: it asks for nothing, sorts, prints, and keeps what others wrote as text.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findings, looksOf } from './browser.mjs';

const questions = [
  'revenue by category in 1997',
  'revenue by month',
  'top 5 customers by revenue in 1997',
  'freight by country in 1997',
  'orders by country and year',
  'total freight in 1997',
  'revenue by category and year',
  'list customers with phone and contact name',
  'average freight by month in 1997',
  'revenue by month compared to last year',
  'number of customers by country',
  'revenue by employee in 1997',
  'share of revenue by category in 1997',
  'products with unit price above 40',
  'revenue by quarter',
  'orders by month in 1997',
  'units sold by category in 1997',
  'what is the weather',
  'discounts by category in 1997',
  'revenue by city in Germany in 1997',
];

/** Every element and attribute that a page may be made of; a button is the head of a column that can be sorted. */
const ours = new Set(
  (
    'html head meta title style script body header nav main footer section div h1 h2 h3 p span small sup a bdi strong em br ul ol li dl dt dd pre code details ' +
    'summary figure figcaption table caption thead tbody tr th td button svg polygon text path desc rect line circle'
  ).split(' '),
);
const attributes = new Set(
  (
    'lang charset http-equiv content name id class dir title tabindex role aria-label aria-labelledby aria-hidden aria-sort href open scope data-words data-k type width height ' +
    'viewBox xmlns points x y text-anchor transform d rx x1 x2 y1 y2 cx cy r'
  ).split(' '),
);

export async function handoverPage({ visit, browser, check, shot }) {
  const { page: app, context: session } = await visit({ width: 1280, height: 860 });
  const folder = await mkdtemp(join(tmpdir(), 'assay-page-'));
  let heard = 0;
  const server = createServer((_, response) => {
    heard++;
    response.end();
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const elsewhere = `http://127.0.0.1:${server.address().port}`;

  const post = (path, body) =>
    app.evaluate(
      async ([at, sent]) => {
        const answer = await fetch(at, { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json' }, body: sent }); // prettier-ignore
        if (!answer.ok) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
        const text = await answer.text();
        return text === '' ? null : JSON.parse(text);
      },
      [path, JSON.stringify(body)],
    );
  /** Makes a file over the API and puts it on the disk. */
  const made = async (path, body) => {
    const ready = await post(path, body);
    const raw = await app.evaluate(async (id) => {
      const bytes = new Uint8Array(await (await fetch(`/api/exports/${id}`)).arrayBuffer());
      let text = '';
      for (const byte of bytes) text += String.fromCharCode(byte);
      return btoa(text);
    }, ready.id);
    const file = join(folder, `${ready.id}.html`);
    await writeFile(file, Buffer.from(raw, 'base64'));
    return { file, name: ready.name, bytes: Buffer.from(raw, 'base64').length };
  };
  /** Opens a file with the network off. `asked` collects every request beyond the file, and `trouble` what else must not happen. */
  const opened = async (file, options) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US', ...options });
    await context.setOffline(true);
    const asked = [];
    const trouble = [];
    const page = await context.newPage();
    const address = pathToFileURL(file).href;
    await context.route('**', (route) => {
      if (route.request().url() === address) return route.continue();
      asked.push(route.request().url());
      return route.abort();
    });
    page.on('request', (request) => {
      if (request.url() !== address) asked.push(request.url());
    });
    page.on('dialog', async (dialog) => {
      trouble.push(`dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
    page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
    page.on('console', (message) => trouble.push(`console: ${message.text()}`));
    page.on('popup', (popup) => trouble.push(`popup: ${popup.url()}`));
    await page.goto(address);
    return { page, context, asked, trouble };
  };
  /** What a page has that is not ours. */
  const strange = (page) =>
    page.evaluate(
      ([elements, names]) => {
        const found = [];
        for (const element of document.querySelectorAll('*')) {
          if (!elements.includes(element.localName)) found.push(`<${element.localName}>`);
          for (const { name, value } of element.attributes) {
            if (!names.includes(name)) found.push(`${element.localName} ${name}=${value}`);
            if (name === 'href' && !value.startsWith('#')) found.push(`leads to ${value}`);
          }
        }
        return found;
      },
      [[...ours], [...attributes]],
    );

  let whole = { file: '', name: '', bytes: 0 };
  await check('a session of twenty answers becomes a page of less than two megabytes', async () => {
    for (const question of questions) await post('/api/ask', { question, session_id: 'handover' });
    whole = await made('/api/sessions/handover/page', { frames: 'whole' });
    return whole.bytes < 2_000_000 && whole.name.endsWith('.html') ? [] : [`${whole.name}: ${whole.bytes} bytes`];
  });
  await check(
    'opened from the disk without a network it asks for nothing and has nothing that is not ours',
    async () => {
      const { page, context, asked, trouble } = await opened(whole.file);
      const found = await strange(page);
      const shown = await page.locator('main > section').count();
      const charts = await page.locator('svg.chart').count();
      await shot(page, '101-page');
      await context.close();
      return [...asked, ...trouble, ...found, ...(shown === questions.length && charts > 9 && heard === 0 ? [] : [`${shown} answers, ${charts} charts, ${heard} requests`])]; // prettier-ignore
    },
  );
  const sizes = looksOf(
    [
      [1280, 'light'],
      [380, 'dark'],
    ],
    [
      [1280, 'dark'],
      [380, 'light'],
    ],
  );
  for (const [width, colorScheme] of sizes)
    await check(`axe finds nothing on the page, ${width} wide, ${colorScheme}`, async () => {
      const { page, context } = await opened(whole.file, { colorScheme, viewport: { width, height: 900 } });
      const found = await findings(page);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await shot(page, `101-page-${width}-${colorScheme}`);
      await context.close();
      return over > 0 ? [...found, `it is ${over} pixels too wide`] : found;
    });
  await check('a number in a sentence leads to its cell', async () => {
    const { page, context } = await opened(whole.file);
    const cite = page.locator('.told a.cite').first();
    const words = await cite.innerText();
    await cite.click();
    const cell = await page.locator(':target').innerText();
    await context.close();
    return cell === words ? [] : [`${words} leads to ${cell}`];
  });
  await check('a table is sorted by a click and by a key, and comes back as it was', async () => {
    const { page, context } = await opened(whole.file);
    const table = page.locator('#q1-t');
    const head = table.getByRole('columnheader', { name: /Revenue/ });
    const numbers = async () =>
      (await table.locator('tbody td').allInnerTexts()).map((text) => Number(text.replaceAll(',', '')));
    const before = await numbers();
    await head.getByRole('button').click();
    const up = [await head.getAttribute('aria-sort'), ...(await numbers())];
    await head.getByRole('button').focus();
    await page.keyboard.press('Enter');
    const down = [await head.getAttribute('aria-sort'), ...(await numbers())];
    await page.keyboard.press('Space');
    const again = [await head.getAttribute('aria-sort'), ...(await numbers())];
    await context.close();
    const sorted = [...before].sort((a, b) => a - b);
    const wanted = [
      ['ascending', ...sorted],
      ['descending', ...sorted.toReversed()],
      [null, ...before],
    ];
    return JSON.stringify([up, down, again]) === JSON.stringify(wanted) ? [] : [JSON.stringify([up, down, again])];
  });
  await check(
    'numbers are sorted by their value, where all that differs has no room on the page or in a double',
    async () => {
      const sql = `SELECT * FROM (VALUES ('b', 12345678901234567890.12::DECIMAL(38, 2)), ('d', 9.5), ('a', 12345678901234567890.11), ('c', NULL), ('e', -3)) AS t(name, amount)`;
      await post('/api/ask', { sql, session_id: 'exact' });
      const { file } = await made('/api/sessions/exact/page', { frames: 'whole' });
      const { page, context } = await opened(file);
      await page.getByRole('columnheader', { name: 'amount' }).getByRole('button').click();
      const up = await page.locator('#q1-t tbody > tr > :first-child').allInnerTexts();
      await page.getByRole('columnheader', { name: 'amount' }).getByRole('button').click();
      const down = await page.locator('#q1-t tbody > tr > :first-child').allInnerTexts();
      await context.close();
      return up.join('') === 'edabc' && down.join('') === 'badec' ? [] : [up.join(''), down.join('')];
    },
  );
  await check('without script everything reads, and nothing asks to be clicked', async () => {
    const { page, context } = await opened(whole.file, { javaScriptEnabled: false });
    const read = await page.locator('#q1-t').innerText();
    const buttons = await page.getByRole('button').count();
    const open = await page.locator('details[open] dl').count();
    await context.close();
    return read.includes('Beverages') && buttons === 0 && open > 15 ? [] : [`${buttons} buttons, ${open} cards`, read];
  });
  await check('on paper it is light, whole and open', async () => {
    const { page, context } = await opened(whole.file, { colorScheme: 'dark' });
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const letter = await page.pdf({ format: 'Letter' });
    await page.emulateMedia({ media: 'print' });
    const said = await page.evaluate(() => ({
      paper: getComputedStyle(document.documentElement).backgroundColor,
      cut: [...document.querySelectorAll('.scroll')].filter((one) => one.scrollHeight > one.clientHeight + 1).length,
      closed: document.querySelectorAll('details:not([open])').length,
    }));
    await context.close();
    const right = said.paper === 'rgb(255, 255, 255)' && said.cut === 0 && said.closed === 0;
    return right && [pdf, letter].every((one) => one.subarray(0, 5).toString() === '%PDF-')
      ? []
      : [JSON.stringify(said)];
  });
  await check('what others wrote stays text, wherever it stands', async () => {
    const hostile = JSON.parse(await readFile(new URL('../../backend/report/testdata/hostile.json', import.meta.url), 'utf8')); // prettier-ignore
    const near = [`<img src="${elsewhere}/a.png">`, `<script src="${elsewhere}/a.js"></script>`, `<link rel=stylesheet href="${elsewhere}/a.css">`, `![x](${elsewhere}/b.png)`, `<style>@import "${elsewhere}/c.css"</style>`]; // prettier-ignore
    const all = [...hostile, ...near];
    const askable = all.filter((text) => text.trim() !== '' && !text.includes('\u0000'));
    for (const text of askable.filter((_, place) => place % 8 === 0 || place >= askable.length - near.length))
      await post('/api/ask', { question: text, session_id: 'hostile' });
    // A statement may not hold what does not show; the cells may.
    const literal = (text) =>
      text
        .replaceAll('\u0000', '')
        .match(/[ -~]+|[^ -~]/gu)
        ?.map((run) => (/[ -~]/.test(run) ? `'${run.replaceAll("'", "''")}'` : `chr(${run.codePointAt(0)})`))
        .join(' || ') ?? "''";
    const rows = all.map((text, place) => `(${place}, ${literal(text)})`).join(', ');
    const answer = await post('/api/ask', { sql: `SELECT * FROM (VALUES ${rows}) AS t(n, "<img src=x onerror=alert(1)>")`, session_id: 'hostile' }); // prettier-ignore
    await post(`/api/requests/${answer.request_id}/view`, {
      show: 'table',
      title: '</title><script>alert(1)</script>',
    });
    const { file } = await made('/api/sessions/hostile/page', { frames: 'whole' });
    const { page, context, asked, trouble } = await opened(file);
    const found = await strange(page);
    const cells = await page.locator('table.sorts').last().locator('tbody tr').evaluateAll((trs) => trs.map((tr) => tr.cells[1].textContent)); // prettier-ignore
    const read = (text) => text.replaceAll('\u0000', '').replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    const lost = all.filter((text, place) => (cells[place] ?? '') !== read(text) && read(text) !== '');
    for (const button of await page.locator('thead button').all()) await button.click();
    await shot(page, '102-page-hostile');
    const report = await made('/api/reports', { format: 'html', title: '</title><script>alert(2)</script>', items: [...near.map((text) => ({ kind: 'text', text })), { kind: 'heading', text: '<svg onload=alert(3)>' }, { kind: 'session', id: 'hostile' }] }); // prettier-ignore
    const second = await opened(report.file);
    const more = await strange(second.page);
    await context.close();
    await second.context.close();
    return [...asked, ...trouble, ...found, ...second.asked, ...second.trouble, ...more, ...lost.map((text) => `lost: ${text}`), ...(heard === 0 ? [] : [`the server was asked ${heard} times`])]; // prettier-ignore
  });
  await session.close();
  server.close();
  await rm(folder, { recursive: true });
}
