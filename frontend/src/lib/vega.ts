// The drawing of charts. This module is loaded when the first chart is shown, because Vega is large.
import embed, { type VisualizationSpec } from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';
import { numberLocale, timeLocale } from './chart';
import { escapeHtml, tooltipHtml } from './tooltip';

// A specification may name an address; nothing here ever follows one.
const refuse = () => Promise.reject(new Error('charts load nothing'));
const loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

/** A chart on the page. */
export interface Drawing {
  /** Fits the chart into a width in pixels. */
  fit(width: number): void;
  remove(): void;
}

/** Draws a specification into an element. Under the page's policy no expression may become code: they are interpreted. */
export async function draw(element: HTMLElement, spec: Record<string, unknown>, locale: string): Promise<Drawing> {
  const { view, finalize } = await embed(element, spec as unknown as VisualizationSpec, {
    ast: true,
    expr: expressionInterpreter,
    renderer: 'svg',
    actions: false,
    mode: 'vega-lite',
    loader: loader as never,
    formatLocale: numberLocale(locale) as never,
    timeFormatLocale: timeLocale(locale) as never,
    tooltip: { theme: 'custom', sanitize: escapeHtml, formatTooltip: tooltipHtml },
  });
  return { fit: (width) => void view.width(width).runAsync(), remove: finalize };
}
