import { afterEach, describe, expect, it, vi } from 'vitest';
import { Fault } from '$lib/api/fault';
import { HttpBackend } from '$lib/api/http';
import { parseEvent, readEvents } from '$lib/api/sse';
import type { RunEvent } from '$lib/api/types';
import { answers, northwind, step } from './fixtures';

afterEach(() => vi.unstubAllGlobals());

const streamOf = (parts: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });

const events = (...all: [string, unknown][]) =>
  all.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');

function answerWith(body: BodyInit | null, init: ResponseInit = {}) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => new Response(body, init));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

const stream = (text: string | ReadableStream<Uint8Array>) =>
  answerWith(text, { headers: { 'Content-Type': 'text/event-stream' } });

describe('readEvents', () => {
  it('puts events together that arrive in pieces', async () => {
    const whole = events(['step', { a: 'ä' }], ['answer', { b: 2 }]);
    const bytes = new TextEncoder().encode(whole);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const seen: string[] = [];
    for await (const together of readEvents(body))
      for (const { event, data } of together) seen.push(`${event} ${data}`);
    expect(seen).toEqual(['step {"a":"ä"}', 'answer {"b":2}']);
  });

  it('reads comments, several lines and a last event without an empty line', async () => {
    expect(parseEvent(': keep alive')).toBeNull();
    expect(parseEvent('data: one\ndata: two')).toEqual({ event: 'message', data: 'one\ntwo' });
    const seen: string[] = [];
    for await (const together of readEvents(streamOf(['event: done\r\ndata: 1'])))
      for (const { event } of together) seen.push(event);
    expect(seen).toEqual(['done']);
  });

  it('gives those that came together together', async () => {
    const [first, second, last] = ['one', 'two', 'three'].map((name) => events([name, {}])) as [string, string, string];
    const seen: string[][] = [];
    for await (const together of readEvents(streamOf([first + second + last.slice(0, 5), last.slice(5)])))
      seen.push(together.map(({ event }) => event));
    expect(seen).toEqual([['one', 'two'], ['three']]);
  });
});

describe('HttpBackend', () => {
  const backend = new HttpBackend();
  const signal = new AbortController().signal;

  it('streams steps and gives the answer', async () => {
    const fetch = stream(
      events(
        ['step', { request_id: 'r', session_id: 's', step: step('interpret', 'done', 6) }],
        ['answer', answers.category],
      ),
    );
    const heard: RunEvent[] = [];
    const answer = await backend.ask({ request_id: 'r', question: 'q' }, (event) => heard.push(event), signal);
    expect(answer.outcome).toBe('answer');
    expect(heard.map((event) => event.step?.name)).toEqual(['interpret']);
    const [path, init] = fetch.mock.calls[0]!;
    expect(path).toBe('api/ask');
    expect(init.headers).toMatchObject({ Accept: 'text/event-stream', 'Content-Type': 'application/json' });
    expect(JSON.parse(String(init.body))).toEqual({ request_id: 'r', question: 'q' });
  });

  it('throws what an error event says', async () => {
    stream(events(['error', { code: 'limit', message: 'It took too long.', hint: 'Ask for less.' }]));
    await expect(backend.ask({ request_id: 'r', question: 'q' }, () => {}, signal)).rejects.toMatchObject({
      code: 'limit',
      message: 'It took too long.',
      hint: 'Ask for less.',
    });
  });

  it('says so when the stream ends before the answer', async () => {
    stream(events(['step', { request_id: 'r', session_id: 's' }]));
    await expect(backend.ask({ request_id: 'r', question: 'q' }, () => {}, signal)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('says words about requests and reads the inbox', async () => {
    const fetch = answerWith(JSON.stringify({ notices: [], settled: 'accepted' }));
    await backend.standing('a/b');
    await backend.say('r', 'rejected');
    await backend.say('r', 'accepted', 'copy');
    await backend.confirm('r', 'n', () => {}, signal);
    await backend.keep('r');
    expect(await backend.inbox()).toEqual([]);
    await backend.readNotice(7);
    expect(fetch.mock.calls.map(([path, init]) => `${init.method} ${path} ${init.body ?? ''}`)).toEqual([
      'GET api/requests/a%2Fb ',
      'POST api/requests/r/say {"on":"rejected"}',
      'POST api/requests/r/say {"on":"accepted","how":"copy"}',
      'POST api/requests/r/confirm {"request_id":"n"}',
      'POST api/requests/r/keep {}',
      'GET api/inbox ',
      'POST api/inbox/7/read {}',
    ]);
  });

  it('throws the problem of a refused request, and has words when there is none', async () => {
    answerWith(JSON.stringify({ code: 'not_found', message: 'No such session.', hint: '' }), { status: 404 });
    await expect(backend.session('x')).rejects.toMatchObject({ code: 'not_found', message: 'No such session.' });
    answerWith('<html>', { status: 502 });
    await expect(backend.session('x')).rejects.toThrow('502');
  });

  it('says so when nobody answers, and tells a stop from a failure', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(backend.workspace()).rejects.toMatchObject({ code: 'unavailable' });
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('stopped', 'AbortError')));
    await expect(backend.workspace()).rejects.toMatchObject({ code: 'canceled' });
  });

  it('reports the progress of an import and its result', async () => {
    stream(
      events(
        ['progress', { stage: 'load', file: 'a.csv', bytes_done: 1, bytes_total: 2, rows: 1 }],
        ['done', { sources: [], workspace: northwind }],
      ),
    );
    const seen: number[] = [];
    const done = await backend.importFiles(
      { tokens: ['t'], request_id: 'r' },
      (progress) => seen.push(progress.bytes_done),
      signal,
    );
    expect(seen).toEqual([1]);
    expect(done.workspace.label).toBe('Northwind');
  });
});

it('a Fault has a hint for a person', () => {
  expect(new Fault('limit', 'Too much.', 'Ask for less.')).toMatchObject({ name: 'Fault', hint: 'Ask for less.' });
});
