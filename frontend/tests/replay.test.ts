import { describe, expect, it } from 'vitest';
import { Fault } from '$lib/api/fault';
import { FakeReplay } from '$lib/api/fake-replay';
import type { Holding, Replay, Unsettled } from '$lib/api/types';
import { HoldingsController } from '$lib/controllers/holdings.svelte';
import { ReplayController } from '$lib/controllers/replay.svelte';

const report: Replay = {
  session_id: 's1',
  title: 'revenue',
  at: '2026-01-15T12:00:00Z',
  clock: 'recorded',
  turns: [],
  same: 0,
  differ: 0,
  failed: 0,
};
const moved: Holding = {
  at: '2026-01-15T12:00:00Z',
  stands: 'moved',
  words: 'The rows differ.',
  change: null,
  state: 'x',
};
const concerned: Unsettled = {
  request_id: 'r1',
  session_id: 's1',
  turn: 1,
  question: 'revenue',
  because: ['The data of sales is not that of then.'],
  holding: null,
};

describe('a replay', () => {
  it('begins when it is opened, and again from another clock', async () => {
    const api = new FakeReplay();
    api.report = report;
    const replay = new ReplayController(api);
    replay.open('s1', 'revenue');
    await Promise.resolve();
    replay.choose('now');
    await expect.poll(() => replay.report).toEqual(report);
    expect(api.asked).toEqual([
      ['s1', 'recorded'],
      ['s1', 'now'],
    ]);
    replay.close();
    expect(replay.report).toBeNull();
  });

  it('is stopped without a word, and says why it failed', async () => {
    const api = new FakeReplay();
    const replay = new ReplayController(api);
    replay.open('s1', 'revenue');
    expect(replay.running).toBe(true);
    replay.stop();
    expect(replay.running).toBe(false);
    api.failure = new Fault('not_found', 'There is no session s1.');
    await replay.start();
    expect(replay.problem?.message).toBe('There is no session s1.');
    expect(replay.running).toBe(false);
  });
});

describe('answers that people rely on', () => {
  it('are asked again, and say whether they hold', async () => {
    const api = new FakeReplay();
    api.unsettledOf.set('s1', [concerned]);
    const holdings = new HoldingsController(api);
    await holdings.load('s1');
    expect(holdings.of('r1')?.holding).toBeNull();
    await holdings.again('r1');
    expect(holdings.problem?.requestId).toBe('r1');
    api.holdings.set('r1', moved);
    await holdings.again('r1');
    expect(holdings.of('r1')?.holding).toEqual(moved);
    expect(holdings.problem).toBeNull();
    await holdings.load(null);
    expect(holdings.of('r1')).toBeUndefined();
  });

  it('of a session that was left are not shown in another one', async () => {
    const api = new FakeReplay();
    api.unsettledOf.set('s1', [concerned]);
    const holdings = new HoldingsController(api);
    const first = holdings.load('s1');
    await holdings.load('s2');
    await first;
    expect(holdings.of('r1')).toBeUndefined();
  });
});
