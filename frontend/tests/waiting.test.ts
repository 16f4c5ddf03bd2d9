import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import InboxDrawer from '$components/inbox/InboxDrawer.svelte';
import Waiting from '$components/chat/Waiting.svelte';
import Rail from '../src/views/Rail.svelte';
import { App } from '$lib/app.svelte';
import { Fault } from '$lib/api/fault';
import { FakeBackend } from '$lib/api/fake';
import type { Answer, InboxNotice, Standing } from '$lib/api/types';
import { blocksOf } from '$lib/blocks';
import { InboxController } from '$lib/controllers/inbox.svelte';
import { formatAway } from '$lib/format';
import { asAnswered, storedTurn as viewOf } from '$lib/turn';
import { acceptanceWords, planWords, untilWords, waitingOf } from '$lib/waiting';
import { answers, northwind, step, storedTurn } from './fixtures';

const answer = (status: string, level: number, part: Partial<Answer> = {}): Answer => ({
  ...answers.category,
  request_id: 'r1',
  session_id: 'ses_1',
  status,
  outcome: status === 'pending_acceptance' || status === 'completed' ? 'answer' : 'confirm',
  acceptance: { required: status !== 'completed', deadline: '2026-11-26T16:00:00Z' },
  risk: { ...answers.category.risk!, autonomy_level: level, reasons: ['a', 'You asked.', 'You asked.'] },
  plan: { rows: 3070, bytes: 94200, ms: 1.1, basis: "the engine's own plan" },
  ...part,
});
const unrun = { frame: null, narration: null, chart: null, followups: [], metric_card: null };
const standing = (part: Partial<Standing> = {}): Standing => ({
  request_id: 'r1',
  session_id: 'ses_1',
  turn: 1,
  question: 'q',
  frame_ql: 'SELECT revenue',
  actor: 'os:me',
  asked: '2026-11-23T16:00:00Z',
  outcome: 'answer',
  status: 'pending_acceptance',
  stage: 'accept',
  level: 3,
  until: '2026-11-26T16:00:00Z',
  ending: 'abandon',
  settled: '',
  by: '',
  how: '',
  may_be_golden: false,
  kept: false,
  ...part,
});
const stands = (part: Partial<Standing>) => ({ ...asAnswered, now: standing(part) });

describe('waitingOf', () => {
  it('says what an answer waits for, and nothing of one that waits for nothing', () => {
    const what = (status: string) => waitingOf(answer(status, 3), asAnswered)?.what ?? null;
    expect(
      ['pending_acceptance', 'needs_confirmation', 'recommended', 'human_only', 'completed', 'blocked'].map(what),
    ).toEqual(['acceptance', 'confirmation', 'recommendation', 'person', null, null]);
  });

  it('shows what would run and what that takes, as long as it has not run', () => {
    const open = waitingOf(answer('recommended', 2, unrun), asAnswered)!;
    expect(open).toMatchObject({ open: true, until: '2026-11-26T16:00:00Z', plan: { rows: 3070 }, keep: 'no' });
    expect(open.query).toContain('SELECT');
    expect(open.reasons).toEqual(['You asked.', 'a']);
    const ended = waitingOf(answer('recommended', 2, unrun), stands({ settled: 'declined' }))!;
    expect(ended).toMatchObject({ open: false, until: null, plan: null, says: 'You chose not to run this.' });
    expect(waitingOf(answer('pending_acceptance', 3), asAnswered)).toMatchObject({ query: '', plan: null });
    expect(waitingOf(answer('human_only', 1, unrun), asAnswered)).toMatchObject({ plan: null });
  });

  it('names the roles whose matter it is', () => {
    const escalation = { roles: ['steward'], reason: 'This is for a person to do: steward.' };
    expect(waitingOf(answer('human_only', 1, { escalation }), asAnswered)!.says).toBe(escalation.reason);
  });

  it('tells every end, and an end that it does not know', () => {
    const says = (settled: string, how = 'explicit') =>
      waitingOf(answer('pending_acceptance', 3), stands({ settled, how }))!.says;
    const all = ['accepted', 'rejected', 'revised', 'abandoned', 'confirmed', 'declined', 'expired', 'handled'];
    expect(new Set(all.map((settled) => says(settled))).size).toBe(all.length);
    expect(says('something new')).toBe('This does not wait any more.');
    expect(says('accepted', 'copy')).toBe('Accepted, because its result was used.');
  });

  it('offers to keep what was accepted until it is kept', () => {
    const keep = (part: Partial<Standing>) => waitingOf(answer('pending_acceptance', 3), stands(part))!.keep;
    expect(keep({ settled: 'accepted', may_be_golden: true })).toBe('offered');
    expect(keep({ settled: 'accepted', may_be_golden: true, kept: true })).toBe('kept');
    expect(keep({ settled: 'rejected' })).toBe('no');
  });
});

describe('words', () => {
  const now = new Date('2026-11-23T16:00:00Z');

  it('say until when, and how far away that is', () => {
    expect(untilWords('2026-11-26T16:00:00Z', now, 'en-US')).toMatch(/^Until Nov 26, 2026, .*, in 3 days\.$/);
    expect(untilWords('2026-11-23T14:00:00Z', now, 'en-US')).toMatch(/^The time for it ended 2 hours ago, on Nov 23/);
    const away = (iso: string) => formatAway(iso, now, 'en-US');
    expect(away('2026-11-23T16:40:00Z')).toBe('in 1 hour');
    expect(away('2026-11-23T16:20:00Z')).toBe('in 20 minutes');
    expect(away('2026-11-23T16:00:10Z')).toBe('this minute');
  });

  it('say what a run takes and from what that is known', () => {
    expect(planWords({ rows: 3070, bytes: 94_200_000, ms: 1800, basis: "the engine's own plan" }, 'en-US')).toBe(
      "It would read about 3,070 rows and 94.2 MB, and take about 1.8 s. Estimated from the engine's own plan.",
    );
    expect(planWords({ rows: 1, bytes: 0, ms: 0, basis: '' }, 'en-US')).toBe(
      'It would read about 1 row and 0 B, and take about <1 ms.',
    );
  });

  it('say quietly how an answer that needs no word is accepted', () => {
    expect(acceptanceWords(answer('completed', 4), null, 'en-US')).toMatch(/^Accepted when you use it, or on Nov 26/);
    expect(acceptanceWords(answer('completed', 5), standing({ settled: 'timed_out' }), 'en-US')).toBe(
      'Accepted, because nobody said otherwise in time.',
    );
    expect(acceptanceWords(answer('pending_acceptance', 3), null, 'en-US')).toBe('');
    expect(acceptanceWords(answers.category, null, 'en-US')).toBe('');
  });
});

it('a turn whose answer waits has a block for it after its reading', () => {
  const kinds = (given: Answer) => blocksOf(viewOf(storedTurn({ answer: given }), 0)).map(({ kind }) => kind);
  expect(kinds(answer('pending_acceptance', 3)).slice(0, 3)).toEqual(['narration', 'reading', 'waiting']);
  expect(kinds(answer('recommended', 2, unrun))).toContain('waiting');
  expect(kinds(answer('completed', 4))).not.toContain('waiting');
});

describe('the life of an answer in the page', () => {
  let backend: FakeBackend;
  let app: App;

  beforeEach(() => {
    backend = new FakeBackend();
    backend.workspaces = [northwind];
    backend.standings.set('r1', standing());
    history.replaceState(null, '', '/');
    app = new App(backend);
  });

  const ask = async (given: Answer) => {
    backend.answer = async () => given;
    await app.ask({ question: 'q' });
    return app.session.turns.at(-1)!;
  };
  const waits = (turn: Awaited<ReturnType<typeof ask>>) => waitingOf(turn.answer!, turn.stands)!;

  it('takes a word, once, and keeps an example', async () => {
    const turn = await ask(answer('pending_acceptance', 3));
    const first = app.settle(turn.key, 'accepted');
    expect(waits(turn).saying).toBe(true);
    await app.settle(turn.key, 'rejected');
    await first;
    expect(backend.said).toEqual([['r1', 'accepted', undefined]]);
    expect(waits(turn)).toMatchObject({ open: false, saying: false, keep: 'offered' });
    await app.settle(turn.key, 'keep');
    expect([backend.kept, waits(turn).keep]).toEqual([['r1'], 'kept']);
  });

  it('shows how it ended when somebody else was earlier, and the problem when nobody was', async () => {
    const turn = await ask(answer('pending_acceptance', 3));
    backend.failures.say = new Fault('conflict', 'It does not wait for that.');
    backend.standings.set('r1', standing({ settled: 'abandoned', how: 'timeout' }));
    await app.settle(turn.key, 'accepted');
    expect(waits(turn)).toMatchObject({ open: false, problem: null });
    const other = await ask(answer('pending_acceptance', 3, { request_id: 'r2' }));
    backend.standings.set('r2', standing({ request_id: 'r2' }));
    backend.failures.say = new Fault('unavailable', 'The disk is full.', 'Free some space.');
    await app.settle(other.key, 'accepted');
    expect(waits(other)).toMatchObject({ open: true, saying: false, problem: { message: 'The disk is full.' } });
  });

  it('runs what waited as the next turn', async () => {
    const turn = await ask(answer('recommended', 2, unrun));
    const seen: number[] = [];
    backend.confirmation = async (_, onEvent) => {
      onEvent({ request_id: 'r9', session_id: 's', step: step('execute', 'started') });
      seen.push(app.session.turns[1]!.steps.length);
      backend.standings.set('r1', standing({ settled: 'confirmed' }));
      return answer('completed', 4, { request_id: 'r9' });
    };
    await app.confirm(turn.key);
    expect(backend.confirmed).toEqual(['r1']);
    expect(seen).toEqual([1]);
    expect(app.session.turns).toHaveLength(2);
    expect(app.session.turns[1]).toMatchObject({
      state: 'done',
      asked: { frame_ql: turn.answer!.understood!.frame_ql },
    });
    expect(waits(turn)).toMatchObject({ open: false, says: 'You had this run. The result is a question of its own below.' }); // prettier-ignore
  });

  it('runs nothing when the word is not taken, and stops when it is stopped', async () => {
    const turn = await ask(answer('recommended', 2, unrun));
    backend.failures.confirm = new Fault('unauthorized', 'It is not yours.');
    await app.confirm(turn.key);
    expect(app.session.turns).toHaveLength(1);
    expect(waits(turn)).toMatchObject({ open: true, problem: { message: 'It is not yours.' } });
    delete backend.failures.confirm;
    backend.confirmation = (_, _hear, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Fault('canceled', 'x'))));
    const running = app.confirm(turn.key);
    expect(app.run.running).toBe(true);
    app.run.cancel();
    await running;
    expect(app.session.turns[1]).toMatchObject({ state: 'stopped', answer: null });
  });

  it('accepts by use from level 4 on, once and in silence', async () => {
    const waiting = await ask(answer('pending_acceptance', 3));
    app.copied(waiting.key);
    expect(backend.said).toEqual([]);
    const used = await ask(answer('completed', 4, { request_id: 'r4' }));
    backend.failures.say = new Fault('conflict', 'x');
    app.copied(used.key);
    app.copied(used.key);
    await Promise.resolve();
    expect(backend.said).toEqual([['r4', 'accepted', 'copy']]);
    expect([used.stands.problem, app.problem]).toEqual([null, null]);
  });

  it('reads a session again with what became of its answers', async () => {
    const turns = [storedTurn({ answer: answer('pending_acceptance', 3) })];
    backend.documents.set('ses_1', {
      id: 'ses_1',
      title: 't',
      created: '',
      updated: '',
      turns,
      origin: null,
      imported: null,
    });
    backend.standings.set('r1', standing({ settled: 'rejected', how: 'explicit' }));
    await app.openSession('ses_1');
    expect(waits(app.session.turns[0]!)).toMatchObject({ open: false, problem: null });
    backend.standings.clear();
    await app.openSession('ses_1');
    expect(waits(app.session.turns[0]!).open).toBe(true);
  });

  it('opens the turn of a notice and marks it as read', async () => {
    const turns = [storedTurn({ answer: answer('pending_acceptance', 3) })];
    backend.documents.set('ses_1', {
      id: 'ses_1',
      title: 't',
      created: '',
      updated: '',
      turns,
      origin: null,
      imported: null,
    });
    backend.notices = [told(7)];
    await app.start();
    expect(app.inbox.unread).toBe(1);
    app.layout.inboxOpen = true;
    await app.openNotice(app.inbox.notices[0]!);
    expect([backend.readIds, app.inbox.unread, app.layout.inboxOpen]).toEqual([[7], 0, false]);
    expect([app.session.id, app.session.wantedTurn]).toEqual(['ses_1', { requestId: 'r1' }]);
  });
});

const told = (id: number, part: Partial<InboxNotice> = {}): InboxNotice => ({
  id,
  at: '2026-11-20T09:00:00Z',
  request_id: 'r1',
  session_id: 'ses_1',
  question: 'revenue',
  kind: 'take_over',
  role: 'steward',
  words: 'A question is waiting for a person with the role steward.',
  read: false,
  ...part,
});

describe('the inbox', () => {
  it('is unread again when that it was read could not be stored', async () => {
    const backend = new FakeBackend();
    backend.notices = [told(1), told(2, { read: true })];
    const inbox = new InboxController(backend);
    await inbox.load();
    backend.failures.readNotice = new Fault('unavailable', 'The disk is full.');
    await inbox.read(inbox.notices[0]!);
    expect([inbox.unread, inbox.problem?.code]).toEqual([1, 'unavailable']);
    await inbox.read(inbox.notices[1]!);
    expect(backend.readIds).toEqual([]);
  });

  it('keeps what it knows when it cannot be read anew', async () => {
    const backend = new FakeBackend();
    backend.notices = [told(1)];
    const inbox = new InboxController(backend);
    await inbox.load();
    backend.failures.inbox = new Fault('unavailable', 'x');
    await inbox.load();
    expect([inbox.notices.length, inbox.problem?.code]).toEqual([1, 'unavailable']);
  });

  it('says how many nobody has read', () => {
    const props = {
      theme: 'system' as const,
      place: 'workspace' as const,
      views: [],
      onplace: vi.fn(),
      onsessions: vi.fn(),
      ontheme: vi.fn(),
    };
    const oninbox = vi.fn();
    const { unmount } = render(Rail, { ...props, unread: 1, oninbox });
    expect(screen.getByRole('button', { name: 'Inbox, 1 unread notice' })).toBeTruthy();
    unmount();
    render(Rail, { ...props, unread: 120, oninbox });
    expect(screen.getByRole('button', { name: 'Inbox, 120 unread notices' }).parentElement!.textContent).toContain(
      '99+',
    );
  });

  it('lists what it tells, or says what it is for', async () => {
    HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
      this.open = true;
    };
    const backend = new FakeBackend();
    const inbox = new InboxController(backend);
    const onopen = vi.fn();
    render(InboxDrawer, { inbox, open: true, locale: 'en-US', onclose: vi.fn(), onopen });
    expect(await screen.findByText(/^Nothing to tell/)).toBeTruthy();
    backend.notices = [told(1)];
    await inbox.load();
    await fireEvent.click(await screen.findByText(/is waiting for a person/));
    expect(onopen).toHaveBeenCalledWith(told(1));
    await fireEvent.click(screen.getByRole('button', { name: 'Mark as read', hidden: true }));
    expect(backend.readIds).toEqual([1]);
  });
});

it('the block takes its words by button and goes on from what became of it', async () => {
  const onword = vi.fn(async () => undefined);
  const onrun = vi.fn(async () => undefined);
  const props = { locale: 'en-US', busy: false, onword, onrun };
  const { rerender } = render(Waiting, { ...props, waiting: waitingOf(answer('needs_confirmation', 4, unrun), asAnswered)! }); // prettier-ignore
  await fireEvent.click(screen.getByRole('button', { name: 'Run it' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Do not run' }));
  expect([onrun.mock.calls.length, onword.mock.calls]).toEqual([1, [['declined']]]);
  const why = screen.getByRole('button', { name: 'Why it waits' });
  expect(screen.queryByText('You asked.')).toBeNull();
  await fireEvent.click(why);
  expect([why.getAttribute('aria-expanded'), screen.getAllByText('You asked.').length]).toEqual(['true', 1]);
  await rerender({ ...props, busy: true });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run it' }).disabled).toBe(true);
  await rerender({ ...props, waiting: waitingOf(answer('human_only', 1, unrun), asAnswered)! });
  expect(screen.queryByRole('button', { name: 'Run it' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Why automation is not appropriate' })).toBeTruthy();
});
