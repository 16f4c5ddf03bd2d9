import { say } from '../text';
import { asFault, Fault, type AskRequest, type Backend, type Use, type Word } from './backend';
import { readEvents } from './sse';
import type {
  Answer,
  Completion,
  Imported,
  ImportProgress,
  InboxNotice,
  RunEvent,
  SessionDocument,
  SessionHead,
  Standing,
  Upload,
  Workspace,
} from './types';

/** The backend over HTTP. Paths are relative to the page: one program serves both, on loopback or inside the window. */
export class HttpBackend implements Backend {
  workspace = () => this.json<Workspace>('GET', 'api/workspace');

  async ask(request: AskRequest, onEvent: (event: RunEvent) => void, signal: AbortSignal): Promise<Answer> {
    return this.stream<Answer>('api/ask', request, signal, 'answer', (event, data) => {
      if (event === 'step') onEvent(data as RunEvent);
    });
  }

  async cancel(requestId: string): Promise<void> {
    await this.send('POST', `api/requests/${encodeURIComponent(requestId)}/cancel`);
  }

  standing = (requestId: string) => this.json<Standing>('GET', `api/requests/${encodeURIComponent(requestId)}`);

  async say(requestId: string, on: Word, how?: Use): Promise<Standing> {
    const response = await this.send('POST', `api/requests/${encodeURIComponent(requestId)}/say`, { on, how });
    return (await response.json()) as Standing;
  }

  async confirm(requestId: string, signal: AbortSignal): Promise<Answer> {
    const path = `api/requests/${encodeURIComponent(requestId)}/confirm`;
    const response = await this.send('POST', path, {}, { signal });
    return (await response.json()) as Answer;
  }

  async keep(requestId: string): Promise<void> {
    await this.send('POST', `api/requests/${encodeURIComponent(requestId)}/keep`, {});
  }

  async inbox(): Promise<InboxNotice[]> {
    return (await this.json<{ notices: InboxNotice[] }>('GET', 'api/inbox')).notices;
  }

  async readNotice(id: number): Promise<void> {
    await this.send('POST', `api/inbox/${id}/read`, {});
  }

  async complete(question: string, signal: AbortSignal): Promise<Completion[]> {
    const response = await this.send('GET', `api/complete?q=${encodeURIComponent(question)}`, undefined, { signal });
    return ((await response.json()) as { completions: Completion[] }).completions;
  }

  async sessions(): Promise<SessionHead[]> {
    const list = await this.json<{ sessions: SessionHead[] | null }>('GET', 'api/sessions');
    return list.sessions ?? [];
  }

  session = (id: string) => this.json<SessionDocument>('GET', `api/sessions/${encodeURIComponent(id)}`);

  async renameSession(id: string, title: string): Promise<void> {
    await this.send('PATCH', `api/sessions/${encodeURIComponent(id)}`, { title });
  }

  async removeSession(id: string): Promise<void> {
    await this.send('DELETE', `api/sessions/${encodeURIComponent(id)}`);
  }

  async link(url: string): Promise<string> {
    const response = await this.send('POST', 'api/links', { url });
    return ((await response.json()) as { id: string }).id;
  }

  /** Sends the bytes with XMLHttpRequest, because fetch does not say how much of a body has gone. */
  upload(file: File, onBytes: (done: number, total: number) => void, signal: AbortSignal): Promise<Upload> {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open('POST', `api/uploads?name=${encodeURIComponent(file.name)}`);
      request.setRequestHeader('Content-Type', 'application/octet-stream');
      request.upload.onprogress = (event) => onBytes(event.loaded, file.size);
      request.onerror = () => reject(unreachable());
      request.onabort = () => reject(new Fault('canceled', say('window.import.canceled')));
      request.onload = () => {
        const body = parse(request.responseText);
        if (request.status >= 200 && request.status < 300) resolve(body as Upload);
        else reject(faultOf(body, request.status));
      };
      if (signal.aborted) return reject(new Fault('canceled', say('window.import.canceled')));
      signal.addEventListener('abort', () => request.abort(), { once: true });
      request.send(file);
    });
  }

  async importFiles(
    request: { tokens: string[]; request_id: string },
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
  ): Promise<Imported> {
    return this.stream<Imported>('api/import', request, signal, 'done', (event, data) => {
      if (event === 'progress') onProgress(data as ImportProgress);
    });
  }

  // Runs a streamed request: every event goes to `hear`, the one called `last` is the result, `error` is thrown.
  private async stream<Result>(
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
      for await (const { event, data } of readEvents(response.body)) {
        const value = parse(data);
        if (event === 'error') throw faultOf(value, 500);
        if (event === last) return value as Result;
        hear(event, value);
      }
    } catch (thrown) {
      throw asFault(thrown, brokenOff());
    }
    throw brokenOff();
  }

  private async json<Result>(method: string, path: string): Promise<Result> {
    const response = await this.send(method, path);
    return (await response.json()) as Result;
  }

  private async send(
    method: string,
    path: string,
    body?: unknown,
    options: { signal?: AbortSignal; accept?: string } = {},
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
      });
    } catch (thrown) {
      throw asFault(thrown, unreachable());
    }
    if (!response.ok) throw faultOf(parse(await response.text()), response.status);
    return response;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function faultOf(body: unknown, status: number): Fault {
  const sent = (body ?? {}) as { code?: string; message?: string; hint?: string };
  return new Fault(sent.code ?? 'internal', sent.message ?? say('window.error.status', { status }), sent.hint ?? '');
}

const unreachable = () =>
  new Fault('unavailable', say('window.error.unreachable'), say('window.error.unreachable_hint'));
const brokenOff = () => new Fault('unavailable', say('window.error.broken_off'), say('window.error.broken_off_hint'));
