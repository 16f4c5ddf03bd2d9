import type { DataApi, PreviewRequest, ProfileRequest, RefreshRequest } from './data';
import { Fault } from './fault';
import type {
  Imported,
  ImportProgress,
  Preview,
  SourceDetail,
  TableHead,
  TableProfile,
  TableRejected,
  Workspace,
} from './types';

/** The data area for tests: it answers from values that the test puts in, and writes down what it was asked. */
export class FakeData implements DataApi {
  listed: SourceDetail[] = [];
  done: string[] = [];
  previewed: PreviewRequest[] = [];
  refreshed: [string, RefreshRequest][] = [];
  profiled: ProfileRequest[] = [];
  workspace: Workspace | null = null;
  imported: Imported | null = null;
  previews: Preview[] = [];
  tableHead: TableHead = { columns: [], rows: [], left_out: [] };
  lines: TableRejected = { lines: [], all: 0 };
  asks = '';
  profiles: (signal: AbortSignal, onProgress: (done: number, total: number) => void) => Promise<TableProfile> = () =>
    Promise.reject(new Fault('internal', 'no profile was prepared'));
  failures: Record<string, Fault> = {};

  async sources(): Promise<SourceDetail[]> {
    this.fail('sources');
    return this.listed;
  }

  async rename(id: string, name: string): Promise<SourceDetail[]> {
    this.fail('rename');
    this.listed = this.listed.map((source) => (source.id === id ? { ...source, name } : source));
    return this.listed;
  }

  async remove(id: string): Promise<Workspace> {
    return this.note('remove', id);
  }

  async restore(id: string): Promise<Workspace> {
    return this.note('restore', id);
  }

  async repair(problem: string, how: string): Promise<Workspace> {
    return this.note(how, problem);
  }

  async refresh(
    id: string,
    request: RefreshRequest,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<Imported> {
    this.refreshed.push([id, request]);
    this.fail('refresh');
    onProgress({ file: 'a.csv', stage: 'load', bytes_done: 1, bytes_total: 2, rows: 1 });
    if (!this.imported) throw new Fault('internal', 'no import was prepared');
    return this.imported;
  }

  async preview(request: PreviewRequest, signal: AbortSignal): Promise<Preview> {
    this.previewed.push(structuredClone(request));
    if (signal.aborted) throw new Fault('canceled', 'stopped');
    this.fail('preview');
    const next = this.previews.length > 1 ? this.previews.shift() : this.previews[0];
    if (!next) throw new Fault('internal', 'no preview was prepared');
    return next;
  }

  async sample(): Promise<Imported> {
    this.fail('sample');
    if (!this.imported) throw new Fault('internal', 'no import was prepared');
    return this.imported;
  }

  async forget(token: string): Promise<void> {
    this.done.push(`forget ${token}`);
  }

  async head(): Promise<TableHead> {
    this.fail('head');
    return this.tableHead;
  }

  async rejected(): Promise<TableRejected> {
    this.fail('rejected');
    return this.lines;
  }

  async question(): Promise<string> {
    this.fail('question');
    return this.asks;
  }

  profile(
    request: ProfileRequest,
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<TableProfile> {
    this.profiled.push(request);
    return this.profiles(signal, onProgress);
  }

  private note(what: string, id: string): Workspace {
    this.fail(what);
    this.done.push(`${what} ${id}`);
    if (!this.workspace) throw new Fault('internal', 'no workspace was prepared');
    return this.workspace;
  }

  private fail(method: string): void {
    const fault = this.failures[method];
    if (fault) throw fault;
  }
}
