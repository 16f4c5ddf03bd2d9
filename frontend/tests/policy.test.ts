import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { written } from '$lib/grid/copy';
import { forbiddenInChart } from '$lib/chart/policy';
import { blockNavigation } from '$lib/navigation';
import { spreadsheetText } from '$lib/spreadsheet';
import { escapeHtml, tooltipHtml } from '$lib/tooltip';
import vectors from '../../backend/frameql/testdata/spreadsheet_cells.json';
import { answers } from './fixtures';

const read = (files: Record<string, unknown>) =>
  Object.entries(files).map(([path, text]) => ({ path: path.replace('../src/', ''), text: String(text) }));
const sources = read(
  import.meta.glob(['../src/**/*.svelte', '../src/**/*.ts', '!**/schema.d.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);
const [page] = read(import.meta.glob('../index.html', { query: '?raw', import: 'default', eager: true }));
const [headers] = read(
  import.meta.glob('../../backend/api/headers.go', { query: '?raw', import: 'default', eager: true }),
);

describe('the page', () => {
  it('has no frame, no plugin, no link that leaves it and no HTML from text', () => {
    expect(sources.length).toBeGreaterThan(60);
    const banned: [RegExp, string[]][] = [
      [/<(iframe|object|embed|frame|portal|webview|base)\b/, []],
      [/\{@html\b/, ['components/shared/Markdown.svelte']],
      [/\b(innerHTML|outerHTML|insertAdjacentHTML|srcdoc|document\.write)\b/, []],
      [/\bnew Function\b|\beval\(/, []],
      [/\btarget=/, []],
      [/<a\b(?!\s+href="#)|<form\b[^>]*\baction=/i, []],
      [/window\.open\b/, ['lib/links.ts']],
      [/location\.(href|assign|replace)\b/, []],
      [/['"`]https?:\/\/(?!127\.0\.0\.1)/, ['lib/links.ts']],
    ];
    for (const [pattern, but] of banned) {
      const found = sources
        .filter(({ path, text }) => pattern.test(text) && !but.includes(path))
        .map(({ path }) => path);
      expect(found, String(pattern)).toEqual([]);
    }
  });

  it('carries the policy of the server', () => {
    const go = headers!.text;
    const sent = [
      ...go
        .slice(go.indexOf('const ContentPolicy'))
        .split('\n\n')[0]!
        .matchAll(/"([^"]*)"/g),
    ]
      .map((match) => match[1])
      .join('');
    expect(sent).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    // A policy in the page cannot say who may hold it.
    expect(page!.text).toContain(`content="${sent.replace("; frame-ancestors 'none'", '')}"`);
  });

  it('is linted for what would undo this', async () => {
    const eslint = new ESLint();
    const rules = async (file: string, code: string) =>
      (await eslint.lintText(code, { filePath: file }))[0]!.messages.map((message) => message.ruleId);
    expect(await rules('src/components/chat/Other.svelte', '{@html "x"}\n')).toContain('svelte/no-at-html-tags');
    expect(await rules('src/components/shared/Markdown.svelte', '{@html "x"}\n')).not.toContain(
      'svelte/no-at-html-tags',
    );
    expect(await rules('src/lib/other.ts', 'document.body.innerHTML = "x";\n')).toContain('no-restricted-properties');
    expect(await rules('src/lib/other.ts', 'window.open("x");\n')).toContain('no-restricted-properties');
    expect(await rules('src/lib/other.ts', 'eval("x");\n')).toContain('no-eval');
  }, 60_000);

  it('goes nowhere', () => {
    const stop = blockNavigation(document);
    const box = document.createElement('div');
    box.append(
      document
        .createRange()
        .createContextualFragment(
          '<a id="out" href="https://evil.example"><b id="in">x</b></a><a id="script" href="javascript:alert(1)">x</a><a id="here" href="#top">x</a>' +
            '<form id="form" action="https://evil.example"></form><button id="button" type="button">x</button>',
        ),
    );
    document.body.append(box);
    const sent = (id: string, event: Event) => !box.querySelector(`#${id}`)!.dispatchEvent(event);
    const press = () => new MouseEvent('click', { bubbles: true, cancelable: true });
    expect(['out', 'in', 'script', 'here', 'button'].map((id) => sent(id, press()))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(sent('in', new MouseEvent('auxclick', { bubbles: true, cancelable: true, button: 1 }))).toBe(true);
    expect(sent('form', new Event('submit', { bubbles: true, cancelable: true }))).toBe(true);
    const drop = new Event('drop', { bubbles: true, cancelable: true });
    Object.assign(drop, { dataTransfer: { types: ['text/uri-list'] } });
    expect(sent('button', drop)).toBe(true);
    stop();
    expect(sent('form', new Event('submit', { bubbles: true, cancelable: true }))).toBe(false);
    box.remove();
  });
});

describe('charts', () => {
  it('are drawn as the core writes them', () => {
    for (const [name, answer] of Object.entries(answers)) {
      const spec = (answer as { chart?: { vega_lite?: unknown } | null }).chart?.vega_lite;
      if (spec) expect(forbiddenInChart(spec), name).toEqual([]);
    }
    const core = {
      mark: 'bar',
      data: { name: 'frame' },
      transform: [
        { filter: '!datum.is_total' },
        { calculate: 'datum.is_other && datum["a\\"b"] === null ? "Other" : datum["a\\"b"]', as: 'a"b' },
        { filter: { field: 'rank', lte: 30 } },
      ],
      encoding: {
        x: { field: 'a', type: 'nominal', sort: '-y', title: null },
        y: { field: 'b', type: 'quantitative', axis: { format: '~s' } },
      },
    };
    expect(forbiddenInChart(core)).toEqual([]);
  });

  const base = { data: { name: 'frame' }, mark: 'bar', encoding: { x: { field: 'a', type: 'nominal' } } };
  const evil = 'https://evil.example/x';
  it.each([
    ['no object', null],
    ['a list', []],
    ['data from an address', { ...base, data: { url: evil } }],
    ['data with a format', { ...base, data: { name: 'frame', format: { type: 'csv' } } }],
    ['data of its own', { ...base, data: { values: [1] } }],
    ['data in a layer', { layer: [{ ...base, data: { url: evil } }] }],
    ['data sets', { ...base, datasets: { frame: [1] } }],
    ['a lookup', { ...base, transform: [{ lookup: 'a', from: { data: { url: evil }, key: 'a' } }] }],
    ['an image', { ...base, mark: 'image' }],
    ['an image with an address', { ...base, mark: { type: 'image', url: evil } }],
    ['an address of a mark', { ...base, mark: { type: 'bar', href: evil } }],
    ['an address of a channel', { ...base, encoding: { href: { field: 'a', type: 'nominal' } } }],
    ['a channel of addresses', { ...base, encoding: { url: { field: 'a', type: 'nominal' } } }],
    ['parameters', { ...base, params: [{ name: 'p', bind: { input: 'text', element: 'body' } }] }],
    ['a selection', { ...base, params: [{ name: 'p', select: { type: 'point', on: 'window:click' } }] }],
    ['an expression', { ...base, encoding: { x: { datum: { expr: 'alert(1)' } } } }],
    ['an expression in a mark', { ...base, mark: { type: 'bar', fill: { expr: 'x' } } }],
    ['an expression in a title', { ...base, title: { text: { expr: 'x' } } }],
    ['a signal', { ...base, height: { signal: 'x' } }],
    ['signals', { ...base, signals: [{ name: 'x', update: 'y' }] }],
    ['another calculation', { ...base, transform: [{ calculate: 'warn(1)', as: 'a' }] }],
    [
      'a calculation behind ours',
      {
        ...base,
        transform: [{ calculate: 'datum.is_other && datum["a"] === null ? "O" : datum["a"] + warn(1)', as: 'a' }],
      },
    ],
    ['another filter', { ...base, transform: [{ filter: 'warn(datum.a)' }] }],
    ['a filter with parts', { ...base, transform: [{ filter: { and: ['x', 'y'] } }] }],
    ['a condition', { ...base, encoding: { color: { condition: { test: 'x', value: 'red' } } } }],
    ['a label expression', { ...base, encoding: { x: { field: 'a', axis: { labelExpr: 'x' } } } }],
    ['a format of its own', { ...base, encoding: { x: { field: 'a', axis: { formatType: 'evil' } } } }],
    [
      'values of an axis that are more',
      { ...base, encoding: { x: { field: 'a', axis: { values: [{ signal: 'warn(1)' }] } } } },
    ],
    ['another aggregate', { ...base, encoding: { y: { aggregate: 'argmax' } } }],
    ['a scale that is resolved otherwise', { ...base, resolve: { scale: { x: 'shared' } } }],
    ['a theme of its own', { ...base, background: `url(${evil})` }],
    ['usermeta', { ...base, usermeta: { embedOptions: { loader: {} } } }],
    ['configuration', { ...base, config: { background: `url(${evil})` } }],
    ['a projection', { ...base, projection: { type: 'mercator' } }],
    ['Vega itself', { marks: [{ type: 'image' }], $schema: 'https://vega.github.io/schema/vega/v6.json' }],
    ['a prototype', JSON.parse('{"mark":"bar","__proto__":{"url":"x"}}')],
    [
      'what is too deep',
      {
        ...base,
        layer: [{ layer: [{ layer: [{ layer: [{ layer: [{ layer: [{ layer: [{ mark: 'bar' }] }] }] }] }] }] }],
      },
    ],
  ])('are not drawn with %s', (_, spec) => {
    expect(forbiddenInChart(spec)).not.toEqual([]);
  });

  it('say values as text, whatever columns are called', () => {
    const box = document.createElement('div');
    const html = tooltipHtml(
      { image: evil, title: '<img src=x onerror=alert(1)>', '<b>': { url: '<svg onload=alert(1)>' }, none: undefined },
      escapeHtml,
    );
    box.append(document.createRange().createContextualFragment(html));
    expect(
      [...box.querySelectorAll('*')].filter((element) => !['TABLE', 'TBODY', 'TR', 'TD'].includes(element.tagName)),
    ).toEqual([]);
    expect(box.textContent).toBe(`image${evil}title<img src=x onerror=alert(1)><b>{"url":"<svg onload=alert(1)>"}`);
  });
});

describe('cells for a spreadsheet', () => {
  const cells = vectors as [string, string][];

  it('are never formulas, by the rule of the core', () => {
    expect(cells.length).toBeGreaterThan(40);
    for (const [given, written] of cells) expect(spreadsheetText(given), JSON.stringify(given)).toBe(written);
  });

  it('are copied by that rule, headers too', () => {
    expect(
      written(
        'tsv',
        ['=name', 'b'],
        [
          ['=1+1', -1.5],
          ['@x\ty', '-12.50'],
        ],
        true,
      ),
    ).toBe("'=name\tb\n'=1+1\t-1.5\n\"'@x\ty\"\t-12.50");
  });
});
