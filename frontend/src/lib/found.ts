// The words of a search in what it found. Pure.
import type { SearchHit } from './api/types';

/** A piece of a text; those that are searched for are marked. */
export interface Piece {
  text: string;
  marked: boolean;
}

/** The words of what is typed into a search. */
export const wordsOf = (typed: string): string[] => typed.split(/\s+/).filter(Boolean);

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A text in pieces: every place where one of the words stands, or begins a longer one, is marked, whatever its case and its accents. */
export function markedPieces(text: string, words: string[]): Piece[] {
  const marks = marksIn(text, words.map(plain).filter(Boolean));
  const pieces: Piece[] = [];
  let at = 0;
  for (const { from, to } of marks) {
    if (from > at) pieces.push({ text: text.slice(at, from), marked: false });
    pieces.push({ text: text.slice(from, to), marked: true });
    at = to;
  }
  if (at < text.length || pieces.length === 0) pieces.push({ text: text.slice(at), marked: false });
  return pieces;
}

interface Span {
  from: number;
  to: number;
}

// Where the words stand, from left to right; what touches is one.
function marksIn(text: string, words: string[]): Span[] {
  // A letter may be folded into none or into several: each of those knows where it stands in the text.
  let folded = '';
  const origin: number[] = [];
  let place = 0;
  for (const letter of text) {
    for (const unit of plain(letter)) {
      folded += unit;
      for (let i = 0; i < unit.length; i++) origin.push(place);
    }
    place += letter.length;
  }
  origin.push(text.length);
  const spans: Span[] = [];
  for (const word of words)
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1))
      if (begins(folded, at)) spans.push({ from: origin[at] ?? 0, to: origin[at + word.length] ?? text.length });
  spans.sort((a, b) => a.from - b.from || a.to - b.to);
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

// A word is found where a word begins; a sign is found anywhere.
const inWord = /[\p{L}\p{N}]/u;
const begins = (text: string, at: number): boolean => !(inWord.test(text[at] ?? '') && inWord.test(text[at - 1] ?? ''));

/** What was found in one session. */
export interface FoundSession {
  id: string;
  title: string;
  at: string;
  pinned: boolean;
  archived: boolean;
  /** What was found beside its title, in the order in which it came. */
  hits: SearchHit[];
}

/** Hits by session, in the order in which the sessions came. What is of no question is the session's own title. */
export function bySession(hits: SearchHit[]): FoundSession[] {
  const found = new Map<string, FoundSession>();
  for (const hit of hits) {
    const { session_id: id, title, at, pinned, archived } = hit;
    const session = found.get(id) ?? { id, title, at, pinned, archived, hits: [] };
    found.set(id, session);
    if (hit.request_id !== '') session.hits.push(hit);
  }
  return [...found.values()];
}
