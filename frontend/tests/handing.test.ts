import { describe, expect, it } from 'vitest';
import type { Exported, SessionContents, SessionPreview } from '$lib/api/types';
import { FakeReports, FakeSessionFiles, FakeShares } from '$lib/api/fake-session-files';
import { Fault } from '$lib/api/fault';
import { ArrivingController } from '$lib/controllers/arriving.svelte';
import { HandingController } from '$lib/controllers/handing.svelte';
import { SharesController } from '$lib/controllers/shares.svelte';
import { kindOf } from '$lib/recognise';

const holds: SessionContents = {
  turns: 2,
  unfinished: 0,
  frames: 1,
  rows: 8,
  bytes: 1000,
  tables: ['sales'],
  personal: [],
  sql: true,
  model: [],
  signer: null,
  key: '',
  sentences: 1,
  memos: 0,
  corrections: 0,
  terms: 0,
  shared_terms: 0,
  preferences: 0,
  feedback: 0,
  replies: 0,
  sent_texts: 0,
  elsewhere: 0,
  versions: 0,
  cleared: 0,
  origin: '',
};
const preview = {
  title: 'revenue',
  turns: [],
  missing: [],
  differ: [],
  already: [],
  model: [],
  brings: [],
  others: [],
  known: [],
} as unknown as SessionPreview;
const exportsApi = { write: async () => ({}) as Exported, address: (file: Exported) => `api/exports/${file.id}` };

const turns = [
  { turn: 1, question: 'revenue', requestId: 'r1' },
  { turn: 2, question: 'freight', requestId: 'r2' },
];
const s1 = { id: 's1', title: 'revenue', turns };

describe('handing a session over', () => {
  it('says what the file would hold for every choice, and writes what was chosen', async () => {
    const api = new FakeSessionFiles();
    api.holds = holds;
    const handed: string[] = [];
    const handing = new HandingController(
      api,
      new FakeReports(),
      exportsApi,
      async (_, address) => (handed.push(address), ''),
    );
    handing.open(s1);
    await expect.poll(() => handing.contents).toEqual(holds);
    handing.choose({ frames: 'none' });
    expect(handing.contents).toBeNull();
    await expect.poll(() => handing.contents).toEqual(holds);
    handing.choose({ signer: 'A. Nalyst' });
    expect(handing.contents).toEqual(holds);
    await handing.write();
    expect(api.written[0]?.[1]).toEqual({ frames: 'none', model: false, sign: false, signer: 'A. Nalyst' });
    expect(handed).toEqual(['api/exports/file']);
    expect(handing.done?.name).toBe('s1.assay');
    handing.open({ ...s1, id: 's2' });
    expect(handing.choice.frames).toBe('whole');
  });

  it('says why a file is not there', async () => {
    const api = new FakeSessionFiles();
    api.holds = holds;
    const full = 'The disk is full.';
    const handing = new HandingController(api, new FakeReports(), exportsApi, async () => full);
    handing.open(s1);
    await handing.write();
    expect(handing.problem?.message).toBe(full);
    expect(handing.done).toBeNull();
  });
});

describe('handing a session over to be read', () => {
  const setUp = () => {
    const api = new FakeSessionFiles();
    api.holds = holds;
    const reports = new FakeReports();
    const handing = new HandingController(api, reports, exportsApi, async () => '');
    handing.open(s1);
    return { api, reports, handing };
  };

  it('as a page that ends with a question, with the rows as they were chosen', async () => {
    const { api, reports, handing } = setUp();
    handing.as('page');
    handing.choose({ frames: 'none' });
    handing.endWith(1);
    expect(handing.turns).toEqual([turns[0]]);
    await handing.write();
    expect(reports.pages).toEqual([['s1', { frames: 'none', turn: 1 }]]);
    expect(api.written).toEqual([]);
    expect(handing.done?.name).toBe('s1.html');
    handing.endWith(0);
    expect(handing.done).toBeNull();
    await handing.write();
    expect(reports.pages[1]).toEqual(['s1', { frames: 'none', turn: undefined }]);
  });

  it('as a workbook of whole answers, which has rows in any case', async () => {
    const { reports, handing } = setUp();
    handing.choose({ frames: 'none' });
    handing.as('workbook');
    expect(handing.choice.frames).toBe('masked');
    await handing.write();
    expect(reports.reports).toEqual([
      {
        format: 'xlsx',
        title: 'revenue',
        frames: 'masked',
        items: [{ kind: 'session', id: 's1' }],
      },
    ]);
    handing.endWith(1);
    await handing.write();
    expect(reports.reports[1]?.items).toEqual([{ kind: 'answer', id: 'r1' }]);
  });

  it('and stops when nobody wants it any more', async () => {
    const { reports, handing } = setUp();
    let stopped = false;
    reports.page = (_id: string, _choice: object, signal?: AbortSignal) =>
      new Promise<Exported>((_resolve, reject) =>
        signal?.addEventListener('abort', () => {
          stopped = true;
          reject(new Fault('canceled', 'stopped'));
        }),
      );
    handing.as('page');
    const writing = handing.write();
    handing.close();
    await writing;
    expect([stopped, handing.writing, handing.problem]).toEqual([true, false, null]);
  });
});

describe('addresses of a session', () => {
  const setUp = async () => {
    const api = new FakeShares();
    const shares = new SharesController(api, () => Date.parse('2026-11-03T09:00:00Z'));
    await shares.load('s1');
    return { api, shares };
  };

  it('are made for what was chosen, and said once', async () => {
    const { api, shares } = await setUp();
    await shares.make({ frames: 'masked', turn: 1 });
    shares.days = 7;
    expect(shares.made?.url).toContain('share-1');
    await shares.make({ frames: 'whole', turn: undefined });
    expect(api.made).toEqual([
      ['s1', { frames: 'masked', turn: 1, days: 30 }],
      ['s1', { frames: 'whole', turn: undefined, days: 7 }],
    ]);
    expect(shares.open.map(({ id }) => id)).toEqual(['share-2', 'share-1']);
    shares.close();
    await shares.load('s1');
    expect(shares.made).toBeNull();
  });

  it('end when they are revoked, and when their time is over', async () => {
    const { api, shares } = await setUp();
    await shares.make({ frames: 'whole' });
    await shares.make({ frames: 'whole' });
    await shares.revoke('share-2');
    expect(shares.made).toBeNull();
    api.all = api.all.map((one) => (one.id === 'share-1' ? { ...one, expires: '2026-11-02T09:00:00Z' } : one));
    await shares.load('s1');
    expect([shares.open.length, shares.ended.map(({ id }) => id)]).toEqual([0, ['share-2', 'share-1']]);
  });

  it('are not made where nothing is served to others, and it says so', async () => {
    const { api, shares } = await setUp();
    api.failure = new Fault('unavailable', 'Nothing is served to others.', 'Start assay serve.');
    await shares.make({ frames: 'whole' });
    expect([shares.made, shares.making, shares.problem?.hint]).toEqual([null, false, 'Start assay serve.']);
  });

  it('stand in the list as soon as they are said, however long the list takes', async () => {
    const { api, shares } = await setUp();
    const lists: (() => void)[] = [];
    const list = api.of.bind(api);
    api.of = () => new Promise((resolve) => lists.push(() => void list().then(resolve)));
    const [early, making] = [shares.load('s1'), shares.make({ frames: 'whole' })];
    await expect.poll(() => lists.length).toBe(2);
    expect(shares.made).toBeNull();
    lists[1]?.();
    await making;
    expect([shares.made?.id, shares.open.map(({ id }) => id)]).toEqual(['share-1', ['share-1']]);
    api.all = [];
    lists[0]?.();
    await early;
    expect(shares.open.map(({ id }) => id)).toEqual(['share-1']);
  });

  it('of one session are not shown with another', async () => {
    const { shares } = await setUp();
    await shares.make({ frames: 'whole' });
    const loading = shares.load('s2');
    expect([shares.made, shares.all]).toEqual([null, []]);
    await loading;
  });
});

describe('session files that arrive', () => {
  const sent = async (file: File) => ({ token: file.name, name: file.name, bytes: 1 });
  const setUp = () => {
    const api = new FakeSessionFiles();
    api.previews.set('a.assay', preview);
    api.previews.set('b.assay', preview);
    const opened: string[] = [];
    const forgotten: string[] = [];
    const arriving = new ArrivingController(
      api,
      sent,
      async (id) => void opened.push(id),
      (token) => void forgotten.push(token),
    );
    return { api, arriving, opened, forgotten };
  };

  it('are looked at one after the other, and land only when somebody says so', async () => {
    const { api, arriving, opened, forgotten } = setUp();
    arriving.look([new File([''], 'a.assay'), new File([''], 'b.assay')]);
    await expect.poll(() => arriving.preview).toEqual(preview);
    expect(api.taken).toEqual([]);
    arriving.close();
    expect(forgotten).toEqual(['a.assay']);
    await expect.poll(() => arriving.preview).toEqual(preview);
    expect(arriving.name).toBe('b.assay');
    await arriving.take();
    expect(api.taken).toEqual(['b.assay']);
    expect(opened).toEqual(['arrived-b.assay']);
    expect(arriving.name).toBe('');
    expect(forgotten).toEqual(['a.assay']);
  });

  it('say why they are none, and stay in view when they cannot be taken', async () => {
    const { api, arriving } = setUp();
    arriving.look([new File([''], 'foreign.assay')]);
    await expect.poll(() => arriving.problem?.message).toBe('This is not a session file of Assay.');
    arriving.close();
    arriving.look([{ token: 'a.assay', name: 'a.assay', bytes: 1 }]);
    await expect.poll(() => arriving.preview).toEqual(preview);
    api.failure = new Fault('unavailable', 'There is no space.');
    await arriving.take();
    expect(arriving.problem?.message).toBe('There is no space.');
    expect(arriving.name).toBe('a.assay');
  });

  it('are told from data by their names, and by what is in them', async () => {
    const file = (name: string, content = '') => new File([content], name);
    const zip = (...names: string[]) => `PK\u0003\u0004 ${names.join(' ')} PK\u0005\u0006`;
    const known = async (...files: File[]) => Promise.all(files.map(kindOf));
    expect(await known(file('x.assay'), file('X.ASSAY'), file('x.csv'), file('assay'))).toEqual([
      'session',
      'session',
      'data',
      'data',
    ]);
    expect(
      await known(
        file('bob.assay-memory', 'rubbish'),
        file('bob.jsonl', '{"assay_memory":1,"author":"bob"}\n{"term":"sales"}\n'),
        file('cut.txt', '\ufeff {"author":"bob", "assay_memory": 1'),
        file('rows.jsonl', '{"term":"sales"}\n{"assay_memory":1}\n'),
      ),
    ).toEqual(['bundle', 'bundle', 'bundle', 'data']);
    expect(
      await known(
        file('handed.zip', zip('frames/0001.parquet', 'session.json', 'manifest.json')),
        file('handed.csv', zip('session.json', 'manifest.json')),
        file('session.json', '{"format":"assay-session","version":1}'),
        file('sorted.json', '\ufeff{ "created": "now",\n "format": "assay-session" }'),
      ),
    ).toEqual(['session', 'session', 'session', 'session']);
    expect(
      await known(
        file('book.xlsx', zip('[Content_Types].xml')),
        file('rows.json', '[{"format":"assay-session"}]'),
        file('nested.json', '{"rows":[{"format":"assay-session"}]}'),
        file('other.json', '{"format":"other"}'),
      ),
    ).toEqual(['data', 'data', 'data', 'data']);
  });
});
