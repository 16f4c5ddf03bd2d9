// From a typed intent to a Vega-Lite specification that holds its marks. Pure: the same intent, frame, theme and width give the same
// specification. Fields have names of our own (x, y, series, facet, tip0...), so that no name of a column is ever read as a path, and
// nothing in it is an expression.
import type { ChartEdit, Column, Frame } from '../api/types';
import { isPercent } from '../format';
import { labelOf } from '../reading';
import { say } from '../text';
import type { Marks } from './marks';
import { marksOfFrame } from './marks';
import { themeConfig, type ChartTheme } from './theme';

export type Spec = Record<string, unknown>;

export interface Picture {
  spec: Spec;
  marks: Marks;
  /** Small multiples have no one axis that a stretch could be marked on. */
  brush: 'x' | 'y' | null;
}

export interface Paper {
  theme: ChartTheme;
  locale: string;
  /** Pixels that the chart may be wide. */
  width: number;
}

const barStep = 22;
const narrow = 420;

/** The whole specification with its data. */
export function pictureOf(intent: ChartEdit, frame: Frame, paper: Paper): Picture {
  const marks = marksOfFrame(intent, frame, paper.locale);
  const body = bodyOf(intent, marks, paper);
  const records = marks.marks.map((mark, id) => ({
    id,
    x: mark.x,
    y: mark.y,
    series: mark.series,
    facet: mark.facet,
    label: mark.label,
    faint: marks.faint.has(mark.series) ? 1 : 0,
    ...Object.fromEntries(mark.tips.map((tip, index) => [`tip${index}`, tip])),
  }));
  const { theme } = paper;
  const config = {
    ...themeConfig({ ...theme, series: palette(intent, theme) }),
    // A long name is cut at the end of its axis; tooltips, the table and the words for readers have the whole.
    axisX: {
      titleLimit: Math.max(
        80,
        intent.facet ? facetWidth(paper.width) : paper.width - (intent.across || intent.type === 'heatmap' ? 240 : 90),
      ),
    },
    axisY: { titleLimit: intent.facet ? 110 : 220 },
    range: {
      category: palette(intent, theme),
      ramp: rampOf(intent, theme),
      heatmap: rampOf(intent, theme),
      ordinal: theme.ramp,
    },
    ...(few(intent, marks) ? { scale: { bandPaddingInner: 0.6, bandPaddingOuter: 0.4 } } : {}),
  };
  const data = { name: 'frame' };
  const spec: Spec = intent.facet
    ? {
        data,
        datasets: { frame: records },
        background: 'transparent',
        facet: { field: 'facet', type: 'nominal', title: null, sort: marks.facets, header: { labelColor: theme.ink, labelFontSize: 11, labelFontWeight: 600, labelLimit: 160 } },
        columns: facetColumns(paper.width),
        spec: { width: facetWidth(paper.width), height: 120, ...body },
        resolve: intent.type === 'pie' ? { scale: { theta: 'independent' } } : {},
        config,
      } // prettier-ignore
    : {
        data,
        datasets: { frame: records },
        width: 'container',
        autosize: { type: 'fit-x', contains: 'padding', resize: true },
        background: 'transparent',
        ...body,
        config,
      };
  return { spec, marks, brush: intent.facet ? null : brushOf(intent) };
}

const facetColumns = (width: number) => (width >= 720 ? 3 : width >= narrow ? 2 : 1);
// The first column has the axis; between two there is room of 20 pixels.
const facetWidth = (width: number) =>
  Math.max(110, Math.floor((width - 72 - 20 * (facetColumns(width) - 1)) / facetColumns(width)));

const brushOf = (intent: ChartEdit): Picture['brush'] => {
  if (intent.type === 'line' || intent.type === 'area') return 'x';
  if (['bar', 'stacked', 'grouped'].includes(intent.type)) return intent.across ? 'y' : 'x';
  return null;
};

/** Lying bars that take more room than there is: the panel scrolls. */
const tall = (marks: Marks): boolean => places(marks) > 15;

const few = (intent: ChartEdit, marks: Marks) =>
  ['bar', 'stacked'].includes(intent.type) && !intent.across && places(marks) <= 4;

const places = (marks: Marks): number =>
  marks.timed ? new Set(marks.marks.map((mark) => mark.x)).size : marks.order.length;

const palette = (intent: ChartEdit, theme: ChartTheme): string[] =>
  intent.palette === 'category' ? theme.series : (theme.palettes[intent.palette] ?? theme.series);

const rampOf = (intent: ChartEdit, theme: ChartTheme): string[] =>
  intent.palette === 'category' || intent.palette === 'accent'
    ? theme.ramp
    : [...(theme.palettes[intent.palette] ?? theme.ramp)].reverse();

const titled = (column: Column | null): string =>
  column === null ? '' : column.unit && !isPercent(column) ? `${labelOf(column)} (${column.unit})` : labelOf(column);

const axisFormat = (column: Column | null): string => (column && isPercent(column) ? '~%' : '~s');

/** The channel of the numbers. */
function quantity(intent: ChartEdit, marks: Marks, column: Column | null, stack?: boolean | null): Spec {
  const zero = intent.zero || !['line', 'scatter', 'box'].includes(intent.type);
  return {
    field: 'y',
    type: 'quantitative',
    title: marks.series.length > 1 && intent.color === '' && intent.type !== 'scatter' ? (column?.unit ?? null) : titled(column), // prettier-ignore
    axis: { format: axisFormat(column) },
    scale: intent.scale === 'log' ? { type: 'log' } : { zero, nice: true },
    ...(stack === undefined ? {} : { stack }),
  };
}

const timeFormats: Record<string, string> = { year: '%Y', quarter: 'Q%q %Y', month: '%b %Y', hour: '%b %d %H:%M' };

/** The channel of the members, or of time. As bands they stand side by side, else time flows. */
function members(marks: Marks, band: boolean, limit: number): Spec {
  const title = titled(marks.x);
  if (!marks.timed) {
    return { field: 'x', type: 'nominal', title, sort: marks.order, axis: { labelLimit: limit, labelOverlap: false } };
  }
  const moments = [...new Set(marks.marks.map((mark) => mark.x))].filter((at) => at !== null);
  const format = timeFormats[marks.x?.grain ?? ''] ?? '%b %d, %Y';
  const values = moments.length <= 12 ? { values: moments.map((at) => partsOf(Number(at))) } : {};
  // Bands say all their moments; where these are too many, every one that has room.
  if (band) return { field: 'x', type: 'ordinal', title, sort: null, timeUnit: undefined, axis: { format, formatType: 'time', labelOverlap: 'greedy', labelAngle: moments.length > 8 ? -45 : 0 } }; // prettier-ignore
  return { field: 'x', type: 'temporal', title, axis: { format, labelOverlap: 'greedy', ...values } };
}

// A moment in parts: the interpreter of expressions reads no other form of one.
function partsOf(at: number): Record<string, number> {
  const date = new Date(at);
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    date: date.getDate(),
    hours: date.getHours(),
    minutes: date.getMinutes(),
  };
}

function legend(intent: ChartEdit, marks: Marks, paper: Paper): Spec | null {
  if (marks.series.length < 2 && intent.type !== 'pie') return null;
  const width = intent.facet ? paper.width : paper.width - 40;
  const below = paper.width < narrow || intent.type !== 'pie';
  const small = paper.width < narrow;
  const looks = { symbolSize: 60, symbolLimit: 20, rowPadding: 2, title: null };
  if (!below) return { orient: 'right', labelLimit: 170, ...looks };
  const columns = Math.max(1, Math.floor(width / (small ? 108 : 150)));
  return { orient: 'bottom', direction: 'horizontal', columns, labelLimit: small ? 84 : 120, ...looks };
}

const tooltip = (marks: Marks): Spec[] =>
  marks.tips.map((title, index) => ({
    field: `tip${index}`,
    type: 'nominal',
    title: title || say('window.chart.value'),
  }));

function bodyOf(intent: ChartEdit, marks: Marks, paper: Paper): Spec {
  const limit = Math.max(64, Math.min(170, Math.floor(paper.width * 0.3)));
  const tips = tooltip(marks);
  const y = marks.y;
  const below = legend(intent, marks, paper);
  // Of a chart that is taller than its panel, what explains it stands above it.
  const colored = { field: 'series', type: 'nominal', sort: marks.series, legend: below && intent.across && tall(marks) ? { ...below, orient: 'top' } : below }; // prettier-ignore
  const color: Spec = marks.series.length > 1 || intent.color ? { color: colored } : {};
  const { theme } = paper;
  const text = (more: Spec = {}, encoding: Spec = {}) => ({
    mark: { type: 'text', fontSize: 10, color: theme.ink, font: theme.font, ...more },
    encoding: { text: { field: 'label', type: 'nominal' }, ...encoding },
  });
  const withLabels = (mark: Spec, encoding: Spec, label: Spec, labelEncoding: Spec = {}): Spec =>
    intent.labels
      ? { layer: [{ mark, encoding: { ...color, tooltip: tips } }, text(label, labelEncoding)], encoding }
      : { mark, encoding: { ...encoding, ...color, tooltip: tips } };
  switch (intent.type) {
    case 'bar':
    case 'stacked':
    case 'grouped': {
      const stack = intent.type === 'stacked' || (intent.type === 'bar' && intent.color !== '') ? true : null;
      const beside = intent.type === 'grouped' ? { field: 'series', type: 'nominal', sort: marks.series } : undefined;
      const along = quantity(intent, marks, y, stack);
      const names = members(marks, true, limit);
      const step = barStep * (beside ? Math.max(1, marks.series.length * 0.6) : 1);
      if (intent.across) {
        const body = withLabels({ type: 'bar' }, { y: { ...names, title: null, axis: { labelLimit: limit, ...(marks.timed ? (names.axis as Spec) : {}), labelAngle: 0 } }, x: tall(marks) ? { ...along, axis: { ...(along.axis as Spec), orient: 'top' } } : along, ...(beside ? { yOffset: beside } : {}) }, stack ? { align: 'right', dx: -4 } : { align: 'left', dx: 4 }); // prettier-ignore
        return { height: Math.max(60, Math.round(step * places(marks))), ...body };
      }
      const room = intent.facet ? facetWidth(paper.width) : paper.width - 70;
      const turned = !marks.timed && places(marks) * 88 > room;
      const straight = { labelAngle: 0, labelLimit: Math.max(40, Math.floor(room / Math.max(1, places(marks))) - 6) };
      const written = turned ? { labelAngle: -40, labelLimit: 110, labelOverlap: 'greedy' } : straight;
      const axis = { ...(names.axis as Spec), ...(marks.timed ? {} : written) };
      return withLabels({ type: 'bar' }, { x: { ...names, axis }, y: along, ...(beside ? { xOffset: beside } : {}) }, { dy: stack ? 10 : -6 }); // prettier-ignore
    }
    case 'line':
    case 'area': {
      const names = members(marks, false, limit);
      const flat = marks.timed ? names : { ...names, axis: { ...(names.axis as Spec), labelAngle: places(marks) > 6 ? -40 : 0, labelLimit: 96, labelOverlap: 'greedy' } }; // prettier-ignore
      const encoding = { x: flat, y: quantity(intent, marks, y, intent.type === 'area' ? true : undefined) };
      const mark = intent.type === 'line' ? { type: 'line', point: marks.marks.length <= 60 * Math.max(1, marks.series.length) } : { type: 'area', line: marks.series.length < 2 }; // prettier-ignore
      if (intent.type === 'line' && dashed(intent, marks)) {
        const dash = { field: 'series', type: 'nominal', sort: marks.series, legend: colored.legend, scale: { domain: marks.series, range: marks.series.map((_, index) => (index === 0 ? [1, 0] : [5, 4])) } }; // prettier-ignore
        return { mark, encoding: { ...encoding, color: colored, strokeDash: dash, tooltip: tips } };
      }
      if (marks.faint.size > 0) {
        const back = { type: 'line', strokeWidth: 1, strokeOpacity: 0.4, stroke: theme.faint };
        const plain = (above: boolean) => [{ filter: { field: 'faint', ...(above ? { lte: 0 } : { gt: 0 }) } }];
        const detail = { field: 'series', type: 'nominal' };
        return {
          encoding,
          layer: [
            { transform: plain(false), mark: back, encoding: { detail, tooltip: tips } },
            { transform: plain(true), mark: { ...mark, point: false }, encoding: { ...color, tooltip: tips } },
          ],
        };
      }
      return withLabels(mark, encoding, { dy: -10 });
    }
    case 'scatter': {
      const counted = marks.marks.length > 0 && marks.tips.length === 1;
      const across = { field: 'x', type: 'quantitative', title: titled(marks.x), axis: { format: axisFormat(marks.x) }, scale: intent.scale === 'log' ? { type: 'log' } : { zero: intent.zero, nice: true } }; // prettier-ignore
      const size = counted ? { size: { field: 'label', type: 'quantitative', legend: null } } : {};
      const label = { field: 'tip0', type: 'nominal' };
      const point = { type: 'point', filled: true, opacity: 0.75 };
      const encoding = { x: across, y: quantity(intent, marks, y) };
      return intent.labels && !counted
        ? { layer: [{ mark: point, encoding: { ...color, tooltip: tips } }, { mark: { type: 'text', fontSize: 10, dy: -8, limit: 90, color: theme.ink }, encoding: { text: label } }], encoding } // prettier-ignore
        : { mark: point, encoding: { ...encoding, ...color, ...size, tooltip: tips } };
    }
    case 'pie': {
      const theta = { field: 'y', type: 'quantitative', stack: true };
      const slices = {
        field: 'x',
        type: 'nominal',
        sort: marks.order,
        title: null,
        legend: legend(intent, marks, paper),
      };
      const order = { field: 'id', type: 'quantitative' };
      const height = intent.facet ? 140 : 250;
      const radius = Math.floor(Math.min(height, paper.width - 40) / 2) - (intent.facet ? 8 : 26);
      const arc = { type: 'arc', innerRadius: Math.round(radius * 0.5), outerRadius: radius, stroke: theme.surface, strokeWidth: 1.5 }; // prettier-ignore
      const range = marks.order.map((_, index) => palette(intent, theme)[index % palette(intent, theme).length]);
      const slice = { ...slices, scale: { domain: marks.order, range } };
      if (!intent.labels) return { height, mark: arc, encoding: { theta, color: slice, order, tooltip: tips } };
      return {
        height,
        encoding: { theta, order },
        layer: [
          { mark: arc, encoding: { color: slice, tooltip: tips } },
          text({ radius: radius + 16, fontSize: 11 }, { text: { field: 'label', type: 'nominal' } }),
        ],
      };
    }
    case 'histogram':
      return {
        mark: { type: 'bar', binSpacing: 1 },
        encoding: {
          x: { field: 'y', type: 'quantitative', bin: { maxbins: paper.width < narrow ? 12 : 30 }, title: titled(y), axis: { format: axisFormat(y), labelOverlap: 'greedy', tickCount: Math.max(3, Math.floor(paper.width / 90)) } }, // prettier-ignore
          y: { aggregate: 'count', type: 'quantitative', title: say('window.chart.count') },
          tooltip: [
            { field: 'y', type: 'quantitative', bin: { maxbins: paper.width < narrow ? 12 : 30 }, title: titled(y), format: ',.12~g' }, // prettier-ignore
            { aggregate: 'count', type: 'quantitative', title: say('window.chart.count'), format: ',d' },
          ],
        },
      };
    case 'heatmap': {
      const columns = { ...members(marks, true, 96) };
      const crowded = places(marks) * 56 > paper.width - limit;
      if (!marks.timed) columns.axis = { ...(columns.axis as Spec), labelAngle: crowded ? -45 : 0, labelOverlap: 'greedy' }; // prettier-ignore
      const down = { field: 'series', type: 'nominal', title: null, sort: marks.series, axis: { labelLimit: limit } };
      const shade = { field: 'y', type: 'quantitative', title: titled(y), legend: { format: axisFormat(y), orient: 'bottom', direction: 'horizontal', gradientLength: Math.min(200, paper.width - 80) } }; // prettier-ignore
      const encoding = { x: columns, y: down };
      const height = Math.max(80, barStep * marks.series.length);
      return intent.labels
        ? { height, layer: [{ mark: 'rect', encoding: { color: shade, tooltip: tips } }, text({ stroke: theme.surface, strokeWidth: 2, strokeOpacity: 0.6 }), text()], encoding } // prettier-ignore
        : { height, mark: 'rect', encoding: { ...encoding, color: shade, tooltip: tips } };
    }
    case 'box':
      return {
        mark: { type: 'boxplot', size: 18, color: palette(intent, theme)[0] },
        encoding: { x: { ...members(marks, true, 96), axis: { labelAngle: places(marks) > 6 ? -40 : 0, labelLimit: 96 } }, y: quantity(intent, marks, y) }, // prettier-ignore
      };
  }
}

// What a number is compared with is dashed beside it.
const dashed = (intent: ChartEdit, marks: Marks): boolean =>
  intent.color === '' && marks.series.length === 2 && intent.y.length === 2 && marks.compared;
