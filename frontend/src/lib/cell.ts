/** A cell of a frame: null, a boolean, a number, or text (dates and long decimals travel as text). */
export type Cell = null | boolean | number | string;
