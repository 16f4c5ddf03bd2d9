// A turn that was asked again, or in another way, has versions: they share a place in the dialogue, and one of them stands
// there. Pure.
import { clausesOf } from './clauses';

interface Versioned {
  key: string;
  place: string;
  chosen: boolean;
}

/** The versions of one place, the oldest first, and which one stands there. */
export interface Versions<T> {
  all: T[];
  /** Index in `all`. */
  at: number;
}

/** The places of a dialogue in their order, each with its versions. */
export function placesOf<T extends Versioned>(turns: T[]): Versions<T>[] {
  const places = new Map<string, T[]>();
  for (const turn of turns) places.set(turn.place, [...(places.get(turn.place) ?? []), turn]);
  return [...places.values()].map((all) => ({ all, at: indexOfChosen(all) }));
}

/** The turns that stand in some places. */
export const standing = <T>(places: Versions<T>[]): T[] => places.flatMap(({ all, at }) => all[at] ?? []);

// Nobody chose: the last one stands.
function indexOfChosen(all: Versioned[]): number {
  const chosen = all.findLastIndex((turn) => turn.chosen);
  return chosen < 0 ? all.length - 1 : chosen;
}

/** Canonical Frame-QL with each clause on a line of its own, so that two versions can be compared. */
export function clauseLines(frameQL: string): string {
  return [...clausesOf(frameQL)].map(([name, text]) => `${name} ${text}`.trim()).join('\n');
}
