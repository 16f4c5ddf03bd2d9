/**
 * Writes what a mark of a chart says. Names and values are data: all of them are written as text, and none of them means anything,
 * as "image" and "title" do to the tooltip that comes with Vega.
 */
export function tooltipHtml(value: unknown, escape: (value: unknown) => string): string {
  if (value === null || typeof value !== 'object') return escape(value);
  const rows = Object.entries(value).filter(([, shown]) => shown !== undefined);
  const row = ([name, shown]: [string, unknown]) =>
    `<tr><td class="key">${escape(name)}</td><td class="value">${escape(isObject(shown) ? JSON.stringify(shown) : shown)}</td></tr>`;
  return `<table>${rows.map(row).join('')}</table>`;
}

const isObject = (value: unknown) => value !== null && typeof value === 'object';

/** Writes a value so that no letter of it is read as HTML. */
export function escapeHtml(value: unknown): string {
  return String(value).replace(
    /[&<>"'`]/g,
    (letter) => `&#${letter.charCodeAt(0)};`, // of these few letters one code unit is the whole
  );
}
