import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import SessionDrawer from '$components/session/SessionDrawer.svelte';
import { FakeBackend } from '$lib/api/fake';
import { Fault } from '$lib/api/fault';
import type { SessionHead } from '$lib/api/types';
import { SessionsController } from '$lib/controllers/sessions.svelte';
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

async function loaded(...entries: SessionHead[]): Promise<SessionsController> {
  backend.entries = entries;
  const sessions = new SessionsController(backend);
  await sessions.load();
  return sessions;
}

describe('SessionsController', () => {
  it('searches by every word, and counts what is out of sight', async () => {
    const sessions = await loaded(
      head('1', 'revenue by month'),
      head('2', 'orders by month'),
      head('3', 'revenue a month ago', { archived: true }),
    );
    expect([sessions.found.length, sessions.hidden]).toEqual([2, 1]);
    sessions.search = ' MONTH rev';
    expect([sessions.found.map(({ id }) => id), sessions.hidden]).toEqual([['1'], 1]);
    sessions.archived = true;
    expect(sessions.found.map(({ id }) => id)).toEqual(['3']);
  });

  it('deletes at once, and takes that back', async () => {
    const sessions = await loaded(head('1', 'a', { pinned: true }), head('2', 'b'));
    expect(await sessions.remove(sessions.all[0]!)).toBe(true);
    expect([sessions.found.length, backend.removed]).toEqual([1, ['1']]);
    expect((await sessions.undo())?.id).toBe('1');
    expect([backend.restored, backend.changed, sessions.found.length]).toEqual([['1'], [['1', { pinned: true }]], 2]);
    expect(await sessions.undo()).toBe(null);
  });

  it('keeps what could not be deleted, and says why', async () => {
    const sessions = await loaded(head('1', 'a'));
    backend.failures.removeSession = new Fault('unavailable', 'The disk is full.');
    expect(await sessions.remove(sessions.all[0]!)).toBe(false);
    expect([sessions.found.length, sessions.undoable, sessions.problem?.message]).toEqual([
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
    HTMLDialogElement.prototype.showModal = function () {
      this.open = true;
    };
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

  it('leaves a session that is deleted while it is open', async () => {
    const sessions = await loaded(head('1', 'a'));
    const { ongone } = await shown(sessions);
    backend.entries = [];
    await fireEvent.click(screen.getByLabelText('Delete'));
    await eventually(() => expect(ongone).toHaveBeenCalledOnce());
    expect(screen.getByText('Deleted: a')).toBeTruthy();
  });
});
