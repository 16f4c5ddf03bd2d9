import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import Skills from '../src/components/model/Skills.svelte';
import { FakeModelApi } from '../src/lib/api/fake-model';
import type { ModelEntry } from '../src/lib/api/types';
import { findIn, ModelController } from '../src/lib/controllers/model.svelte';
import { graphOf, pathOf } from '../src/lib/graph';
import { linesOf } from '../src/lib/lines';

const entry = (id: string, more: Partial<ModelEntry> = {}): ModelEntry => {
  const [kind, name = ''] = id.split('/');
  return {
    id,
    kind: kind as ModelEntry['kind'],
    name,
    label: '',
    description: '',
    synonyms: [],
    type: '',
    unit: '',
    tags: [],
    inferred: false,
    basis: '',
    file: 'context/x.yaml',
    line: 1,
    says: [],
    uses: [],
    used_by: [],
    ask: '',
    ...more,
  };
};

describe('the lines of two texts', () => {
  it('are what was put in and taken out, with a few around them', () => {
    const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', ''].join('\n');
    expect(linesOf(before, before.replace('g', 'G')).map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'gap …',
      'same d',
      'same e',
      'same f',
      'removed g',
      'added G',
      'same h',
    ]);
    expect(linesOf('a', 'a')).toEqual([]);
    expect(linesOf('', 'a\nb\n').map(({ kind }) => kind)).toEqual(['added', 'added']);
  });
  it('give back both texts, whatever they are', () => {
    const texts = ['a\nb\nc\n', 'b\nc\na\n', 'x\n', 'a\nx\nb\ny\nc\n'];
    for (const before of texts)
      for (const after of texts) {
        const lines = linesOf(before, after);
        if (before === after) continue;
        const of = (kind: string) =>
          lines.flatMap((line) => (line.kind === 'same' || line.kind === kind ? [line.text] : [])).join('\n') + '\n';
        expect([of('removed'), of('added')]).toEqual([before, after]);
      }
  });
});

describe('the model', () => {
  it('is searched by all words, names first', () => {
    const all = [
      entry('metric/freight', { description: 'part of revenue' }),
      entry('metric/revenue', { synonyms: ['sales'] }),
    ];
    expect(findIn(all, 'revenue').map(({ name }) => name)).toEqual(['revenue', 'freight']);
    expect(findIn(all, 'SALES rev').map(({ name }) => name)).toEqual(['revenue']);
    expect(findIn(all, 'nothing')).toEqual([]);
  });
  it('is a graph of its entities and the joins between them', () => {
    const graph = graphOf([
      entry('entity/orders'),
      entry('entity/customers'),
      entry('join/orders→customers', {
        uses: ['dimension/orders.a', 'entity/orders', 'entity/customers'],
        type: 'many_to_one',
      }),
      entry('join/orders→orders(parent)', { uses: ['entity/orders'], type: 'many_to_one' }),
      entry('join/orders→gone', { uses: ['entity/orders', 'entity/gone'] }),
    ]);
    expect(graph.nodes.length).toBe(2);
    expect(graph.edges.map(({ from, to, label }) => [from, to, label])).toEqual([
      ['entity/orders', 'entity/customers', ''],
      ['entity/orders', 'entity/orders', 'parent'],
    ]);
    expect(
      pathOf([
        { x: 0, y: 0 },
        { x: 10, y: 0 },
      ]),
    ).toBe('M0 0L10 0');
  });
  it('is edited, and a file that somebody else changed is not written over unseen', async () => {
    const api = new FakeModelApi();
    api.files.set('context/x.yaml', 'one');
    let heard = 0;
    const model = new ModelController(
      api,
      () => heard++,
      () => () => undefined,
    );
    await model.load();
    await model.edit(entry('metric/revenue'));
    expect(await model.save()).toBe(false); // nothing is changed
    model.write('context/x.yaml', 'mine');
    api.files.set('context/x.yaml', 'theirs');
    expect(await model.save()).toBe(false);
    expect(model.draft?.theirs?.text).toBe('theirs');
    expect(model.draft?.files[0]?.text).toBe('mine');
    model.takeBase(true);
    expect(await model.save()).toBe(true);
    expect(api.files.get('context/x.yaml')).toBe('mine');
    expect([heard, model.draft]).toEqual([1, null]);
  });
  it('takes what somebody else wrote, when the person wants that', async () => {
    const api = new FakeModelApi();
    const model = new ModelController(api, undefined, () => () => undefined);
    api.files.set('context/x.yaml', 'one');
    await model.edit(entry('metric/revenue'));
    model.write('context/x.yaml', 'mine');
    api.files.set('context/x.yaml', 'theirs');
    await model.save();
    model.takeBase(false);
    expect(model.draft?.changed).toEqual([]);
  });
  it('puts fields into the text that is being edited, and proposes what is not left out', async () => {
    const api = new FakeModelApi();
    api.files.set('context/x.yaml', 'metric: revenue');
    const model = new ModelController(api, undefined, () => () => undefined);
    await model.edit(entry('metric/revenue'));
    await model.put(entry('metric/revenue'), 1, [{ key: 'label', text: 'Revenue' }]);
    expect(model.draft?.files[0]?.text).toBe('metric: revenue\nedited: true');
    api.proposed = [{ path: 'context/entities/a.yaml', text: 'entity: a', hash: '' }];
    await model.propose(['dimension/a.b']);
    expect(api.leftOut).toEqual([['dimension/a.b']]);
    expect(model.draft?.edits).toEqual([{ path: 'context/entities/a.yaml', text: 'entity: a', base: '' }]);
  });
});

describe('skills', () => {
  it('are listed with what they say, and files that make none with their lines', () => {
    render(Skills, {
      skills: [{ name: 'seasonality_check', says: 'How far months differ.' }],
      problems: [
        { severity: 'warning', file: 'skills/a.star', line: 2, message: 'z is not known.', hint: 'See docs.' },
        { severity: 'warning', file: 'skills/b.star', line: 0, message: 'It is too long.', hint: '' },
      ],
    });
    expect(screen.getByText('seasonality_check').nextElementSibling?.textContent).toBe('How far months differ.');
    expect(screen.getByText('skills/a.star:2: z is not known.', { exact: false })).toBeTruthy();
    expect(screen.getByText('skills/b.star: It is too long.', { exact: false })).toBeTruthy();
    expect(screen.queryByText('No skill loads.')).toBeNull();
  });
});
