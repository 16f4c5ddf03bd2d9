import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import Grown from '$components/chat/Grown.svelte';
import FamilyDrawer from '$components/session/FamilyDrawer.svelte';
import { App } from '$lib/app.svelte';
import { FakeBackend } from '$lib/api/fake';
import { Fault } from '$lib/api/fault';
import type { BranchHead, SessionDocument, Turn } from '$lib/api/types';
import { artifactOf } from '$lib/artifacts';
import { FamilyController } from '$lib/controllers/family.svelte';
import { SessionSearch } from '$lib/controllers/session-search.svelte';
import { familyRows, parentRow } from '$lib/family';
import { bySession, markedPieces } from '$lib/found';
import { FakeSessionLife } from '$lib/api/fake-session-life';
import { undoing } from '$lib/undo.svelte';
import { eventually } from './eventually';
import { answers } from './fixtures';

const head = (id: string, depth: number, part: Partial<BranchHead> = {}): BranchHead => ({
  id,
  title: `session ${id}`,
  parent: '',
  turn: 1,
  artifact: '',
  depth,
  turns: 1,
  updated: '2026-10-28T09:00:00Z',
  pinned: false,
  archived: false,
  imported: false,
  gone: false,
  ...part,
});

const family = [
  head('a', 0, { gone: true }),
  head('b', 1),
  head('c', 2),
  head('d', 2, { artifact: 'art' }),
  head('e', 1),
];

describe('the words of a search', () => {
  const marked = (text: string, ...words: string[]) =>
    markedPieces(text, words)
      .map(({ text: piece, marked }) => (marked ? `[${piece}]` : piece))
      .join('');

  it('are marked wherever they stand, whatever their case and accents', () => {
    expect(marked('Revenue by Région', 'region', 'REV')).toBe('[Rev]enue by [Région]');
    expect(marked('re\u0301gion', 'région')).toBe('[re\u0301gion]');
    expect(marked('İstanbul ist', 'ist')).toBe('[İst]anbul [ist]');
    expect(marked('aab', 'aa', 'a')).toBe('[aa]b');
    expect(marked('category at contact_at', 'at')).toBe('category [at] contact_[at]');
    expect(marked('100 % of (a+b)', '%', '(a+b)')).toBe('100 [%] of [(a+b)]');
    expect(marked('👩‍💻 code', 'code')).toBe('👩‍💻 [code]');
    expect(marked('nothing', 'x')).toBe('nothing');
    expect(marked('', 'x')).toBe('');
    expect(marked('text', '\u0301')).toBe('text');
  });

  it('are found by session, and a title is no place of its own', () => {
    const hit = { request_id: 'r', turn: 1, excerpt: '', at: '', pinned: false, archived: false };
    const found = bySession([
      { ...hit, session_id: '2', title: 'b', field: 'title', request_id: '', turn: 0 },
      { ...hit, session_id: '1', title: 'a', field: 'note' },
      { ...hit, session_id: '2', title: 'b', field: 'query' },
    ]);
    expect(found.map(({ id, hits }) => [id, hits.map(({ field }) => field)])).toEqual([
      ['2', ['query']],
      ['1', ['note']],
    ]);
  });
});

describe('SessionSearch', () => {
  it('searches once nothing more is typed, and shows what was searched for last', async () => {
    const api = new FakeSessionLife();
    const hit = { session_id: '1', title: 't', request_id: 'r', turn: 1, field: 'note' as const, at: '' };
    api.hits.set('revenue', [{ ...hit, excerpt: 'new', pinned: false, archived: false }]);
    api.hits.set('rev', [{ ...hit, excerpt: 'old', pinned: false, archived: false }]);
    let release = () => {};
    api.wait.set('rev', new Promise((done) => (release = done)));
    const search = new SessionSearch(api);
    search.type('r');
    search.type('rev');
    expect([search.on, search.searching]).toEqual([true, true]);
    await eventually(() => expect(api.searched).toEqual(['rev']));
    search.type('revenue');
    expect(api.stopped).toEqual(['rev']);
    await eventually(() => expect(search.found[0]?.hits[0]?.excerpt).toBe('new'));
    release();
    await Promise.resolve();
    expect([search.found[0]?.hits[0]?.excerpt, search.words, search.searching]).toEqual(['new', ['revenue'], false]);
    search.type('  ');
    expect([search.on, search.found, search.words]).toEqual([false, [], []]);
  });

  it('waits for no further letter when what it finds is wanted', async () => {
    const api = new FakeSessionLife();
    const search = new SessionSearch(api);
    search.type('revenue');
    const now = search.now();
    expect(api.searched).toEqual(['revenue']);
    expect([await now, search.searching]).toEqual([true, false]);
    search.type('freight');
    const other = search.now();
    search.type('orders');
    expect(await other).toBe(false);
    expect([await search.now(), search.words]).toEqual([true, ['orders']]);
  });

  it('says why it could not search', async () => {
    const api = new FakeSessionLife();
    api.failure = new Fault('limit', 'These are too many words.');
    const search = new SessionSearch(api);
    search.type('a b c');
    await eventually(() => expect(search.problem?.message).toBe('These are too many words.'));
    search.type('');
    expect(search.problem).toBeNull();
  });
});

describe('the family of a session', () => {
  it('is a tree whose lines go on as long as something hangs on them', () => {
    const rows = familyRows(family, new Set());
    expect(rows.map(({ head, level, place, of, open, lines }) => [head.id, level, place, of, open, lines])).toEqual([
      ['a', 1, 1, 1, true, []],
      ['b', 2, 1, 2, true, [false]],
      ['c', 3, 1, 2, null, [false, true]],
      ['d', 3, 2, 2, null, [false, true]],
      ['e', 2, 2, 2, null, [false]],
    ]);
    expect(parentRow(rows, 3)).toBe(1);
    expect(parentRow(rows, 0)).toBeNull();
    expect(familyRows(family, new Set(['b'])).map(({ head }) => head.id)).toEqual(['a', 'b', 'e']);
  });

  it('stands where a level is missing', () => {
    expect(familyRows([head('a', 3), head('b', 9)], new Set()).map(({ level }) => level)).toEqual([1, 2]);
  });

  async function shown() {
    const backend = new FakeBackend();
    backend.trees.set('c', family);
    const controller = new FamilyController(backend.branches);
    const onopen = vi.fn();
    render(FamilyDrawer, { family: controller, currentId: 'c', locale: 'en-US', onopen });
    await controller.open('c');
    await eventually(() => expect(document.activeElement?.getAttribute('data-session')).toBe('c'));
    const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });
    const on = () => document.activeElement?.getAttribute('data-session');
    return { press, on, onopen };
  }

  it('is walked with arrows, folded, and a session of it opened with Enter', async () => {
    const { press, on, onopen } = await shown();
    await press('ArrowDown');
    await eventually(() => expect(on()).toBe('d'));
    await press('ArrowLeft');
    await eventually(() => expect(on()).toBe('b'));
    await press('ArrowLeft');
    expect(screen.getAllByRole('treeitem').map((row) => row.dataset.session)).toEqual(['a', 'b', 'e']);
    await press('End');
    await eventually(() => expect(on()).toBe('e'));
    await press('Enter');
    expect(onopen).toHaveBeenCalledWith('e');
    await press('Home');
    await eventually(() => expect(on()).toBe('a'));
    await press('Enter'); // it is gone
    expect(onopen).toHaveBeenCalledTimes(1);
    await press('ArrowRight');
    await eventually(() => expect(on()).toBe('b'));
    await press('ArrowRight');
    expect(screen.getAllByRole('treeitem')).toHaveLength(5);
  });

  it('is told to those who hear it', async () => {
    await shown();
    const rows = screen.getAllByRole('treeitem');
    expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual([
      'session a, deleted',
      'session b, after question 1, 1 question, Oct 28',
      'session c, after question 1, 1 question, Oct 28, in view',
      'session d, at a result of question 1, 1 question, Oct 28',
      'session e, after question 1, 1 question, Oct 28',
    ]);
    expect(rows.map((row) => row.getAttribute('aria-level'))).toEqual(['1', '2', '3', '3', '2']);
  });

  it('says why it cannot be read', async () => {
    const backend = new FakeBackend();
    backend.failures.tree = new Fault('not_found', 'There is no such session.');
    const controller = new FamilyController(backend.branches);
    await controller.open('x');
    expect([controller.problem?.message, controller.loaded]).toEqual(['There is no such session.', true]);
  });
});

describe('a conversation that is cleared', () => {
  let backend: FakeBackend;
  let app: App;
  const turn = (
    id: string,
    place: number,
    archived: string | null,
    pinned = false,
  ): Turn & { archived: string | null } =>
    ({
      request_id: id,
      place,
      chosen: true,
      index: place,
      question: `question ${id}`,
      asked: '2026-10-28T09:00:00Z',
      frame_ql: '',
      outcome: 'answer',
      status: 'completed',
      answer: { ...answers.category, request_id: id, session_id: 's1', turn: place },
      fault: null,
      feedback: null,
      given: null,
      holding: null,
      made_by: null,
      trace: [],
      artifacts: pinned ? [{ id: `view-${id}`, kind: 'view', title: '', body: { show: 'table', pinned: true } }] : [],
      archived,
    }) as unknown as Turn & { archived: string | null };
  const document = (archived: string | null) =>
    ({
      id: 's1',
      title: 'revenue',
      created: '',
      updated: '',
      origin: null,
      imported: null,
      turns: [turn('r1', 1, archived), turn('r2', 2, archived, true)],
    }) as SessionDocument;

  beforeEach(async () => {
    undoing.clear();
    backend = new FakeBackend();
    backend.documents.set('s1', document(null));
    backend.sessionLife.clear = async () => void backend.documents.set('s1', document('2026-11-01T09:00:00Z'));
    backend.sessionLife.unclear = async () => void backend.documents.set('s1', document(null));
    app = new App(backend);
    await app.openSession('s1');
  });

  it('puts its answers away but for those that are pinned, and keeps its name', async () => {
    expect([app.session.places.length, app.session.cards.length]).toEqual([2, 2]);
    await app.handover.clearing.clear();
    const { session } = app;
    expect([session.places.length, session.putAway.length, session.title, session.id]).toEqual([0, 2, 'revenue', 's1']);
    expect(session.cards.map(({ key }) => key)).toEqual(['r2']);
    expect(session.versions('r1').all).toHaveLength(1);
    const next = session.add({ ...session.turns[0]!, key: 'r3', asked: {}, question: 'next' });
    expect([next.number, next.away, session.places.length]).toEqual([3, '', 1]);
  });

  it('comes back by undo, by its own button, and is cleared again by redo', async () => {
    await app.handover.clearing.clear();
    expect(undoing.last?.what).toBe('clear the conversation “revenue”');
    await undoing.undo();
    expect([app.session.places.length, app.session.putAway.length]).toEqual([2, 0]);
    await undoing.redo();
    expect(app.session.putAway.length).toBe(2);
    await app.handover.clearing.bringBack();
    expect([app.session.putAway.length, undoing.last]).toEqual([0, null]);
  });

  it('comes back too when it was cleared in another window', async () => {
    backend.documents.set('s1', document('2026-11-01T09:00:00Z'));
    await app.openSession('s1');
    await app.handover.clearing.bringBack();
    expect([app.session.putAway.length, undoing.last]).toEqual([0, null]);
  });

  it('stays when it cannot be cleared, and says why', async () => {
    backend.sessionLife.clear = async () => {
      throw new Fault('conflict', 'A question runs.');
    };
    await app.handover.clearing.clear();
    expect([app.session.places.length, app.handover.clearing.problem?.message, undoing.last]).toEqual([
      2,
      'A question runs.',
      null,
    ]);
  });

  it('is not read again when another session is in view by then', async () => {
    await app.handover.clearing.clear();
    app.newSession();
    await undoing.undo();
    expect(app.session.id).toBeNull();
  });

  it('has an answer put away that a search found brought into view', async () => {
    await app.handover.clearing.clear();
    await app.openSession('s1', 'r1');
    expect([app.session.wantedTurn, app.problem]).toEqual([{ requestId: 'r1' }, null]);
  });
});

describe('branching', () => {
  it('begins at a question, or at the artifact of a card', async () => {
    const backend = new FakeBackend();
    const app = new App(backend);
    const answer = { ...answers.category, session_id: 's1', turn: 3 };
    await app.handover.branches.from(answer);
    await app.handover.branches.from(answer, artifactOf(answer, 'frame'));
    const frame = answer.artifacts.find(({ kind }) => kind === 'frame')?.id;
    expect(frame).toBeTruthy();
    expect(backend.branched).toEqual([
      ['s1', { turn: 3 }],
      ['s1', { from_artifact: frame }],
    ]);
    expect([artifactOf(answer, 'chart', frame), artifactOf(answer, 'pie')]).toEqual([frame, '']);
  });
});

describe('a session that grew in another window', () => {
  const grown = (...ids: string[]) =>
    ({
      id: 's1',
      title: 'revenue',
      created: '',
      updated: '',
      origin: null,
      imported: null,
      turns: ids.map((id, at) => ({
        index: at + 1,
        place: at + 1,
        chosen: true,
        request_id: id,
        question: id,
        outcome: 'answer',
        asked: '2026-10-28T09:00:00Z',
        trace: [],
        made_by: null,
        fault: null,
        answer: { ...answers.category, request_id: id, session_id: 's1', turn: at + 1 },
        artifacts: [],
        archived: null,
      })),
    }) as unknown as SessionDocument;
  let backend: FakeBackend;
  let app: App;

  beforeEach(async () => {
    backend = new FakeBackend();
    backend.documents.set('s1', grown('r1'));
    backend.sessionLife.grown.set('s1', 1);
    app = new App(backend);
    await app.openSession('s1');
    expect(app.problem).toBeNull();
    await app.handover.grown.look();
  });

  it('says how many answers came, and shows them when it is told to', async () => {
    expect(app.handover.grown.n).toBe(0);
    backend.documents.set('s1', grown('r1', 'r2', 'r3'));
    backend.sessionLife.grown.set('s1', 3);
    expect(app.handover.grown.n).toBe(0); // nobody has looked
    await app.handover.grown.look();
    expect([app.handover.grown.n, app.session.turns.length]).toEqual([2, 1]);
    await app.handover.grown.show();
    expect([app.handover.grown.n, app.session.turns.length]).toEqual([0, 3]);
  });

  it('says nothing of another session, nor when it cannot be found out', async () => {
    backend.sessionLife.grown.set('s1', 3);
    backend.sessionLife.failure = new Fault('unavailable', 'The disk is full.');
    await app.handover.grown.look();
    expect(app.handover.grown.n).toBe(0);
    backend.sessionLife.failure = null;
    await app.handover.grown.look();
    expect(app.handover.grown.n).toBe(2);
    app.newSession();
    expect(app.handover.grown.n).toBe(0);
  });

  it('looks only while nothing runs here, and says nothing of what does', async () => {
    const turn = app.session.turns[0]!;
    backend.sessionLife.grown.set('s1', 2);
    turn.state = 'running';
    await app.handover.grown.look();
    turn.state = 'done';
    expect(app.handover.grown.n).toBe(0);
  });

  it('says it in one line with a button, when the reader comes back', async () => {
    const onleave = vi.fn();
    const { container } = render(Grown, { grown: app.handover.grown, busy: false, onleave });
    backend.documents.set('s1', grown('r1', 'r2'));
    backend.sessionLife.grown.set('s1', 2);
    await fireEvent.focus(window);
    await eventually(() => expect(container.textContent).toContain('1 answer came from another window.'));
    await fireEvent.click(screen.getByRole('button', { name: 'Show' }));
    await eventually(() => expect([container.textContent.trim(), app.session.turns.length]).toEqual(['', 2]));
    await eventually(() => expect(onleave).toHaveBeenCalledOnce());
  });

  it('says that they could not be read, and shows them when they can be', async () => {
    const { container } = render(Grown, { grown: app.handover.grown, busy: false, onleave: () => undefined });
    backend.sessionLife.grown.set('s1', 2);
    await app.handover.grown.look();
    backend.documents.delete('s1');
    await app.handover.grown.show();
    await eventually(() => expect(container.textContent).toContain(app.handover.grown.problem!.message));
    expect(container.textContent).not.toContain('1 answer came');
    backend.documents.set('s1', grown('r1', 'r2'));
    await app.handover.grown.show();
    expect([app.handover.grown.n, app.handover.grown.problem]).toEqual([0, null]);
  });

  it('looks again by itself while the page can be seen, until it is gone', async () => {
    vi.useFakeTimers();
    try {
      const ended = vi.spyOn(backend.sessionLife, 'ended');
      const { unmount } = render(Grown, { grown: app.handover.grown, busy: false, onleave: () => undefined });
      backend.sessionLife.grown.set('s1', 2);
      await vi.advanceTimersByTimeAsync(15_000);
      expect([ended.mock.calls.length, app.handover.grown.n]).toEqual([1, 1]);
      const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
      await vi.advanceTimersByTimeAsync(60_000);
      expect(ended).toHaveBeenCalledTimes(1);
      seen.mockReturnValue('visible');
      await fireEvent(document, new Event('visibilitychange'));
      expect(ended).toHaveBeenCalledTimes(2);
      unmount();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(ended).toHaveBeenCalledTimes(2);
      seen.mockRestore();
    } finally {
      vi.useRealTimers();
    }
  });
});
