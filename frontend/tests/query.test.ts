import { describe, expect, it } from 'vitest';
import { FakeBackend } from '../src/lib/api/fake';
import { soundQuery } from '../src/lib/api/fake-query';
import { QueryController } from '../src/lib/controllers/query.svelte';
import { clauses } from '../src/lib/frameql-lines';
import { filled, fits, parametersOf } from '../src/lib/parameters';
import { remember } from '../src/lib/storage';

// What is to happen later happens when the test says so.
function waiting() {
  const queue: (() => void)[] = [];
  return {
    later: (work: () => void) => {
      queue.push(work);
      return () => queue.splice(queue.indexOf(work), 1);
    },
    pass: async () => {
      for (const work of queue.splice(0)) work();
      await new Promise((done) => setTimeout(done));
    },
  };
}

describe('parameters of a statement', () => {
  it('are names after : or $, outside of strings, comments and casts', () => {
    expect(
      parametersOf(`SELECT a::int, ':no', "x:y" -- :no\n/* $no */ FROM t WHERE b = :one AND c > $two AND d = :one`),
    ).toEqual(['one', 'two']);
    expect(parametersOf('SELECT $$ :no $$, $q$ $no $q$')).toEqual([]);
  });
  it('are put in place as literals, whatever they hold', () => {
    const { sql, missing } = filled("SELECT * FROM t WHERE a = :a AND b > :b AND c = :c AND ':a'", {
      a: { kind: 'text', value: "x'; DROP TABLE t; --" },
      b: { kind: 'number', value: ' -1.5 ' },
      c: { kind: 'date', value: '2026-01-31' },
    });
    expect(sql).toBe(
      "SELECT * FROM t WHERE a = 'x''; DROP TABLE t; --' AND b > -1.5 AND c = DATE '2026-01-31' AND ':a'",
    );
    expect(missing).toEqual([]);
  });
  it('wait for a value that fits their kind', () => {
    expect(fits({ kind: 'number', value: '1; DROP' })).toBe(false);
    expect(fits({ kind: 'date', value: "1'" })).toBe(false);
    expect(filled('SELECT :n, :m', { n: { kind: 'number', value: 'many' } }).missing).toEqual(['n', 'm']);
  });
});

describe('the form of Frame-QL', () => {
  it('has a line for each clause, and none within brackets and strings', () => {
    expect(
      clauses("SELECT a, SUM(b AT c) AT d WHERE e = 'x AT y' DURING FROM 2025-01-01 TO 2025-02-01 ORDER BY a LIMIT 3"),
    ).toBe(
      "SELECT a, SUM(b AT c)\nAT d\nWHERE e = 'x AT y'\nDURING FROM 2025-01-01 TO 2025-02-01\nORDER BY a\nLIMIT 3",
    );
    expect(clauses('SELECT a WHERE b IN TOP 3 BY a')).toBe('SELECT a\nWHERE b IN TOP 3 BY a');
  });
});

describe('the query page', () => {
  it('checks what was written last, once nothing more is written, and never what was before', async () => {
    const backend = new FakeBackend();
    const time = waiting();
    localStorage.clear();
    const query = new QueryController(backend, time.later);
    backend.query.result = (_language, text) => ({ ...soundQuery, canonical: text.toUpperCase() });
    query.write('select a');
    query.write('select b');
    await time.pass();
    expect(backend.query.checked).toEqual([['frame_ql', 'select b']]);
    expect(query.current.check?.canonical).toBe('SELECT B');
    await query.format();
    expect(query.current.text).toBe('SELECT B');
  });
  it('puts a query into its form although it is being looked at just then, and looks once', async () => {
    const backend = new FakeBackend();
    const time = waiting();
    localStorage.clear();
    const query = new QueryController(backend, time.later);
    backend.query.result = (_language, text) => ({ ...soundQuery, canonical: text.toUpperCase() });
    query.write('select b');
    const formed = query.format();
    await time.pass(); // the pause after writing is over while the answer is awaited
    await formed;
    expect(query.current.text).toBe('SELECT B');
    expect(backend.query.checked).toEqual([['frame_ql', 'select b']]);
  });
  it('checks a statement with its parameters, when all have a value', async () => {
    const backend = new FakeBackend();
    const time = waiting();
    localStorage.clear();
    const query = new QueryController(backend, time.later);
    query.open('sql', 'SELECT :n');
    query.write('SELECT :n + 1');
    await time.pass();
    expect(backend.query.checked).toEqual([]);
    query.give('n', { kind: 'number', value: '2' });
    await time.pass();
    expect(backend.query.checked).toEqual([['sql', 'SELECT 2 + 1']]);
    await query.execute();
    expect(backend.asked[0]?.sql).toBe('SELECT 2 + 1');
    await query.execute('SELECT 5', true);
    expect(backend.asked[1]).toMatchObject({ sql: 'SELECT 5', explain: true });
  });
  it('keeps its tabs, and opens what was run before without running it', () => {
    const backend = new FakeBackend();
    localStorage.clear();
    const query = new QueryController(backend, () => () => undefined);
    query.write('SELECT one');
    query.open('sql', 'SELECT 2');
    expect(query.tabs.length).toBe(2);
    const again = new QueryController(backend, () => () => undefined);
    expect(again.tabs.map(({ language, text }) => [language, text])).toEqual([
      ['frame_ql', 'SELECT one'],
      ['sql', 'SELECT 2'],
    ]);
    for (const tab of again.tabs) again.close(tab);
    expect(again.tabs.map(({ text }) => text)).toEqual(['']);
    expect(backend.asked).toEqual([]);
  });
  it('survives what is stored and is no list of tabs', () => {
    for (const stored of ['{', '3', '[null, 4, {"text": 5}]']) {
      remember('query.tab.x', stored);
      expect(new QueryController(new FakeBackend(), () => () => undefined).tabs.length).toBe(1);
    }
  });
});
