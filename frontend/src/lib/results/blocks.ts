// Which blocks of a large result are needed, and which are kept. A block is some rows of some columns.
import type { Cell } from '../cell';

export const blockRows = 200;
export const blockColumns = 32;
/** So many blocks are kept: some 400,000 cells at most. */
export const blocksKept = 60;

export interface Block {
  row: number;
  column: number;
}

export const keyOf = ({ row, column }: Block): string => `${row}:${column}`;

/** The blocks that hold rows from `first` to before `last` of columns, those in the middle of the view first. */
export function blocksFor(first: number, last: number, columns: number[]): Block[] {
  const sets = [...new Set(columns.map((column) => Math.floor(column / blockColumns)))];
  const middle = (first + last) / 2 / blockRows - 0.5;
  const rows: number[] = [];
  for (let row = Math.floor(first / blockRows); row * blockRows < last; row++) rows.push(row);
  rows.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return rows.flatMap((row) => sets.map((column) => ({ row, column })));
}

/** Blocks that were read, those that were looked at last. */
export class BlockCache {
  private readonly blocks = new Map<string, Cell[][]>();

  has = (block: Block): boolean => this.blocks.has(keyOf(block));

  put(block: Block, columns: Cell[][]): void {
    this.blocks.set(keyOf(block), columns);
    for (const key of this.blocks.keys()) {
      if (this.blocks.size <= blocksKept) return;
      this.blocks.delete(key);
    }
  }

  /** Says that blocks are in view: they go last. */
  keep(wanted: Block[]): void {
    for (const block of wanted) {
      const key = keyOf(block);
      const cells = this.blocks.get(key);
      if (!cells) continue;
      this.blocks.delete(key);
      this.blocks.set(key, cells);
    }
  }

  cell(row: number, column: number): Cell | undefined {
    const block = this.blocks.get(`${Math.floor(row / blockRows)}:${Math.floor(column / blockColumns)}`);
    if (!block) return undefined;
    return block[column % blockColumns]?.[row % blockRows] ?? null;
  }

  clear(): void {
    this.blocks.clear();
  }
}
