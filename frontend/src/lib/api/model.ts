import type { Transport } from './transport';
import type { ContextEdit, ContextFile, ModelCatalogue, ModelCheck, ModelField, SessionModel } from './types';

/** The model and its files. Only `save` writes. */
export interface ModelApi {
  catalogue(): Promise<ModelCatalogue>;
  file(path: string): Promise<ContextFile>;
  /** What is wrong with edits, and how the model would change. */
  check(files: ContextEdit[], signal: AbortSignal): Promise<ModelCheck>;
  /** Rejects with `conflict` when a file is not as its author saw it; then nothing is written. */
  save(files: ContextEdit[]): Promise<ModelCatalogue>;
  /** Changes fields of the object at a line in the text of its file. */
  fields(text: string, line: number, fields: ModelField[]): Promise<string>;
  /** What is inferred as context files, without what is left out. */
  proposal(leaveOut: string[]): Promise<ContextFile[]>;
  /** What came with a session, beside what is here: an offer. */
  travelled(sessionId: string): Promise<SessionModel>;
}

export class HttpModelApi implements ModelApi {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  catalogue = () => this.transport.json<ModelCatalogue>('GET', 'api/model');

  file = (path: string) => this.transport.json<ContextFile>('GET', `api/model/file?path=${encodeURIComponent(path)}`);

  check = (files: ContextEdit[], signal: AbortSignal) => this.post<ModelCheck>('check', { files }, signal);

  save = (files: ContextEdit[]) => this.post<ModelCatalogue>('save', { files });

  fields = async (text: string, line: number, fields: ModelField[]) =>
    (await this.post<ContextFile>('fields', { text, line, fields })).text;

  proposal = async (leaveOut: string[]) =>
    (await this.post<{ files: ContextFile[] }>('proposal', { leave_out: leaveOut })).files;

  travelled = (sessionId: string) =>
    this.transport.json<SessionModel>('GET', `api/sessions/${encodeURIComponent(sessionId)}/model`);

  private async post<Result>(what: string, body: unknown, signal?: AbortSignal): Promise<Result> {
    return (await (await this.transport.send('POST', `api/model/${what}`, body, { signal })).json()) as Result;
  }
}
