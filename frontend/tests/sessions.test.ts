import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import SessionDrawer from '$components/session/SessionDrawer.svelte';
import { FakeBackend } from '$lib/api/fake';
import { Fault } from '$lib/api/fault';
import type { SearchHit, SessionHead } from '$lib/api/types';
import { SessionsController } from '$lib/controllers/sessions.svelte';
import { recall, remember } from '$lib/storage';
import { Undoing } from '$lib/undo.svelte';
import { eventually } from './eventually';

let backend: FakeBackend;
beforeEach(() => (backend = new FakeBackend()));

const head = (id: string, title: string, part: Partial<SessionHead> = {}): SessionHead => ({
  id,
  title,
  created: '2026-10-28T09:00:00Z',
  updated: '2026-10-28T09:00:00Z',
  turns: 1,
  pinned: false,
  archived: false,
  imported: false,
  ...part,
});

const hit = (id: string, field: SearchHit['field'], excerpt: string, part: Partial<SearchHit> = {}): SearchHit => ({
  session_id: id,
  title: `title of ${id}`,
  request_id: '',
  turn: 1,
  field,
  excerpt,
  at: '2026-10-28T09:00:00Z',
  pinned: false,
  archived: false,
  ...part,
});

async function loaded(...entries: SessionHead[]): Promise<SessionsController> {
  backend.entries = entries;
  const sessions = new SessionsController(backend);
  await sessions.load();
  return sessions;
}

describe('SessionsController', () => {
  it('shows those that are archived by themselves, and counts what is out of sight', async () => {
    const sessions = await loaded(
      head('1', 'revenue by month'),
      head('2', 'orders by month'),
      head('3', 'revenue a month ago', { archived: true }),
    );
    expect([sessions.shown.map(({ id }) => id), sessions.hidden]).toEqual([['1', '2'], 1]);
    sessions.archived = true;
    expect([sessions.shown.map(({ id }) => id), sessions.hidden]).toEqual([['3'], 2]);
  });

  it('deletes for good, and nothing that was done to the session can be taken back then', async () => {
    const undone = new Undoing();
    backend.entries = [head('1', 'a'), head('2', 'b')];
    const sessions = new SessionsController(backend, undone);
    await sessions.load();
    await sessions.rename('2', 'c');
    await sessions.rename('1', 'd');
    await sessions.remove(sessions.all[0]!);
    remember('report.1', JSON.stringify({ title: 'Private', items: [], at: 1 }));
    sessions.erasing = backend.entries[0]!;
    expect(await sessions.erase(backend.entries[0]!)).toBe(true);
    expect([backend.sessionLife.erased, sessions.erasing, recall('report.1')]).toEqual([['1'], null, null]);
    expect([undone.last?.about, sessions.undoable]).toEqual(['2', null]);
  });

  it('has deleted for good what is gone already', async () => {
    const sessions = await loaded(head('1', 'a'));
    backend.sessionLife.failure = new Fault('not_found', 'There is no such session.');
    expect(await sessions.erase(sessions.all[0]!)).toBe(true);
    expect([sessions.shown.length, sessions.problem]).toEqual([0, null]);
  });

  it('keeps what could not be deleted for good, and says why', async () => {
    const sessions = await loaded(head('1', 'a'));
    backend.sessionLife.failure = new Fault('unavailable', 'The disk is full.');
    expect(await sessions.erase(sessions.all[0]!)).toBe(false);
    expect([sessions.shown.length, sessions.problem?.message]).toEqual([1, 'The disk is full.']);
  });

  it('deletes at once, and takes that back', async () => {
    const sessions = await loaded(head('1', 'a', { pinned: true }), head('2', 'b'));
    expect(await sessions.remove(sessions.all[0]!)).toBe(true);
    expect([sessions.shown.length, backend.removed]).toEqual([1, ['1']]);
    expect((await sessions.undo())?.id).toBe('1');
    expect([backend.restored, backend.changed, sessions.shown.length]).toEqual([['1'], [['1', { pinned: true }]], 2]);
    expect(await sessions.undo()).toBe(null);
  });

  it('keeps what could not be deleted, and says why', async () => {
    const sessions = await loaded(head('1', 'a'));
    backend.failures.removeSession = new Fault('unavailable', 'The disk is full.');
    expect(await sessions.remove(sessions.all[0]!)).toBe(false);
    expect([sessions.shown.length, sessions.undoable, sessions.problem?.message]).toEqual([
      1,
      null,
      'The disk is full.',
    ]);
  });

  it('archives with a way back', async () => {
    const sessions = await loaded(head('1', 'a'));
    await sessions.archive(sessions.all[0]!, true);
    expect([sessions.undoable?.what, backend.changed]).toEqual(['archived', [['1', { archived: true }]]]);
    await sessions.undo();
    expect(backend.changed.at(-1)).toEqual(['1', { archived: false }]);
  });

  it('renames, but never to nothing', async () => {
    const sessions = await loaded(head('1', 'a'));
    await sessions.rename('1', '  ');
    await sessions.rename('1', ' b ');
    expect(backend.changed).toEqual([['1', { title: 'b' }]]);
  });
});

describe('SessionDrawer', () => {
  async function shown(sessions: SessionsController, part: object = {}) {
    const props = { onclose: vi.fn(), onopen: vi.fn(), onnew: vi.fn(), ongone: vi.fn(), ...part };
    render(SessionDrawer, { sessions, open: true, currentId: '1', locale: 'en-US', ...props });
    await eventually(() => expect(sessions.loaded).toBe(true));
    return props;
  }

  it('shows the pinned ones first, and archived ones only when they are wanted', async () => {
    const sessions = await loaded(
      head('2', 'pinned one', { pinned: true }),
      head('1', 'plain one'),
      head('3', 'old one', { archived: true }),
    );
    await shown(sessions);
    const titles = () => screen.getAllByText(/ one$/).map((element) => element.textContent);
    expect(titles()).toEqual(['pinned one', 'plain one']);
    await fireEvent.click(screen.getByText('1 archived'));
    expect(titles()).toEqual(['old one']);
  });

  it('shows what was found by session, with its words marked as text, and opens it where they stand', async () => {
    const sessions = await loaded(head('1', 'plain one'), head('3', 'old one', { archived: true }));
    backend.sessionLife.hits.set('revenue <b>', [
      hit('3', 'title', 'old one'),
      hit('3', 'narration', 'The Revenue <b> is 12', { request_id: 'r7', turn: 2, archived: true }),
      hit('1', 'metric', 'revenue <b>', { request_id: 'r1' }),
    ]);
    const { onopen } = await shown(sessions);
    await fireEvent.input(screen.getByLabelText('Search sessions'), { target: { value: 'revenue <b>' } });
    await screen.findByText('2 places in 2 sessions');
    expect(screen.getAllByText(/ one$/).map((element) => element.textContent)).toEqual(['old one', 'plain one']);
    expect(screen.getByText(/· archived$/)).toBeTruthy();
    const marks = [...document.querySelectorAll('mark')].map((mark) => mark.textContent);
    expect(marks).toEqual(['Revenue', '<b>', 'revenue', '<b>']);
    await fireEvent.click(screen.getByText('Answer').closest('button')!);
    expect(onopen).toHaveBeenCalledWith('3', 'r7');
    await fireEvent.input(screen.getByLabelText('Search sessions'), { target: { value: '' } });
    expect(screen.getByText('1 archived')).toBeTruthy();
  });

  it('says when a session goes by itself', async () => {
    const sessions = await loaded(head('1', 'a', { expires: '2026-11-12T09:00:00Z' }));
    await shown(sessions);
    expect(screen.getByText('Goes on November 12 unless it is pinned')).toBeTruthy();
  });

  it('asks once before a session is deleted for good', async () => {
    const sessions = await loaded(head('1', 'a', { archived: true }));
    const { ongone } = await shown(sessions);
    await fireEvent.click(screen.getByText('1 archived'));
    await fireEvent.click(screen.getByRole('button', { name: 'Delete for good' }));
    expect(backend.sessionLife.erased).toEqual([]);
    await fireEvent.click(screen.getAllByRole('button', { name: 'Delete for good' })[1]!);
    await eventually(() => expect(backend.sessionLife.erased).toEqual(['1']));
    await eventually(() => expect(ongone).toHaveBeenCalledOnce());
  });

  it('leaves a session that is deleted while it is open', async () => {
    const sessions = await loaded(head('1', 'a'));
    const { ongone } = await shown(sessions);
    backend.entries = [];
    await fireEvent.click(screen.getByLabelText('Delete'));
    await eventually(() => expect(ongone).toHaveBeenCalledOnce());
    expect(screen.getByText('Deleted: a')).toBeTruthy();
  });
});
