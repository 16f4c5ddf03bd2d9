import type { Transport } from './transport';
import type { CorrectionList, PreferenceList, Taught, Work } from './types';

/** What is taught: a sentence, or a term with what it means. */
export type Lesson = { words: string; request_id?: string } | { term: string; means: string };

/** What the person taught. It is used in that person's questions alone. */
export interface MemoryApi {
  list(): Promise<CorrectionList>;
  /** Whether what was noted is remembered; null: it is not. */
  settle(id: string, remember: boolean): Promise<Taught | null>;
  /** Rejects with a Fault: it is not understood, or no matter of a correction. */
  teach(lesson: Lesson): Promise<Taught>;
  /** What the person asked about lately. */
  work(): Promise<Work>;
  change(id: string, to: { term: string; means: string }): Promise<Taught>;
  /** Has what was taught hold in its answer alone; what it took the place of holds again. */
  narrow(id: string): Promise<Taught>;
  forget(id: string): Promise<void>;
  /** How the person wants answers to look, and what can be chosen. */
  preferences(): Promise<PreferenceList>;
  /** Rejects with a Fault: there is no such kind or value. */
  prefer(kind: string, value: string): Promise<Taught>;
  forgetPreference(id: string): Promise<void>;
}

export class HttpMemory implements MemoryApi {
  constructor(private readonly transport: Transport) {}

  list = () => this.transport.json<CorrectionList>('GET', 'api/corrections');

  work = () => this.transport.json<Work>('GET', 'api/memory/work');

  async settle(id: string, remember: boolean): Promise<Taught | null> {
    const answer = await this.transport.send('POST', `api/noted/${encodeURIComponent(id)}`, { remember });
    return ((await answer.json()) as { learned: Taught | null }).learned;
  }

  teach = (lesson: Lesson) => this.sent('POST', 'api/corrections', lesson);

  change = (id: string, to: { term: string; means: string }) => this.sent('PATCH', one(id), to);

  narrow = (id: string) => this.sent('POST', `${one(id)}/narrow`, {});

  async forget(id: string): Promise<void> {
    await this.transport.send('DELETE', one(id));
  }

  preferences = () => this.transport.json<PreferenceList>('GET', 'api/preferences');

  prefer = (kind: string, value: string) => this.sent('PATCH', 'api/preferences', { kind, value });

  async forgetPreference(id: string): Promise<void> {
    await this.transport.send('DELETE', `api/preferences/${encodeURIComponent(id)}`);
  }

  private async sent(method: string, path: string, body: unknown): Promise<Taught> {
    return (await (await this.transport.send(method, path, body)).json()) as Taught;
  }
}

const one = (id: string) => `api/corrections/${encodeURIComponent(id)}`;
