import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeBackend } from '../src/lib/api/fake';
import { FakePage, FakeSaved } from '../src/lib/api/fake-keeping';
import { Fault } from '../src/lib/api/fault';
import { QueryController } from '../src/lib/controllers/query.svelte';
import { SavedController } from '../src/lib/controllers/saved.svelte';
import { SessionsController } from '../src/lib/controllers/sessions.svelte';
import { GridLayout } from '../src/lib/grid/layout.svelte';
import { Saving } from '../src/lib/saving.svelte';
import { undoing, Undoing } from '../src/lib/undo.svelte';

const never = () => () => undefined;

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
  undoing.clear();
});

// Each test begins with a page of its own.
const freshPage = async () => ({
  ...(await import('../src/lib/storage')),
  ...(await import('../src/lib/query-tabs')),
  ...(await import('../src/lib/last-session')),
});

describe('how the window stood', () => {
  it('is in the program, and comes back on another port', async () => {
    const program = new FakePage();
    const before = await freshPage();
    await before.follow(program);
    before.remember('split', '0.300');
    before.noteSession('s1');
    await before.send();
    expect(before.lastSession()).toBe(null);

    localStorage.clear(); // another origin
    vi.resetModules();
    program.state = { ...program.state, run: 'run-2' };
    const after = await freshPage();
    const heard: string[] = [];
    after.hear((names, by) => heard.push(by, ...names));
    expect(after.recall('split')).toBe(null);
    await after.follow(program);
    expect([after.recall('split'), after.lastSession()]).toEqual(['0.300', 's1']);
    expect(heard.sort()).toEqual(['program', 'session', 'split']);
    after.noteSession(null);
    expect(after.lastSession()).toBe(null);
  });

  it('goes on from the copy until the program answers, and what was written before that wins', async () => {
    const program = new FakePage();
    program.state.values = [
      { name: 'split', value: '0.600', changed: '2026-01-15T09:00:00Z' },
      { name: 'query.tab.a', value: '{"text":"theirs"}', changed: '2026-01-15T09:00:00Z' },
    ];
    const page = await freshPage();
    page.remember('split', '0.300');
    page.remember('grid.a/b', '{}');
    await page.follow(program);
    expect([page.recall('split'), page.recall('query.tab.a')]).toEqual(['0.300', '{"text":"theirs"}']);
    expect(program.state.values.map(({ name, value }) => `${name}=${value}`).sort()).toEqual([
      'grid.a/b={}',
      'query.tab.a={"text":"theirs"}',
      'split=0.300',
    ]);
    page.forget('query.tab.a');
    await page.send();
    expect(program.state.values.map(({ name }) => name).sort()).toEqual(['grid.a/b', 'split']);
    expect(page.remembered('grid.')).toEqual(['grid.a/b']);
  });

  it('keeps what could not be sent, and sends it the next time', async () => {
    const program = new FakePage();
    const page = await freshPage();
    await page.follow(program);
    program.failure = new Fault('unavailable', 'gone');
    page.remember('split', '0.300');
    await page.send();
    expect(program.sent).toEqual([]);

    vi.resetModules(); // the page is loaded again
    program.failure = null;
    const again = await freshPage();
    await again.follow(program);
    expect(again.recall('split')).toBe('0.300');
    expect(program.sent).toEqual([[{ name: 'split', value: '0.300' }]]);
  });

  it('of what was changed elsewhere since, takes the later', async () => {
    const program = new FakePage();
    const page = await freshPage();
    await page.follow(program);
    program.failure = new Fault('unavailable', 'gone');
    page.remember('split', '0.300');
    await page.send();
    program.failure = null;
    program.state.values = [{ name: 'split', value: '0.500', changed: '2999-01-01T00:00:00Z' }];
    vi.resetModules();
    const again = await freshPage();
    await again.follow(program);
    expect([again.recall('split'), program.sent]).toEqual(['0.500', []]);
  });

  it('of another workspace is not mixed up with this one', async () => {
    const one = new FakePage();
    const page = await freshPage();
    await page.follow(one);
    page.remember('split', '0.300');
    await page.send();

    const other = new FakePage();
    other.state = { owner: 'somebody else', run: 'run-1', values: [] };
    vi.resetModules();
    const next = await freshPage();
    expect(next.recall('split')).toBe('0.300'); // nobody has said yet whose it is
    await next.follow(other);
    expect([next.recall('split'), other.sent]).toEqual([null, []]);
    await next.follow(one);
    expect(next.recall('split')).toBe('0.300');
  });

  it('does not send a value that is too long for the program, and sends the others', async () => {
    const program = new FakePage();
    const page = await freshPage();
    await page.follow(program);
    page.remember('query.tab.long', 'é'.repeat(140_000));
    page.remember('split', '0.300');
    await page.send();
    expect(program.sent).toEqual([[{ name: 'split', value: '0.300' }]]);
    expect(page.recall('query.tab.long')?.length).toBe(140_000);
  });
});

describe('query tabs', () => {
  const texts = (query: QueryController) => query.tabs.map(({ text }) => text);

  it('come back from the program, the chosen one in view, with their session', async () => {
    const program = new FakePage();
    const tab = (text: string, at: number, session: string | null = null) =>
      JSON.stringify({ language: 'sql', text, session, values: {}, saved: null, at });
    program.state.values = [
      { name: 'query.tab.b', value: tab('SELECT 2', 2, 's2'), changed: '2026-01-15T09:00:00Z' },
      { name: 'query.tab.a', value: tab('SELECT 1', 1), changed: '2026-01-15T09:00:00Z' },
      { name: 'query.tab.broken', value: '{', changed: '2026-01-15T09:00:00Z' },
      { name: 'query.current', value: 'b', changed: '2026-01-15T09:00:00Z' },
    ];
    const { follow } = await import('../src/lib/storage');
    const { QueryController: Fresh } = await import('../src/lib/controllers/query.svelte');
    const query = new Fresh(new FakeBackend(), never);
    expect(texts(query)).toEqual(['']);
    await follow(program);
    expect([texts(query), query.current.text]).toEqual([['SELECT 1', 'SELECT 2'], 'SELECT 2']);
    expect(query.current.language).toBe('sql');
  });

  it('of another window do not write over what is on screen here', async () => {
    const { remember, tell } = await import('../src/lib/storage');
    const { storedTabs } = await import('../src/lib/query-tabs');
    const { QueryController: Fresh } = await import('../src/lib/controllers/query.svelte');
    const query = new Fresh(new FakeBackend(), never);
    query.write('SELECT mine');
    const [[id, stored]] = storedTabs() as [[string, object]];
    remember(`query.tab.${id}`, JSON.stringify({ ...stored, text: 'SELECT theirs' }));
    tell([`query.tab.${id}`], 'page');
    expect(texts(query)).toEqual(['SELECT mine']);
    expect(
      storedTabs()
        .map(([, { text }]) => text)
        .sort(),
    ).toEqual(['SELECT mine', 'SELECT theirs']);
    query.write('SELECT mine still');
    expect(storedTabs().length).toBe(2);
    query.close(query.current);
    expect(storedTabs().map(([, { text }]) => text)).toEqual(['SELECT theirs']);
  });
});

describe('saved queries', () => {
  function page() {
    const backend = new FakeBackend();
    const steps = new Undoing();
    const saved = new SavedController(backend.saved, steps);
    const query = new QueryController(backend, never);
    return { backend, api: backend.saved as FakeSaved, steps, saved, query, saving: new Saving(query, saved) };
  }

  it('are saved under a name, then again by the same key, and open without running', async () => {
    const { backend, api, saved, query, saving } = page();
    await saving.save();
    expect([saving.asking, saving.said]).toEqual([false, 'There is nothing to save yet.']);
    query.write('SELECT revenue');
    await saving.save();
    expect(saving.asking).toBe(true);
    expect(await saving.under('  Monthly   revenue ', null)).toBe(true);
    expect([saving.asking, saving.said]).toEqual([false, 'Saved as “Monthly revenue”.']);
    await saving.save();
    expect(saving.said).toBe('“Monthly revenue” holds this already.');
    query.write('SELECT revenue AT month');
    expect(saving.changed).toBe(true);
    await saving.save();
    expect([saving.said, api.queries.map(({ text }) => text)]).toEqual([
      'Saved again as “Monthly revenue”.',
      ['SELECT revenue AT month'],
    ]);
    query.close(query.current);
    const [kept] = saved.all;
    query.openSaved(kept!);
    expect([query.current.text, query.current.saved, backend.asked]).toEqual(['SELECT revenue AT month', kept!.id, []]);
    query.openSaved(kept!);
    expect(query.tabs.length).toBe(1);
  });

  it('are replaced only by who has seen what is there', async () => {
    const { api, saved, query, saving } = page();
    query.write('SELECT 1');
    await saving.under('One', null);
    const seen = saved.named('ONE');
    await api.save({ name: 'One', language: 'sql', text: 'SELECT elsewhere', replacing: seen!.changed });
    query.write('SELECT mine');
    await saving.save(); // asks, and says what is there now
    expect([saving.asking, saved.problem?.code, saved.named('one')?.text]).toEqual([
      true,
      'conflict',
      'SELECT elsewhere',
    ]);
    expect(await saving.under('One', saved.named('One'))).toBe(true);
    expect(api.queries.map(({ text }) => text)).toEqual(['SELECT mine']);
  });

  it('are searched in name and text, renamed and deleted, and all of it is taken back', async () => {
    const { api, steps, saved, query, saving } = page();
    query.write('SELECT 1');
    await saving.under('One', null);
    query.write('SELECT 2');
    await saving.under('Two', null);
    expect([saved.matching('select 2'), saved.matching('one'), saved.matching('x')].map((all) => all.map(({ name }) => name))).toEqual([['Two'], ['One'], []]); // prettier-ignore
    const names = () => api.queries.map(({ name, text }) => `${name}=${text}`).sort();
    await saved.rename(saved.named('One')!, 'First');
    await saved.remove(saved.named('Two')!);
    expect(saved.removed?.name).toBe('Two');
    await saving.under('First', saved.named('First'));
    expect(saved.removed).toBe(null);
    expect(names()).toEqual(['First=SELECT 2']);
    expect(steps.last?.what).toBe('replace saved query “First”');
    for (const want of [['First=SELECT 1'], ['First=SELECT 1', 'Two=SELECT 2'], ['One=SELECT 1', 'Two=SELECT 2']]) {
      expect(await steps.undo()).toBe(true);
      expect(names()).toEqual(want);
    }
    for (const want of [['First=SELECT 1', 'Two=SELECT 2'], ['First=SELECT 1'], ['First=SELECT 2']]) {
      expect(await steps.redo()).toBe(true);
      expect(names()).toEqual(want);
    }
  });

  it('say why they cannot be read', async () => {
    const { api, saved } = page();
    api.failure = new Fault('unavailable', 'gone');
    await saved.load();
    expect(saved.problem?.message).toBe('gone');
    api.failure = null;
    await saved.load();
    expect(saved.problem).toBe(null);
  });
});

describe('undo and redo', () => {
  it('go through what was done, one step after the other, and say what', async () => {
    const steps = new Undoing();
    const held: string[] = [];
    const add = (name: string) => {
      held.push(name);
      steps.did({ what: `add ${name}`, undo: () => void held.pop(), redo: () => void held.push(name) });
    };
    add('a');
    add('b');
    await Promise.all([steps.undo(), steps.undo(), steps.undo()]);
    expect([held, steps.last, steps.next?.what]).toEqual([[], null, 'add a']);
    await steps.redo();
    expect([held, steps.told]).toEqual([['a'], { what: 'add a', how: 'redone' }]);
    add('c');
    expect([steps.next, steps.last?.what, steps.told]).toEqual([null, 'add c', null]);
  });

  it('leave out what does not work, and say so', async () => {
    const steps = new Undoing();
    steps.did({ what: 'one', undo: () => true, redo: () => true });
    steps.did({ what: 'two', undo: () => Promise.reject(new Error('no')), redo: () => true });
    steps.did({ what: 'three', undo: () => false, redo: () => true });
    expect(await steps.undo()).toBe(false);
    expect(steps.told).toEqual({ what: 'three', how: 'failed' });
    expect(await steps.undo()).toBe(false);
    expect(await steps.undo()).toBe(true);
    expect([steps.last, steps.next?.what]).toEqual([null, 'one']);
  });

  it('take back what was done to sessions', async () => {
    const backend = new FakeBackend();
    const steps = new Undoing();
    const head = {
      id: '1',
      title: 'One',
      created: '',
      updated: '',
      turns: 1,
      pinned: true,
      archived: false,
      imported: false,
    };
    backend.entries = [head];
    const sessions = new SessionsController(backend, steps);
    await sessions.load();
    await sessions.rename('1', 'Eins');
    await sessions.archive(head, true);
    await sessions.remove(head);
    expect(sessions.undoable?.what).toBe('removed');
    await steps.undo();
    expect([backend.restored, sessions.undoable]).toEqual([['1'], null]);
    await steps.undo();
    await steps.undo();
    expect(backend.changed.slice(-3)).toEqual([
      ['1', { pinned: true }],
      ['1', { pinned: true }],
      ['1', { title: 'One' }],
    ]);
    await steps.redo();
    expect([backend.changed.at(-1), steps.next?.what]).toEqual([['1', { title: 'Eins' }], 'archive session “One”']);
  });

  it('take back what was done to columns, in a grid that was opened again too', async () => {
    const columns = ['a', 'b', 'c'].map((name) => ({ name, label: name.toUpperCase(), unit: '', numeric: false }));
    const grid = () => {
      const layout = new GridLayout(
        () => columns,
        () => 100,
      );
      return {
        layout,
        stop: layout.open('table x'),
        shown: () => layout.placed.map(({ column }) => column.name).join(''),
      };
    };
    const first = grid();
    first.layout.hide(1, true);
    first.layout.move(2, 0);
    expect(first.shown()).toBe('ca');
    first.stop();
    const again = grid();
    expect([again.shown(), undoing.last?.what]).toEqual(['ca', 'move column “C”']);
    await undoing.undo();
    expect(again.shown()).toBe('ac');
    await undoing.undo();
    expect(again.shown()).toBe('abc');
    await undoing.redo();
    expect(again.shown()).toBe('ac');
    again.stop();
  });
});
