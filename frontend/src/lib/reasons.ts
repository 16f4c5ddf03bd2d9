// Why cells of a frame are empty.
import type { Frame } from './api/types';
import type { Key } from './text';

const words: Record<string, Key> = {
  zero_base: 'window.cell.zero_base',
  no_base: 'window.cell.no_base',
  outside_coverage: 'window.cell.outside_coverage',
};

/** The reasons of a frame by "row:column". A frame of an older session has none. */
export function reasonsOf(frame: Pick<Frame, 'reasons'>): Map<string, Key> {
  const known = new Map<string, Key>();
  for (const reason of (frame.reasons as Frame['reasons'] | undefined) ?? []) {
    const key = words[reason.code];
    if (key) for (const row of reason.rows) known.set(`${row}:${reason.column}`, key);
  }
  return known;
}
