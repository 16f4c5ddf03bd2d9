import { randomId } from '../random-id';
import { say } from '../text';
import { asFault, Fault } from './fault';
import { readEvents } from './sse';
import type { Exported } from './types';

/** How the clients of the areas talk to the program: JSON, streams of events, and bytes. Whatever goes wrong is a Fault. */
export class Transport {
  /** Called when the program cannot be reached. */
  lost: () => void = () => undefined;

  /** Runs a streamed request: every event goes to `hear`, the one called `last` is the result, `error` is thrown. */
  async stream<Result>(
    path: string,
    body: unknown,
    signal: AbortSignal,
    last: string,
    hear: (event: string, data: unknown) => void,
  ): Promise<Result> {
    const response = await this.send('POST', path, body, { signal, accept: 'text/event-stream' });
    if (!response.headers.get('Content-Type')?.startsWith('text/event-stream'))
      return (await response.json()) as Result;
    if (!response.body) throw unreachable();
    try {
      for await (const events of readEvents(response.body)) {
        for (const { event, data } of events) {
          const value = parse(data);
          if (event === 'error') throw faultOf(value, 500);
          if (event === last) return value as Result;
          hear(event, value);
        }
      }
    } catch (thrown) {
      throw this.heard(asFault(thrown, brokenOff()));
    }
    throw this.heard(brokenOff());
  }

  /** Sends a request without a body and gives the JSON of its answer. */
  async json<Result>(method: string, path: string): Promise<Result> {
    const response = await this.send(method, path);
    return (await response.json()) as Result;
  }

  /** Has the program write a file, which can be fetched within the hour. A signal stops the writing there too. */
  async export(path: string, asked: object, signal: AbortSignal): Promise<Exported> {
    const request_id = randomId();
    const stop = () => void this.send('POST', `api/requests/${request_id}/cancel`).catch(() => undefined); // it is over then
    signal.addEventListener('abort', stop, { once: true });
    try {
      return (await (await this.send('POST', path, { ...asked, request_id }, { signal })).json()) as Exported;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Sends a request and gives the response; one that is not a success is thrown as a Fault. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    options: { signal?: AbortSignal; accept?: string; keepalive?: boolean } = {},
  ): Promise<Response> {
    const headers: Record<string, string> = { Accept: options.accept ?? 'application/json' };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    let response: Response;
    try {
      response = await fetch(path, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: options.signal,
        keepalive: options.keepalive,
      });
    } catch (thrown) {
      throw this.heard(asFault(thrown, unreachable()));
    }
    if (!response.ok) throw faultOf(parse(await response.text()), response.status);
    return response;
  }

  // A request that was stopped says nothing about the program.
  private heard(fault: Fault): Fault {
    if (fault.code === 'unavailable') this.lost();
    return fault;
  }
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function faultOf(body: unknown, status: number): Fault {
  const sent = (body ?? {}) as { code?: string; message?: string; hint?: string; field?: string };
  const message = sent.message ?? say('window.error.status', { status });
  return new Fault(sent.code ?? 'internal', message, sent.hint ?? '', sent.field ?? '');
}

export const unreachable = () =>
  new Fault('unavailable', say('window.error.unreachable'), say('window.error.unreachable_hint'));
const brokenOff = () => new Fault('unavailable', say('window.error.broken_off'), say('window.error.broken_off_hint'));
