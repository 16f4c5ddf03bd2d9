// What numbers of cells come to, without rounding: decimals are whole numbers of a power of ten. Pure. A number of which the page would lose
// digits is text everywhere, and is compared, added and rounded here.
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

// Without zeros at its end.
const written = ({ units, digits }: Decimal): string =>
  digits === 0 ? String(units) : pointed(units, digits).replace(/\.?0+$/, '');

// As text where a number of the page would lose digits.
const cellOf = (text: string): number | string =>
  text.replace(/\D/g, '').replace(/^0+/, '').length <= 15 ? Number(text) : text;

/** The order of two numbers with all of their digits. What is no number comes last. */
export function compareNumbers(a: Cell, b: Cell): number {
  const [left, right] = [Number(a), Number(b)];
  if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  if (left !== right) return left < right ? -1 : 1; // rounding keeps the order
  if (typeof a === 'number' && typeof b === 'number') return 0;
  const [p, q] = [read(a), read(b)];
  if (!p || !q) return 0;
  const digits = Math.max(p.digits, q.digits);
  const [x, y] = [unitsAt(p, digits), unitsAt(q, digits)];
  return x < y ? -1 : x > y ? 1 : 0;
}

const unitsAt = ({ units, digits }: Decimal, at: number): bigint => units * 10n ** BigInt(at - digits);

/** A whole number of which the last `places` digits stand behind the point. */
export function pointed(value: bigint, places: number): string {
  if (places === 0) return String(value);
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** A number with so many digits after the point, rounded half away from zero; what is no plain number stays as it is. */
export function rounded(cell: number | string, places: number): string {
  const known = read(cell);
  if (!known) return String(cell);
  if (known.digits <= places) return pointed(unitsAt(known, places), places);
  return pointed(divided(known.units, 10n ** BigInt(known.digits - places)), places);
}

// A quotient rounded half away from zero; the divisor is positive.
function divided(value: bigint, by: bigint): bigint {
  const size = value < 0n ? -value : value;
  const whole = (2n * size + by) / (2n * by);
  return value < 0n ? -whole : whole;
}

/** A number ten to the power of `places` times as large; null when it is none. */
export function shifted(cell: Cell, places: number): number | string | null {
  const known = read(cell);
  if (!known) return null;
  const digits = known.digits - places;
  return cellOf(written(digits >= 0 ? { units: known.units, digits } : { units: unitsAt(known, places), digits: 0 }));
}

/** The sum of numbers; null when there is none, or one of them is no number. */
export function sumOf(cells: Cell[]): number | string | null {
  const numbers = cells.filter((cell) => cell !== null);
  let sum = 0;
  let small = true; // no digit that anybody is shown is lost
  for (const cell of numbers) {
    sum += Number(cell);
    small &&= typeof cell === 'number' && Math.abs(sum) < 1e11;
  }
  if (numbers.length === 0 || Number.isNaN(sum)) return null;
  if (small || !Number.isFinite(sum)) return sum;
  return numbers.reduce<number | string | null>((all, cell) => (all === null ? null : plus(all, cell)), 0) ?? sum;
}

/** A sum shared out among so many, with six digits more; as a number of the page where the sum is none to be read. */
export function averageOf(sum: string, count: number): string {
  const known = read(sum);
  if (!known) return String(Number(sum) / count);
  const digits = known.digits + 6;
  return written({ units: divided(unitsAt(known, digits), BigInt(count)), digits });
}

/** A decimal as a number of the page, where that loses nothing. */
export const asNumber = (cell: Cell): Cell => {
  const known = typeof cell === 'string' ? read(cell) : null;
  return known ? cellOf(written(known)) : cell;
};

function combined(a: Cell, b: Cell, sign: 1n | -1n): number | string | null {
  const [left, right] = [read(a), read(b)];
  if (!left || !right) return null;
  const digits = Math.max(left.digits, right.digits);
  return cellOf(written({ units: unitsAt(left, digits) + sign * unitsAt(right, digits), digits }));
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
