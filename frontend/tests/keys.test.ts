import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';

// A list whose keys repeat throws while it is drawn. Texts and names repeat, so a key is the place in the list, or one of these:
// an identifier that the program made for each entry, and never shows twice.
const identifiers = /^[\w.]+\.(id|key|place|index|request_id|requestId|turn)$/;
const known = new Set(['block.kind', 'grid.slotOf(position)', 'main(card) ? card.place : card.key']);

const sources = import.meta.glob<string>('../src/**/*.svelte', { query: '?raw', import: 'default', eager: true });

interface EachBlock {
  type: 'EachBlock';
  index?: string;
  key?: { start: number; end: number };
}

/** All lists of a part of a syntax tree. */
function listsOf(node: unknown): EachBlock[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.values(node).flatMap(listsOf);
  return (node as EachBlock).type === 'EachBlock' ? [node as EachBlock, ...inside] : inside;
}

/** The keys of the lists in a source that are made of something that may repeat. */
function unsafeKeys(source: string): string[] {
  return listsOf(parse(source, { modern: true }).fragment).flatMap(({ index, key }) => {
    const written = key ? source.slice(key.start, key.end) : index;
    return written === index || identifiers.test(written!) || known.has(written!) ? [] : [written!];
  });
}

describe('keys of lists', () => {
  it('are places or identifiers, never texts', () => {
    const unsafe = Object.entries(sources).flatMap(([file, source]) =>
      unsafeKeys(source).map((key) => `${file}: ${key}`),
    );
    expect(unsafe).toEqual([]);
    expect(Object.keys(sources).length).toBeGreaterThan(100);
  });

  it.each(['{#each list as text (text)}', '{#each list as { name } (name)}', '{#each list as one, at (one.label)} '])(
    'are found where they are made of text: %s',
    (opening) => expect(unsafeKeys(`${opening}x{/each}`)).toHaveLength(1),
  );
});
