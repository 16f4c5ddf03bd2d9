// Scrolling of more rows than an element can be high: browsers stop at some 16 million pixels (33 million at one pixel per
// point). The element has at most `tallest` pixels; near its ends a pixel is a pixel, between them it stands for several. A short
// way is always scrolled exactly; a long one, by dragging the bar, goes to the place that the bar stands for.

/** How high an element is made at most, in pixels of the page, however many device pixels one of them has. */
export const tallest = (pixelRatio: number): number => Math.floor(12_000_000 / Math.max(1, pixelRatio));

// So much at both ends is not scaled.
const edge = 100_000;

/** The place in the rows that a position of the bar stands for, and back. */
export class ScrollMap {
  /** Of the element, in pixels. */
  readonly height: number;
  private readonly scaled: boolean;

  constructor(
    /** Of all rows, in pixels. */
    readonly whole: number,
    most: number,
  ) {
    this.scaled = whole > most;
    this.height = this.scaled ? most : whole;
  }

  /** Where the bar stands when the view begins at `top` of all rows. */
  barAt(top: number): number {
    if (!this.scaled || top <= edge) return top;
    const rest = this.whole - this.height;
    if (top >= this.whole - edge) return top - rest;
    return edge + ((top - edge) / (this.whole - 2 * edge)) * (this.height - 2 * edge);
  }

  /** Where the view begins when the bar was put at `bar`. */
  topAt(bar: number): number {
    if (!this.scaled || bar <= edge) return bar;
    if (bar >= this.height - edge) return bar + this.whole - this.height;
    return edge + ((bar - edge) / (this.height - 2 * edge)) * (this.whole - 2 * edge);
  }

  /**
   * The bar was moved from where the view began at `top`. Gives where it begins now, and where the bar should stand; that is
   * where it is, unless the two have come too far apart.
   */
  moved(top: number, from: number, bar: number, view: number): { top: number; bar: number } {
    if (!this.scaled) return { top: bar, bar };
    const last = Math.max(0, this.whole - view);
    if (Math.abs(bar - from) > view) return { top: clamp(this.topAt(bar), last), bar };
    const wanted = top + bar - from;
    const next = clamp(wanted, last);
    const right = Math.round(this.barAt(next));
    const atEnd = bar <= 0 || bar >= this.height - view;
    const drifted = Math.abs(bar - right) > edge / 2 || next !== wanted || (atEnd && bar !== right);
    return { top: next, bar: drifted ? right : bar };
  }
}

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));
