import { describe, expect, it } from 'vitest';
import type { Exported, SessionContents, SessionPreview } from '$lib/api/types';
import { FakeSessionFiles } from '$lib/api/fake-session-files';
import { Fault } from '$lib/api/fault';
import { ArrivingController, isSessionFile } from '$lib/controllers/arriving.svelte';
import { HandingController } from '$lib/controllers/handing.svelte';

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
};
const preview = {
  title: 'revenue',
  turns: [],
  missing: [],
  differ: [],
  already: [],
  model: [],
} as unknown as SessionPreview;
const exportsApi = { write: async () => ({}) as Exported, address: (file: Exported) => `api/exports/${file.id}` };

describe('handing a session over', () => {
  it('says what the file would hold for every choice, and writes what was chosen', async () => {
    const api = new FakeSessionFiles();
    api.holds = holds;
    const handed: string[] = [];
    const handing = new HandingController(api, exportsApi, async (_, address) => (handed.push(address), ''));
    handing.open('s1', 'revenue');
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
    handing.open('s2', 'freight');
    expect(handing.choice.frames).toBe('whole');
  });

  it('says why a file is not there', async () => {
    const api = new FakeSessionFiles();
    api.holds = holds;
    const full = 'The disk is full.';
    const handing = new HandingController(api, exportsApi, async () => full);
    handing.open('s1', 'revenue');
    await handing.write();
    expect(handing.problem?.message).toBe(full);
    expect(handing.done).toBeNull();
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

  it('are told from data by their names', () => {
    expect(['x.assay', 'X.ASSAY', 'x.csv', 'assay'].map(isSessionFile)).toEqual([true, true, false, false]);
  });
});
