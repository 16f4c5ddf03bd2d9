// How the window stands: the width of a panel, the queries in their tabs. The program keeps it, so that it outlives a restart on another
// port, which is another origin. What stands in the page's own storage is a copy: it is read at once, before the program has answered,
// and holds what the program has not heard yet. The last write of a name stays; of two windows none reaches into the other's names.
import type { PageApi } from './api/page';

/** Bytes of one value that the program keeps; a longer one stays in this page only. */
const longest = 256 * 1024;
/** Characters that are sent at once. */
const most = 400_000;
const settle = 200;

/** Who changed a value: the program told how it stood, another page of it wrote, or something on this page did. */
export type Writer = 'program' | 'page' | 'here';
type Hearer = (names: ReadonlySet<string>, by: Writer) => void;

// Where the system keeps nothing for this page, it stays as long as the page does.
const fallback = new Map<string, string>();
const hearers = new Set<Hearer>();
// What was written before the program was heard.
const early = new Set<string>();
let owner = readRaw('assay-owner') ?? '';
let program: PageApi | null = null;
let run = '';
let sending: Promise<void> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads what is remembered under a name; null where nothing is. */
export function recall(name: string): string | null {
  return readRaw(prefix() + name);
}

/** Remembers a value under a name: here at once, and in the program soon. */
export function remember(name: string, value: string): void {
  if (recall(name) === value) return;
  writeRaw(prefix() + name, value);
  wrote(name);
}

/** Remembers nothing under a name any more. */
export function forget(name: string): void {
  if (recall(name) === null) return;
  removeRaw(prefix() + name);
  wrote(name);
}

/** The names that begin with a word and something is remembered under, in no order. */
export function remembered(word: string): string[] {
  return allRaw()
    .filter((name) => name.startsWith(prefix() + word))
    .map((name) => name.slice(prefix().length))
    .filter((name) => owner !== '' || !/^[0-9a-f]{16}\//.test(name));
}

/** Hears of names whose values were changed by somebody else. Returns the way to stop. */
export function hear(hearer: Hearer): () => void {
  hearers.add(hearer);
  return () => hearers.delete(hearer);
}

/** Tells those who show what stands under a name that it was changed. */
export function tell(names: Iterable<string>, by: Writer = 'here'): void {
  const all = new Set(names);
  for (const hearer of [...hearers]) hearer(all, by);
}

/** Which start of the program the page talks to; empty: it has not answered yet. */
export const programRun = (): string => run;

/** Takes over what the program keeps, but for what was written here since. From then on it hears of everything. Never rejects. */
export async function follow(api: PageApi): Promise<void> {
  let state;
  try {
    state = await api.load();
  } catch {
    return; // the page goes on with its own copy
  }
  const before = new Map(remembered('').map((name) => [name, recall(name)]));
  const mine = new Map([...early].map((name) => [name, recall(name)]));
  early.clear();
  program = api;
  run = state.run;
  owner = state.owner;
  writeRaw('assay-owner', owner);
  const theirs = new Map(state.values.map((value) => [value.name, value]));
  for (const [name, value] of mine) {
    if (value === null) removeRaw(prefix() + name);
    else writeRaw(prefix() + name, value);
    mark(name);
  }
  for (const [name, at] of unsentNames()) {
    const their = theirs.get(name);
    if (their && Date.parse(their.changed) > at) sent(name, at);
  }
  const unsent = unsentNames();
  for (const name of remembered('')) if (!theirs.has(name) && !unsent.has(name)) removeRaw(prefix() + name);
  for (const { name, value } of theirs.values()) if (!unsent.has(name)) writeRaw(prefix() + name, value);
  const changed = new Set([...before.keys(), ...remembered('')].filter((name) => recall(name) !== before.get(name)));
  if (changed.size > 0) tell(changed, 'program');
  await send();
}

/** Sends what the program has not heard yet. Never rejects: what cannot be sent now goes along with the next. */
export function send(last = false): Promise<void> {
  clearTimeout(timer);
  sending ??= sendAll(last).finally(() => (sending = null));
  return sending;
}

async function sendAll(last: boolean): Promise<void> {
  if (!program) return;
  const tried = new Set<string>();
  for (;;) {
    const unsent = [...unsentNames()].filter(([name]) => !tried.has(name));
    const part: { name: string; value: string | null; at: number }[] = [];
    let size = 0;
    for (const [name, at] of unsent) {
      const value = recall(name);
      const bytes = value === null ? 0 : new TextEncoder().encode(value).length;
      if (bytes <= longest && part.length < 200 && (size === 0 || size + bytes < most)) {
        part.push({ name, value, at });
        size += bytes;
      }
      if (bytes > longest) tried.add(name);
    }
    if (part.length === 0) return;
    try {
      await program.keep(
        part.map(({ name, value }) => ({ name, value })),
        last,
      );
    } catch {
      return;
    }
    for (const { name, at } of part) sent(name, at);
  }
}

function wrote(name: string): void {
  if (!program) {
    early.add(name);
    return;
  }
  mark(name);
  clearTimeout(timer);
  timer = setTimeout(() => void send(), settle);
}

const prefix = (): string => (owner === '' ? 'assay.' : `assay.${owner}/`);
const unsentUnder = (): string => `assay-unsent.${owner}/`;

// Each name has its mark, so that two pages do not write over each other's.
function mark(name: string): void {
  const last = Number(readRaw(unsentUnder() + name) ?? 0);
  writeRaw(unsentUnder() + name, String(Math.max(Date.now(), last + 1)));
}

/** Names that the program has not heard of, with when they were written. */
function unsentNames(): Map<string, number> {
  const under = unsentUnder();
  const names = allRaw().filter((key) => key.startsWith(under));
  return new Map(names.map((key) => [key.slice(under.length), Number(readRaw(key) ?? 0)]));
}

function sent(name: string, at: number): void {
  if (Number(readRaw(unsentUnder() + name)) === at) removeRaw(unsentUnder() + name);
}

function readRaw(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? fallback.get(key) ?? null;
  } catch {
    return fallback.get(key) ?? null;
  }
}

function writeRaw(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
    fallback.delete(key);
  } catch {
    removeRaw(key);
    fallback.set(key, value);
  }
}

function removeRaw(key: string): void {
  fallback.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // There is nothing to remove where nothing can be stored.
  }
}

function allRaw(): string[] {
  try {
    return [...new Set([...Object.keys(localStorage), ...fallback.keys()])];
  } catch {
    return [...fallback.keys()];
  }
}

if (typeof addEventListener !== 'undefined') {
  // Another page of the same program wrote.
  addEventListener('storage', ({ key }) => {
    if (key?.startsWith(prefix())) tell([key.slice(prefix().length)], 'page');
  });
  // What was written a moment ago goes along when the page is left.
  addEventListener('pagehide', () => void send(true));
}
