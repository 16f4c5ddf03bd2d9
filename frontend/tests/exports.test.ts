import { describe, expect, it, vi } from 'vitest';
import { FakeExports } from '$lib/api/fake';
import { Fault } from '$lib/api/fault';
import { ExportsController } from '$lib/controllers/exports.svelte';

describe('an export', () => {
  it('is written, handed over, and said', async () => {
    const api = new FakeExports();
    const hand = vi.fn().mockResolvedValue('');
    const exports = new ExportsController(api, hand);
    const under = exports.start('r1', 'xlsx');
    expect(exports.now).toMatchObject({ requestId: 'r1', is: 'running' });
    expect(await under).toBe(true);
    expect(hand).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 'export-1' }), 'api/exports/export-1');
    expect(exports.now).toMatchObject({ is: 'done', file: { name: 'Revenue.xlsx' } });
    exports.dismiss();
    expect(exports.now).toBeNull();
  });

  it('that fails says why, and counts as no use', async () => {
    const api = new FakeExports();
    api.failure = new Fault('limit', 'too many rows', 'as CSV');
    const exports = new ExportsController(api, vi.fn());
    expect(await exports.start('r1', 'xlsx')).toBe(false);
    expect(exports.now).toMatchObject({ is: 'failed', problem: { message: 'too many rows', hint: 'as CSV' } });
  });

  it('that the shell could not save says so', async () => {
    const exports = new ExportsController(new FakeExports(), async () => 'no room');
    expect(await exports.start('r1', 'csv')).toBe(false);
    expect(exports.now).toMatchObject({ is: 'failed', problem: { message: 'no room' } });
  });

  it('is stopped, and leaves nothing', async () => {
    const api = new FakeExports();
    let go = () => {};
    api.wait = new Promise((resolve) => (go = resolve));
    const exports = new ExportsController(api, vi.fn());
    const under = exports.start('r1', 'csv');
    expect(await exports.start('r2', 'csv')).toBe(false);
    exports.dismiss();
    go();
    expect(await under).toBe(false);
    expect([exports.now, api.written]).toEqual([null, []]);
  });
});
