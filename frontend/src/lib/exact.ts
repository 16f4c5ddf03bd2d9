// Sums and differences of cells without rounding: decimals are whole numbers of a power of ten. Pure.
import type { Cell } from './cell';

interface Decimal {
  units: bigint;
  /** Digits after the point. */
  digits: number;
}

function read(cell: Cell): Decimal | null {
  if (cell === null || typeof cell === 'boolean' || cell === '') return null;
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(String(cell).trim());
  if (!match) return null;
  const [, sign = '', whole = '0', fraction = '', power = '0'] = match;
  const moved = fraction.length - Number(power);
  if (Math.abs(moved) > 400) return null;
  const digits = Math.max(0, moved);
  const units = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, -moved));
  return { units: sign === '-' ? -units : units, digits };
}

function written({ units, digits }: Decimal): string {
  const negative = units < 0n;
  const text = String(negative ? -units : units).padStart(digits + 1, '0');
  const whole = digits === 0 ? text : text.slice(0, -digits);
  const fraction = digits === 0 ? '' : text.slice(-digits).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

// As text where a number of the page would lose digits.
const cellOf = (text: string): number | string =>
  text.replace(/\D/g, '').replace(/^0+/, '').length <= 15 ? Number(text) : text;

/** A decimal as a number of the page, where that loses nothing. */
export const asNumber = (cell: Cell): Cell => {
  const known = typeof cell === 'string' ? read(cell) : null;
  return known ? cellOf(written(known)) : cell;
};

function combined(a: Cell, b: Cell, sign: 1n | -1n): number | string | null {
  const [left, right] = [read(a), read(b)];
  if (!left || !right) return null;
  const digits = Math.max(left.digits, right.digits);
  const at = (one: Decimal) => one.units * 10n ** BigInt(digits - one.digits);
  return cellOf(written({ units: at(left) + sign * at(right), digits }));
}

/** a + b; null when one of them is no number. */
export const plus = (a: Cell, b: Cell): number | string | null => combined(a, b, 1n);

/** a - b; null when one of them is no number. */
export const minus = (a: Cell, b: Cell): number | string | null => combined(a, b, -1n);

/** The change from one number to another as a fraction of the size of the first; null when that is zero or missing. */
export function relative(from: Cell, to: Cell): number | null {
  const change = minus(to, from);
  const size = Math.abs(Number(from));
  return change === null || size === 0 || !Number.isFinite(size) ? null : Number(change) / size;
}
