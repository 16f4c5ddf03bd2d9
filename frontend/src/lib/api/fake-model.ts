import { Fault } from './fault';
import type { ModelApi } from './model';
import type { ContextEdit, ContextFile, ModelCatalogue, ModelCheck, SessionModel } from './types';

/** The model for tests: files are kept as they are saved, and a file that was changed since is a conflict. */
export class FakeModelApi implements ModelApi {
  now: ModelCatalogue = {
    model: { version: 'sha256:1', inferred: false, stale: false, problem: '' },
    may_write: true,
    objects: [],
    skills: [],
    skill_problems: [],
  };
  files = new Map<string, string>();
  result: ModelCheck = { problems: [], changes: [] };
  proposed: ContextFile[] = [];
  leftOut: string[][] = [];
  came: SessionModel | null = null;

  catalogue = async () => this.now;

  file = async (path: string): Promise<ContextFile> => ({
    path,
    text: this.files.get(path) ?? '',
    hash: this.files.get(path) ?? '',
  });

  check = async () => this.result;

  async save(files: ContextEdit[]): Promise<ModelCatalogue> {
    for (const { path, base } of files) {
      if ((this.files.get(path) ?? '') !== base) throw new Fault('conflict', `${path} was changed`);
    }
    for (const { path, text } of files) this.files.set(path, text);
    return this.now;
  }

  fields = async (text: string) => `${text}\nedited: true`;

  async travelled(): Promise<SessionModel> {
    if (!this.came) throw new Fault('not_found', 'There is no such session.');
    return this.came;
  }

  async proposal(leaveOut: string[]): Promise<ContextFile[]> {
    this.leftOut.push(leaveOut);
    return this.proposed;
  }
}
