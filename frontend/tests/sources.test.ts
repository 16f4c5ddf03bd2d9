// What must hold for the sources as a whole: every text comes from the catalogue, nothing is framed, no script is inline.
import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';
import whole from '../../backend/text/en.json';

const catalogue = Object.fromEntries(Object.entries(whole).filter(([key]) => key.startsWith('window.')));
import page from '../index.html?raw';

const sources = import.meta.glob<string>('../src/**/*.{svelte,ts}', { eager: true, query: '?raw', import: 'default' });
const components = Object.entries(sources).filter(([path]) => path.endsWith('.svelte'));
// The window's shell speaks from the same file.
const shell = Object.values(
  import.meta.glob<string>('../../*.go', { eager: true, query: '?raw', import: 'default' }),
).join('\n');
const all = Object.values(sources).join('\n');

interface Node {
  type: string;
  name?: string;
  data?: string;
  value?: unknown;
  [key: string]: unknown;
}

const spoken = new Set(['title', 'label', 'placeholder', 'alt', 'aria-label', 'aria-description', 'message', 'hint']);
const hasWords = (text: string) => /\p{L}{2,}/u.test(text);

// Key names on a keyboard are the same in the catalogue and on the keys.
const allowed = new Set(['Esc']);

// The texts that a person would read: those between tags, and those of attributes that are read out.
function sentencesIn(source: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    const { type, name, data, value } = node as Node;
    if (type === 'StyleDirective') return;
    if (type === 'Attribute') {
      if (!spoken.has(name ?? '') || !Array.isArray(value)) return;
      return value.forEach(visit);
    }
    if (type === 'Text' && typeof data === 'string' && hasWords(data) && !allowed.has(data.trim()))
      found.push(data.trim());
    Object.entries(node).forEach(([key, child]) => key !== 'css' && visit(child));
  };
  visit(parse(source, { modern: true }).fragment);
  return found;
}

describe('texts', () => {
  it('no component holds a sentence of its own', () => {
    const guilty = components.flatMap(([path, source]) => sentencesIn(source).map((text) => `${path}: ${text}`));
    expect(guilty).toEqual([]);
  });

  it('the search for sentences finds one', () => {
    expect(sentencesIn('<p title="Read me">Hello there</p>')).toEqual(['Read me', 'Hello there']);
    expect(sentencesIn('<p class="big one" {title}>{say("x")}</p>')).toEqual([]);
  });

  it('every key of the catalogue is used, and is called after the window', () => {
    const used = (key: string) => all.includes(`'${key}'`) || shell.includes(`"${key}"`);
    const unused = Object.keys(catalogue).filter((key) => !key.startsWith('window.') || !used(key));
    expect(unused).toEqual([]);
  });
});

describe('safety', () => {
  it('there is no frame anywhere', () => {
    expect(
      Object.entries(sources)
        .filter(([, source]) => /<(iframe|frame|object|embed)[\s>]/.test(source))
        .map(([path]) => path),
    ).toEqual([]);
  });

  it('the page has no inline script, and nothing inserts raw HTML or evaluates text', () => {
    expect([...page.matchAll(/<script(?![^>]*\bsrc=)/g)]).toHaveLength(0);
    expect(page).not.toMatch(/https?:/);
    const inserting = Object.entries(sources).filter(([, source]) =>
      /\{@html|innerHTML|\beval\(|new Function/.test(source),
    );
    expect(inserting.map(([path]) => path)).toEqual(['../src/components/shared/Markdown.svelte']); // reviewed: markdown.test.ts
  });

  it('no component is longer than 300 lines', () => {
    expect(components.filter(([, source]) => source.split('\n').length > 300).map(([path]) => path)).toEqual([]);
  });
});
