import { Fault } from './fault';
import type { PageChoice, ReportRequest, ReportsApi } from './reports';
import type { FileChoice, SessionFilesApi } from './session-files';
import type { ShareChoice, SharesApi } from './shares';
import type { Exported, SessionArrived, SessionContents, SessionPreview, ShareHead, ShareMade } from './types';

/** Session files for tests: what they hold is put in before. */
export class FakeSessionFiles implements SessionFilesApi {
  asked: [string, FileChoice][] = [];
  written: [string, FileChoice][] = [];
  taken: string[] = [];
  holds: SessionContents | null = null;
  previews = new Map<string, SessionPreview>();
  failure: Fault | null = null;

  async contents(sessionId: string, choice: FileChoice): Promise<SessionContents> {
    this.asked.push([sessionId, choice]);
    if (this.failure || !this.holds) throw this.failure ?? new Fault('not_found', 'There is no such session.');
    return this.holds;
  }

  async write(sessionId: string, choice: FileChoice): Promise<Exported> {
    if (this.failure) throw this.failure;
    this.written.push([sessionId, choice]);
    return { id: 'file', name: `${sessionId}.assay`, bytes: 1 };
  }

  async preview(token: string): Promise<SessionPreview> {
    const preview = this.previews.get(token);
    if (!preview) throw new Fault('invalid', 'This is not a session file of Assay.', 'Choose another one.');
    return preview;
  }

  async take(token: string): Promise<SessionArrived> {
    if (this.failure) throw this.failure;
    this.taken.push(token);
    return { session_id: `arrived-${token}`, title: 'revenue' };
  }
}

/** Addresses for tests: they are held as they are made, and end when they are revoked. */
export class FakeShares implements SharesApi {
  made: [string, ShareChoice][] = [];
  all: ShareHead[] = [];
  failure: Fault | null = null;

  async make(sessionId: string, choice: ShareChoice): Promise<ShareMade> {
    if (this.failure) throw this.failure;
    this.made.push([sessionId, choice]);
    const id = `share-${this.made.length}`;
    const [created, expires] = ['2026-11-01T09:00:00Z', '2026-11-08T09:00:00Z'];
    const made = { id, turn: choice.turn ?? 2, frames: choice.frames, created, expires, revoked: null, opened: 0 };
    const head = { ...made, session_id: sessionId, actor: 'user:test', seen: null };
    this.all = [head, ...this.all];
    return { ...made, url: `http://127.0.0.1:8787/shared/${id}` };
  }

  async of(): Promise<ShareHead[]> {
    if (this.failure) throw this.failure;
    return this.all;
  }

  async revoke(id: string): Promise<void> {
    if (this.failure) throw this.failure;
    this.all = this.all.map((one) => (one.id === id ? { ...one, revoked: '2026-11-02T09:00:00Z' } : one));
  }
}

/** Pages and reports for tests: what was asked for is written down. */
export class FakeReports implements ReportsApi {
  pages: [string, PageChoice][] = [];
  reports: ReportRequest[] = [];
  failure: Fault | null = null;

  async page(sessionId: string, choice: PageChoice): Promise<Exported> {
    if (this.failure) throw this.failure;
    this.pages.push([sessionId, choice]);
    return { id: 'page', name: `${sessionId}.html`, bytes: 10 };
  }

  async write(request: ReportRequest): Promise<Exported> {
    if (this.failure) throw this.failure;
    this.reports.push(request);
    return { id: 'report', name: `report.${request.format}`, bytes: 10 };
  }
}
