import { Fault } from './fault';
import type { PageApi } from './page';
import type { SavedApi, SaveRequest } from './saved';
import type { PageState, SavedQuery } from './types';

/** The queries that are kept, for tests: they are held as the program holds them. */
export class FakeSaved implements SavedApi {
  queries: SavedQuery[] = [];
  failure: Fault | null = null;
  private counter = 0;

  async list(): Promise<SavedQuery[]> {
    this.fail();
    return [...this.queries].sort((a, b) => a.name.localeCompare(b.name));
  }

  async save({ replacing, ...query }: SaveRequest): Promise<SavedQuery> {
    this.fail();
    const there = this.queries.find(({ name }) => name.toLowerCase() === query.name.toLowerCase());
    if (there && there.changed !== replacing) throw new Fault('conflict', `“${there.name}” is there already`);
    const moment = this.moment();
    const saved = {
      ...query,
      id: there?.id ?? `saved-${this.counter}`,
      created: there?.created ?? moment,
      changed: moment,
    };
    this.queries = [...this.queries.filter((one) => one !== there), saved];
    return saved;
  }

  async rename(id: string, name: string): Promise<SavedQuery> {
    this.fail();
    const there = this.queries.find((one) => one.id === id);
    if (!there) throw new Fault('not_found', 'it is gone');
    const renamed = { ...there, name, changed: this.moment() };
    this.queries = this.queries.map((one) => (one === there ? renamed : one));
    return renamed;
  }

  async remove(id: string): Promise<void> {
    this.fail();
    if (!this.queries.some((one) => one.id === id)) throw new Fault('not_found', 'it is gone');
    this.queries = this.queries.filter((one) => one.id !== id);
  }

  private moment = () => new Date(Date.UTC(2026, 0, 15, 9, 0, ++this.counter)).toISOString();

  private fail(): void {
    if (this.failure) throw this.failure;
  }
}

/** How the window stood, for tests. */
export class FakePage implements PageApi {
  state: PageState = { owner: 'somebody', run: 'run-1', values: [] };
  sent: { name: string; value: string | null }[][] = [];
  failure: Fault | null = null;

  async load(): Promise<PageState> {
    if (this.failure) throw this.failure;
    return this.state;
  }

  async keep(values: { name: string; value: string | null }[]): Promise<void> {
    if (this.failure) throw this.failure;
    this.sent.push(values);
    const names = values.map(({ name }) => name);
    const kept = values.flatMap(({ name, value }) =>
      value === null ? [] : [{ name, value, changed: new Date().toISOString() }],
    );
    this.state = { ...this.state, values: [...this.state.values.filter(({ name }) => !names.includes(name)), ...kept] };
  }
}
