// A stand-in for the program, for working on the page without it: the built page, and an API that knows a handful of
// answers. `node e2e/mock/server.mjs [port]`. The real thing is `assay serve`.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const fixture = (name) => JSON.parse(readFileSync(here(`../../tests/fixtures/${name}.json`), 'utf8'));
const dist = here('../../dist');
const port = Number(process.argv[2] ?? 8787);

const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; frame-src 'none'; child-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'";
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain',
};

const workspace = fixture('workspace');
const sessions = new Map();
const stopped = new Set();
const uploads = new Map();
let serial = 0;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function answerTo(asked) {
  if (/order/i.test(asked)) return manyOrders();
  if (/month|quarter/i.test(asked)) return fixture('month');
  if (/total/i.test(asked)) return fixture('total');
  if (/profit/i.test(asked)) return fixture('refuse');
  if (/sales/i.test(asked)) return fixture('clarify');
  return fixture('category');
}

function manyOrders() {
  const answer = fixture('orders');
  const seeds = answer.frame.rows;
  answer.frame.rows = Array.from({ length: 12000 }, (_, index) => {
    const [id, ...rest] = seeds[index % seeds.length];
    return [id + index, ...rest];
  });
  answer.frame.row_count = 12000;
  answer.frame.truncated = { cap: 12000, total_rows: 48210 };
  return answer;
}

async function ask(body, out) {
  const asked = body.question ?? body.frame_ql;
  const sessionId = body.session_id ?? `ses_${++serial}`;
  const send = (event, data) => out.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const answer = answerTo(asked);
  const slow = /slow/i.test(asked) ? 20 : 1;
  for (const step of answer.trace) {
    for (const status of ['started', 'done']) {
      if (stopped.has(body.request_id)) return send('error', { code: 'canceled', message: 'Stopped.', hint: '' });
      send('step', { request_id: body.request_id, session_id: sessionId, step: { ...step, status } });
      await pause(status === 'started' ? step.took_ms * 6 * slow : 10);
    }
  }
  if (/fail/i.test(asked)) {
    return send('error', {
      code: 'unavailable',
      message: 'The disk is full.',
      hint: 'Free some space, then ask again.',
    });
  }
  const document = sessions.get(sessionId) ?? {
    id: sessionId,
    title: asked,
    created: new Date().toISOString(),
    turns: [],
  };
  const index = document.turns.length + 1;
  Object.assign(answer, { request_id: body.request_id, session_id: sessionId, turn: index, question: asked });
  if (answer.frame) {
    const id = `${answer.frame.id}_${index}`;
    answer.narration?.citations.forEach((citation) => (citation.frame = id));
    answer.frame.id = id;
  }
  document.updated = new Date().toISOString();
  document.turns.push({
    index,
    request_id: body.request_id,
    question: asked,
    asked: document.updated,
    outcome: answer.outcome,
    status: answer.status,
    answer,
    artifacts: [],
    trace: answer.trace,
  });
  sessions.set(sessionId, document);
  send('answer', answer);
}

async function importFiles(body, out) {
  const send = (event, data) => out.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const imported = [];
  for (const token of body.tokens) {
    const { name, bytes } = uploads.get(token);
    const rows = bytes.toString('utf8').trim().split('\n').length - 1;
    for (let done = 0; done <= 5; done++) {
      if (stopped.has(body.request_id)) return send('error', { code: 'canceled', message: 'Stopped.', hint: '' });
      send('progress', {
        stage: done < 2 ? 'sniff' : 'load',
        file: name,
        bytes_done: (bytes.length * done) / 5,
        bytes_total: bytes.length,
        rows: Math.round((rows * done) / 5),
      });
      await pause(/slow/.test(name) ? 600 : 40);
    }
    const alias = name.replace(/\.\w+$/, '');
    imported.push({
      id: `src_${token}`,
      name,
      format: 'csv',
      bytes: bytes.length,
      epoch: 'sha256:77',
      tables: [{ name: alias, alias, rows, columns: 3, rejected: 1, reject_table: `${alias}_rejected` }],
      notes: ['Read as UTF-8 with a comma between fields.'],
    });
  }
  workspace.sources = [...imported, ...workspace.sources];
  workspace.questions = ['total amount', 'amount by city', 'amount by month', 'list orders'];
  send('done', { sources: imported, workspace });
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

async function api(request, response, url) {
  const json = (value, status = 200) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  const bytes = await bodyOf(request);
  const body = () => JSON.parse(bytes.toString('utf8') || '{}');
  const route = `${request.method} ${url.pathname}`;
  const session = /^\/api\/sessions\/(.+)$/.exec(url.pathname)?.[1];
  if (route === 'GET /api/workspace') return json(workspace);
  if (route === 'GET /api/sessions') {
    const heads = [...sessions.values()].map(({ turns, ...head }) => ({ ...head, turns: turns.length }));
    return json({ sessions: heads });
  }
  if (session) {
    const document = sessions.get(session);
    if (!document) return json({ code: 'not_found', message: 'There is no such session.', hint: '' }, 404);
    if (request.method === 'DELETE') sessions.delete(session);
    if (request.method === 'PATCH') document.title = body().title;
    return json(request.method === 'GET' ? document : {});
  }
  const cancelled = /^\/api\/requests\/(.+)\/cancel$/.exec(url.pathname)?.[1];
  if (cancelled) {
    stopped.add(cancelled);
    return json({ canceled: true });
  }
  if (route === 'POST /api/uploads') {
    const token = `t${++serial}`;
    uploads.set(token, { name: url.searchParams.get('name'), bytes });
    return json({ token, name: url.searchParams.get('name'), bytes: bytes.length });
  }
  if (route === 'POST /api/ask' || route === 'POST /api/import') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    await (route === 'POST /api/ask' ? ask : importFiles)(body(), response);
    return response.end();
  }
  return json({ code: 'not_found', message: 'No such route.', hint: '' }, 404);
}

async function page(response, url) {
  const name = url.pathname === '/' ? '/index.html' : url.pathname;
  try {
    const content = await readFile(join(dist, name));
    response.writeHead(200, {
      'Content-Type': types[extname(name)] ?? 'application/octet-stream',
      'Content-Security-Policy': policy,
    });
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
}

createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const work = url.pathname.startsWith('/api/') ? api(request, response, url) : page(response, url);
  work.catch((error) => response.writeHead(500).end(String(error)));
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
