import { Fault } from './fault';
import type { TaughtApi } from './taught';
import type { Brought, BundleContents, BundlePreview, BundleWritten, Exchanged, FoundTaught } from './types';

/** What was taught, for tests: what is found and what bundles hold is put in before. */
export class FakeTaught implements TaughtApi {
  searched: string[] = [];
  found: FoundTaught[] = [];
  holds: BundleContents = {
    author: 'ada',
    key: 'ab'.repeat(32),
    bound: true,
    statements: 2,
    left: 0,
    folder: '',
    remote: '',
  };
  previews = new Map<string, BundlePreview>();
  taken: string[] = [];
  brought: Brought[] = [];
  failure: Fault | null = null;

  async find(words: string, session: string | null): Promise<FoundTaught[]> {
    this.searched.push(session ? `${words} in ${session}` : words);
    if (this.failure) throw this.failure;
    return this.found;
  }

  contents = async (): Promise<BundleContents> => this.holds;

  async write(): Promise<BundleWritten> {
    if (this.failure) throw this.failure;
    return { id: 'bundle', name: 'ada.assay-memory', bytes: 10, statements: 2, left: 0 };
  }

  async preview(token: string): Promise<BundlePreview> {
    const preview = this.previews.get(token);
    if (!preview) throw new Fault('invalid', 'This is no bundle of what somebody taught Assay.', 'Ask for it anew.');
    return preview;
  }

  async take(token: string): Promise<Brought> {
    if (this.failure) throw this.failure;
    this.taken.push(token);
    return { file: token, author: 'bob', statements: 2, new: 1, problem: '' };
  }

  async exchange(): Promise<Exchanged> {
    if (this.failure) throw this.failure;
    return { brought: this.brought, wrote: true, remote: this.holds.remote };
  }
}
