import { Fault } from './fault';
import type { FileChoice, SessionFilesApi } from './session-files';
import type { Exported, SessionArrived, SessionContents, SessionPreview } from './types';

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
