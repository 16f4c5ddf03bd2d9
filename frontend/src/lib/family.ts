// The family of a session as a tree that is read line by line. Pure.
import type { BranchHead } from './api/types';

/** A session of the family as it stands in the tree. */
export interface FamilyRow {
  head: BranchHead;
  /** From 1. */
  level: number;
  /** Its place among those that go on from the same session, from 1. */
  place: number;
  of: number;
  /** Whether what goes on from it is shown; null: nothing does. */
  open: boolean | null;
  /** For every level above: whether the line of that level goes on below this row. */
  lines: boolean[];
}

/** The rows that are shown when some sessions are folded. The heads come in pre-order, each with its depth. */
export function familyRows(heads: BranchHead[], folded: ReadonlySet<string>): FamilyRow[] {
  const children = new Map<number, number[]>(); // by the index of their parent; -1: of none
  const path: number[] = [];
  const depths = heads.map((head, index) => {
    path.length = Math.min(Math.max(head.depth, 0), path.length); // a level that is left out is none
    const parent = path.at(-1) ?? -1;
    children.set(parent, [...(children.get(parent) ?? []), index]);
    path.push(index);
    return path.length - 1;
  });
  const rows: FamilyRow[] = [];
  const walk = (parent: number, lines: boolean[]) => {
    const all = children.get(parent) ?? [];
    all.forEach((index, at) => {
      const head = heads[index];
      if (!head) return;
      const under = children.get(index) ?? [];
      const open = under.length > 0 ? !folded.has(head.id) : null;
      rows.push({ head, level: (depths[index] ?? 0) + 1, place: at + 1, of: all.length, open, lines });
      if (open) walk(index, [...lines, at < all.length - 1]);
    });
  };
  walk(-1, []);
  return rows;
}

/** The row that a row goes on from; null: it is at the top. */
export function parentRow(rows: FamilyRow[], index: number): number | null {
  const level = rows[index]?.level ?? 1;
  const parent = rows.slice(0, index).findLastIndex((row) => row.level < level);
  return parent < 0 ? null : parent;
}
