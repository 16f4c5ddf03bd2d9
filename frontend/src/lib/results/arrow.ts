// From an Arrow stream to cells. No digit is lost: what a number of the page cannot hold stays text, as in an answer.
import { tableFromIPC, Type } from '@uwdata/flechette';
import type { Cell } from '../cell';
import { pointed } from '../exact';

/** Reads a window: the cells of each column, by the name that the column has in the stream. */
export function readWindow(bytes: ArrayBuffer): { rows: number; columns: Map<string, Cell[]> } {
  const table = tableFromIPC(new Uint8Array(bytes), { useBigInt: true, useDecimalInt: true });
  const columns = new Map<string, Cell[]>();
  table.schema.fields.forEach((field, index) => {
    const column = table.getChildAt(index);
    const scale = field.type.typeId === Type.Decimal ? (field.type as { scale: number }).scale : 0;
    const cells: Cell[] = new Array<Cell>(table.numRows);
    for (let row = 0; row < table.numRows; row++) cells[row] = cellOf(column.at(row), scale);
    columns.set(field.name, cells);
  });
  return { rows: table.numRows, columns };
}

// Up to this many digits a number of the page has all of them.
const exactDigits = 15;

function cellOf(value: unknown, scale: number): Cell {
  switch (typeof value) {
    case 'bigint':
      return wholeOf(value, scale);
    case 'number':
      if (scale > 0) return wholeOf(BigInt(value), scale);
      if (Number.isNaN(value)) return 'NaN';
      if (value === 0) return 0; // the negative zero of doubles is zero
      return Number.isFinite(value) ? value : value > 0 ? 'Infinity' : '-Infinity';
    case 'boolean':
    case 'string':
      return value;
    default:
      return null;
  }
}

function wholeOf(value: bigint, scale: number): Cell {
  const text = pointed(value, scale);
  const digits = text.replace(/^-?0*\.?0*/, '').replace('.', '').length;
  if (scale === 0) return Number.isSafeInteger(Number(value)) ? Number(value) : text;
  return digits <= exactDigits ? Number(text) : text;
}
