import type { QueryApi } from './query';
import type { QueryCheck, QueryCompletions, QueryLanguage, WrittenQuery } from './types';

/** What a query is that nothing is wrong with, and nothing is known of. */
export const soundQuery: QueryCheck = {
  canonical: '',
  diagnostics: [],
  plan: null,
  rule: '',
  sql_type: '',
  tables: [],
};

/** The part of the fake backend that an editor asks. */
export class FakeQueryApi implements QueryApi {
  checked: [QueryLanguage, string][] = [];
  result: (language: QueryLanguage, text: string) => QueryCheck = () => soundQuery;
  offered: QueryCompletions = { from: 0, candidates: [] };
  written: WrittenQuery[] = [];

  async check(language: QueryLanguage, text: string): Promise<QueryCheck> {
    this.checked.push([language, text]);
    await Promise.resolve();
    return this.result(language, text);
  }

  async complete(): Promise<QueryCompletions> {
    return this.offered;
  }

  async history(words: string): Promise<WrittenQuery[]> {
    return this.written.filter((query) => query.text.includes(words));
  }
}
