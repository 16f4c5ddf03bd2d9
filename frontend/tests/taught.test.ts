import { describe, expect, it } from 'vitest';
import type { BundlePreview, Exported, FoundTaught, Upload } from '$lib/api/types';
import { FakeTaught } from '$lib/api/fake-taught';
import { Fault } from '$lib/api/fault';
import { BundleArriving, BundlesController } from '$lib/controllers/bundles.svelte';
import { RecallController } from '$lib/controllers/recall.svelte';

const sales: FoundTaught = {
  kind: 'correction',
  id: 'c1',
  term: 'sales',
  means: 'net revenue',
  similarity: 0.8,
  named: false,
  used: false,
};

describe('what was taught is found again', () => {
  const setUp = (session: string | null = null) => {
    const api = new FakeTaught();
    api.found = [sales];
    const waiting: (() => void)[] = [];
    const recall = new RecallController(
      async () => api,
      () => session,
      (work) => {
        waiting.push(work);
        return () => waiting.splice(waiting.indexOf(work), 1);
      },
    );
    return { api, recall, settled: () => waiting.splice(0).forEach((work) => work()) };
  };

  it('when nothing more is written, and for the last words alone', async () => {
    const { api, recall, settled } = setUp();
    for (const words of ['s', 'sa', ' sales ']) {
      recall.words = words;
      recall.look();
    }
    expect(recall.found).toBeNull();
    settled();
    await expect.poll(() => recall.found).toEqual([sales]);
    expect(api.searched).toEqual(['sales']);
    recall.words = '  ';
    recall.look();
    expect(recall.found).toBeNull();
  });

  it('first what the session in view was read with', async () => {
    const { api, recall, settled } = setUp('s7');
    recall.words = 'sales';
    recall.look();
    settled();
    await expect.poll(() => api.searched).toEqual(['sales in s7']);
  });

  it('and again when what is there has changed, where something was found', async () => {
    const { api, recall, settled } = setUp();
    await recall.again();
    expect(api.searched).toEqual([]);
    recall.words = 'sales';
    recall.look();
    settled();
    await expect.poll(() => recall.found?.length).toBe(1);
    api.found = [];
    await recall.again();
    expect(recall.found).toEqual([]);
  });

  it('says why it cannot be, and shows nothing old', async () => {
    const { api, recall, settled } = setUp();
    api.failure = new Fault('invalid', 'There are too many words.');
    recall.words = 'sales';
    recall.look();
    settled();
    await expect.poll(() => recall.problem?.message).toBe('There are too many words.');
    expect(recall.found).toBeNull();
  });
});

describe('the bundle of what somebody taught', () => {
  const setUp = (hand: (file: Exported) => Promise<string> = async () => '') => {
    const api = new FakeTaught();
    return { api, bundles: new BundlesController(async () => api, hand) };
  };

  it('is written and handed over, and that is said', async () => {
    const handed: string[] = [];
    const { bundles } = setUp(async ({ id }) => (handed.push(id), ''));
    await bundles.load();
    expect(bundles.holds?.statements).toBe(2);
    expect(await bundles.write()).toBe(true);
    expect([handed, bundles.said]).toEqual([['bundle'], 'ada.assay-memory is written, with 2 statements.']);
  });

  it('that cannot be handed over says why', async () => {
    const { bundles } = setUp(async () => 'The disk is full.');
    expect(await bundles.write()).toBe(false);
    expect([bundles.problem?.message, bundles.said, bundles.busy]).toEqual(['The disk is full.', '', false]);
  });

  it('is exchanged through a folder, which says of each what came of it', async () => {
    const { api, bundles } = setUp();
    expect(await bundles.exchange()).toBe(true);
    expect(bundles.said).toBe('No bundle of a colleague was there. Yours is.');
    api.brought = [
      { file: 'bob.assay-memory', author: 'bob', statements: 1, new: 1, problem: '' },
      { file: 'x.assay-memory', author: '', statements: 0, new: 0, problem: 'It is cut off.' },
    ];
    await bundles.exchange();
    expect([bundles.said, bundles.brought?.length]).toEqual(['2 bundles of colleagues were there.', 2]);
    api.holds = { ...api.holds, remote: 'ssh://host/team.git' };
    await bundles.exchange();
    expect(bundles.said).toBe('2 bundles of colleagues were there. Yours was pushed to ssh://host/team.git.');
  });
});

describe('a bundle that arrives', () => {
  const preview = { file: 'bob', author: 'bob', said: [], refused: '', same: false } as unknown as BundlePreview;
  const setUp = (send: (file: File) => Promise<Upload> = async ({ name }) => ({ token: name, name, bytes: 1 })) => {
    const api = new FakeTaught();
    api.previews.set('bob', preview);
    const forgotten: string[] = [];
    const bundle = new BundleArriving(
      async () => api,
      send,
      (token) => forgotten.push(token),
    );
    return { api, bundle, forgotten };
  };

  it('is looked at, and lands when a person says so', async () => {
    const { api, bundle, forgotten } = setUp();
    await bundle.look(new File(['x'], 'bob'));
    expect([bundle.preview, api.taken]).toEqual([preview, []]);
    expect(await bundle.take()).toBe(true);
    expect([bundle.taken?.new, api.taken]).toEqual([1, ['bob']]);
    expect(await bundle.take()).toBe(false);
    bundle.leave();
    expect([bundle.name, forgotten]).toEqual(['', []]);
  });

  it('is forgotten when it is left, also while it is on its way', async () => {
    let arrive: (upload: Upload) => void = () => undefined;
    const { bundle, forgotten } = setUp(() => new Promise((resolve) => (arrive = resolve)));
    const looking = bundle.look(new File(['x'], 'bob'));
    bundle.leave();
    arrive({ token: 'bob', name: 'bob', bytes: 1 });
    await looking;
    expect([forgotten, bundle.preview]).toEqual([['bob'], null]);
  });

  it('that is none says so, and one that is refused later stays in view', async () => {
    const { api, bundle, forgotten } = setUp();
    await bundle.look({ token: 'rubbish', name: 'rubbish', bytes: 1 });
    expect(bundle.problem?.message).toMatch(/no bundle/);
    await bundle.look({ token: 'bob', name: 'bob', bytes: 1 });
    expect(forgotten).toEqual(['rubbish']);
    api.failure = new Fault('conflict', 'A newer one was taken before.');
    expect(await bundle.take()).toBe(false);
    expect([bundle.problem?.message, bundle.name]).toEqual(['A newer one was taken before.', 'bob']);
  });
});
