// What a spreadsheet may read as a number though it begins with a sign.
const plainNumber = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

// By these a spreadsheet takes a cell for a formula, behind what it does not show.
// eslint-disable-next-line no-control-regex
const formula = /^[\p{Zs}\ufeff\u200b\u0000]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/u;

/**
 * Gives a text as a cell of a table that is copied or exported: one that a spreadsheet would run as a formula gets an
 * apostrophe in front. Negative numbers stay numbers. The same rule as SpreadsheetText of the core (backend/frameql), which has
 * the same test.
 */
export function spreadsheetText(text: string): string {
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}
