import { say } from '../text';
import { HttpBranches } from './branches';
import { HttpCharts } from './charts';
import type { AskRequest, Backend, ImportRequest, SessionChange, Use, Word } from './backend';
import { HttpData } from './data';
import { Fault } from './fault';
import { HttpExports } from './exports';
import { HttpFeedback } from './feedback';
import { HttpSettings } from './settings';
import { HttpResults } from './results';
import { HttpReading } from './reading';
import { HttpKnowledge } from './knowledge';
import { HttpMemory } from './memory';
import { HttpMinds } from './minds';
import { HttpModelApi } from './model';
import { HttpPage } from './page';
import { HttpQueryApi } from './query';
import { HttpReplay } from './replay';
import { HttpReports } from './reports';
import { HttpSessionFiles } from './session-files';
import { HttpSessionLife } from './session-life';
import { HttpShares } from './shares';
import { HttpSaved } from './saved';
import { faultOf, parse, Transport, unreachable } from './transport';
import type {
  Answer,
  Completion,
  Imported,
  ImportProgress,
  InboxNotice,
  RunEvent,
  SentTexts,
  SessionDocument,
  SessionHead,
  Standing,
  Upload,
  Workspace,
} from './types';

/** The backend over HTTP. Paths are relative to the page: one program serves both, on loopback or inside the window. */
export class HttpBackend implements Backend {
  private readonly transport = new Transport();
  readonly settings = new HttpSettings(this.transport);
  readonly exports = new HttpExports(this.transport);
  readonly feedback = new HttpFeedback(this.transport);
  readonly results = new HttpResults(this.transport);
  readonly query = new HttpQueryApi(this.transport);
  readonly saved = new HttpSaved(this.transport);
  readonly page = new HttpPage(this.transport);
  readonly charts = new HttpCharts(this.transport);
  readonly branches = new HttpBranches(this.transport);
  readonly replay = new HttpReplay(this.transport);
  readonly sessionFiles = new HttpSessionFiles(this.transport);
  readonly sessionLife = new HttpSessionLife(this.transport);
  readonly shares = new HttpShares(this.transport);
  readonly reports = new HttpReports(this.transport);
  readonly data = new HttpData(this.transport);
  readonly model = new HttpModelApi(this.transport);
  readonly memory = new HttpMemory(this.transport);
  readonly knowledge = new HttpKnowledge(this.transport);
  readonly minds = new HttpMinds(this.transport);
  readonly reading = new HttpReading(this.transport);

  taught = async () => new (await import('./taught')).HttpTaught(this.transport);

  watch(lost: () => void): void {
    this.transport.lost = lost;
  }

  workspace = () => this.transport.json<Workspace>('GET', 'api/workspace');

  async ask(request: AskRequest, onEvent: (event: RunEvent) => void, signal: AbortSignal): Promise<Answer> {
    return this.run('api/ask', request, onEvent, signal);
  }

  confirm = (requestId: string, runId: string, onEvent: (event: RunEvent) => void, signal: AbortSignal) =>
    this.run(`api/requests/${encodeURIComponent(requestId)}/confirm`, { request_id: runId }, onEvent, signal);

  private run(path: string, body: unknown, onEvent: (event: RunEvent) => void, signal: AbortSignal): Promise<Answer> {
    return this.transport.stream<Answer>(path, body, signal, 'answer', (event, data) => {
      if (event === 'step' || event === 'draft') onEvent(data as RunEvent);
    });
  }

  async cancel(requestId: string): Promise<void> {
    await this.transport.send('POST', `api/requests/${encodeURIComponent(requestId)}/cancel`);
  }

  standing = (requestId: string) =>
    this.transport.json<Standing>('GET', `api/requests/${encodeURIComponent(requestId)}`);

  sentTexts = (requestId: string) =>
    this.transport.json<SentTexts>('GET', `api/requests/${encodeURIComponent(requestId)}/sent`);

  async say(requestId: string, on: Word, how?: Use): Promise<Standing> {
    const response = await this.transport.send('POST', `api/requests/${encodeURIComponent(requestId)}/say`, {
      on,
      how,
    });
    return (await response.json()) as Standing;
  }

  async keep(requestId: string): Promise<void> {
    await this.transport.send('POST', `api/requests/${encodeURIComponent(requestId)}/keep`, {});
  }

  async inbox(): Promise<InboxNotice[]> {
    return (await this.transport.json<{ notices: InboxNotice[] }>('GET', 'api/inbox')).notices;
  }

  async readNotice(id: number): Promise<void> {
    await this.transport.send('POST', `api/inbox/${id}/read`, {});
  }

  async complete(question: string, signal: AbortSignal): Promise<Completion[]> {
    const response = await this.transport.send('GET', `api/complete?q=${encodeURIComponent(question)}`, undefined, {
      signal,
    });
    return ((await response.json()) as { completions: Completion[] }).completions;
  }

  async sessions(): Promise<SessionHead[]> {
    const list = await this.transport.json<{ sessions: SessionHead[] | null }>('GET', 'api/sessions');
    return list.sessions ?? [];
  }

  session = (id: string) => this.transport.json<SessionDocument>('GET', `api/sessions/${encodeURIComponent(id)}`);

  async changeSession(id: string, change: SessionChange): Promise<void> {
    await this.transport.send('PATCH', `api/sessions/${encodeURIComponent(id)}`, change);
  }

  async removeSession(id: string): Promise<void> {
    await this.transport.send('DELETE', `api/sessions/${encodeURIComponent(id)}`);
  }

  async restoreSession(id: string): Promise<void> {
    await this.transport.send('POST', `api/sessions/${encodeURIComponent(id)}/restore`, {});
  }

  async link(url: string): Promise<string> {
    const response = await this.transport.send('POST', 'api/links', { url });
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
    request: ImportRequest,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
  ): Promise<Imported> {
    return this.transport.stream<Imported>('api/import', request, signal, 'done', (event, data) => {
      if (event === 'progress') onProgress(data as ImportProgress);
    });
  }
}
