// The drawing of charts. This module is loaded when the first chart is shown, because Vega is large.
import embed, { type VisualizationSpec } from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';
import { numberLocale, timeLocale } from './theme';
import { escapeHtml, tooltipHtml } from '../tooltip';

// A specification may name an address; nothing here ever follows one.
const refuse = () => Promise.reject(new Error('charts load nothing'));
const loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

/** A chart on the page. */
export interface Drawing {
  /** Fits the chart into a width in pixels. */
  fit(width: number): void;
  /** Hears of clicks on marks; null: on none. */
  onMark(hear: (id: number | null) => void): void;
  /** The place in pixels, from the left or from the top of the element, where a value of an axis stands. */
  placeOf(axis: 'x' | 'y', value: unknown): number | null;
  toSvg(): Promise<string>;
  /** A picture with twice the pixels, on the colour given. */
  toPng(background: string): Promise<Blob>;
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
  return {
    fit: (width) => void view.width(width).runAsync(),
    onMark: (hear) =>
      view.addEventListener('click', (_, item) => {
        const datum = (item as { datum?: { id?: unknown; datum?: { id?: unknown } } } | null | undefined)?.datum;
        const id = datum?.id ?? datum?.datum?.id;
        hear(typeof id === 'number' ? id : null);
      }),
    placeOf: (axis, value) => {
      const scale = view.scale(axis) as ((value: unknown) => number | undefined) & { bandwidth?: () => number };
      const at = scale(value);
      if (at === undefined || Number.isNaN(at)) return null;
      const origin = view.origin()[axis === 'x' ? 0 : 1] ?? 0;
      return origin + at + (scale.bandwidth ? scale.bandwidth() / 2 : 0);
    },
    toSvg: () => view.toSVG(),
    toPng: async (background) => pngOf(await view.toSVG(2), background),
    remove: finalize,
  };
}

// The picture is drawn by the browser from its own SVG, as a data address: nothing is loaded.
async function pngOf(svg: string, background: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('no picture');
  return blob;
}
