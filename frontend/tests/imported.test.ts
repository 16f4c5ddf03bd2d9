// A session that came with a file: each of its answers says so, and what it brings is offered to be looked at.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeBackend } from '$lib/api/fake';
import type { Elsewhere, SessionDocument, SessionModel } from '$lib/api/types';
import Root from '../src/Root.svelte';
import { answers, northwind, storedSession, storedTurn } from './fixtures';

const signed: Elsewhere = { at: '2026-11-01T09:00:00Z', file: 'handed.assay', fingerprint: 'ab12 cd34', signature: 'valid', signer: 'A. Nalyst', workspace: 'shop' }; // prettier-ignore
const imported: SessionDocument['imported'] = {
  ...signed,
  by: 'me',
  elsewhere: 1,
  frames: 'whole',
  program: 'v1',
  requests: {},
  session_id: 'there',
  sha256: 'sha256:1',
};
const definition = (object: string, here: 'missing' | 'differs') => ({ object, here, why: '', fields: [] });
const files = [{ path: 'metrics/margin.yaml', text: 'metric: margin\n', hash: '' }];
const brings: SessionModel = {
  also: 0,
  came: ['metrics/margin.yaml'],
  changes: [],
  definitions: [definition('metric margin', 'missing'), definition('metric revenue', 'differs')],
  files,
  left_out: [],
  may_write: true,
  problems: [],
  same: 0,
  session_id: 'ses_1',
  unread: '',
};
let backend: FakeBackend;

beforeEach(() => {
  backend = new FakeBackend();
  backend.workspaces = [northwind, northwind];
  const answer = (at: number, elsewhere: Elsewhere) =>
    storedTurn({
      index: at,
      place: at,
      request_id: `r${at}`,
      answer: { ...answers.category, request_id: `r${at}` },
      elsewhere,
    });
  const relayed: Elsewhere = { ...signed, relayed: true };
  backend.documents.set('ses_1', { ...storedSession(), imported, turns: [answer(1, signed), answer(2, relayed)] });
  location.hash = '#session/ses_1';
});

afterEach(() => {
  cleanup();
  location.hash = '';
});

const words = (element: Element) => element.textContent.replace(/\s+/g, ' ').trim();

it('says at each answer that nobody verified it, and of one that was relayed no signature', async () => {
  render(Root, { backend });
  const [first, second] = await screen.findAllByRole('article', { name: /^Question / });
  expect(words(first!)).toContain(
    'Imported, unverified. It came with handed.assay. Signed by A. Nalyst, key ab12 cd34.',
  );
  expect(words(second!)).toContain(
    'Imported, unverified. It came with handed.assay. Who wrote the file had it from elsewhere too.',
  );
  expect(words(second!)).not.toContain('Signed by');
  expect(screen.queryByRole('textbox', { name: /question/i })).toBeNull();
});

it('says what definitions it brings, and opens those that are missing to be looked at', async () => {
  backend.model.came = brings;
  render(Root, { backend });
  const line = await screen.findByText(/It brings 1 definition that is missing here\./);
  expect(words(line)).toContain('1 definition that came with it stays as it is here.');
  expect(words(line)).toContain('1 answer came from elsewhere there too: the signature says nothing of it.');
  await fireEvent.click(screen.getByRole('button', { name: 'Look at them' }));
  await screen.findAllByText(/metrics\/margin\.yaml/);
  expect(location.hash).toBe('#model/proposal');
  expect(backend.model.files.size).toBe(0);
});

it('offers nothing where nothing came, or nothing can be taken over', async () => {
  backend.model.came = { ...brings, definitions: [definition('metric revenue', 'differs')], files: [] };
  render(Root, { backend });
  const line = await screen.findByText(/1 definition that came with it stays as it is here\./);
  expect(words(line)).not.toContain('It brings');
  expect(screen.queryByRole('button', { name: 'Look at them' })).toBeNull();
});
