// How charts look and how they write numbers and dates: the theme of the page, the locale of the person.

/** Colours and fonts of the page, as the chart needs them. */
export interface ChartTheme {
  ink: string;
  faint: string;
  line: string;
  surface: string;
  font: string;
  series: string[];
  ramp: string[];
  /** Colours by the name of a palette. */
  palettes: Record<string, string[]>;
}

// The letters of powers of ten that people who count money know: no k at zero, B for a billion, and no m, which is taken for millions.
const plainLabel =
  "indexof(datum.label, '%') >= 0 ? datum.label : datum.value === 0 ? '0' : abs(datum.value) < 1 ? format(datum.value, '~g') : replace(datum.label, 'G', 'B')";

/** How a chart looks that says nothing else. */
export function themeConfig(theme: ChartTheme): Record<string, unknown> {
  const [first] = theme.series;
  return {
    font: theme.font,
    padding: 2,
    view: { stroke: null, continuousHeight: 240 },
    axis: {
      labelColor: theme.faint,
      titleColor: theme.faint,
      labelFontSize: 11,
      titleFontSize: 11,
      titleFontWeight: 500,
      titlePadding: 8,
      labelPadding: 5,
      domainColor: theme.line,
      gridColor: theme.line,
      tickColor: theme.line,
      tickSize: 4,
      labelLimit: 150,
    },
    axisBand: { grid: false, ticks: false },
    axisTemporal: { grid: false, labelSeparation: 10 },
    axisQuantitative: { tickCount: 6, domain: false, ticks: false, labelExpr: plainLabel },
    legend: {
      labelColor: theme.faint,
      titleColor: theme.faint,
      labelFontSize: 11,
      titleFontSize: 11,
      titleFontWeight: 500,
      titleLimit: 200,
    },
    bar: { fill: first, cornerRadiusEnd: 1 },
    line: { stroke: first, strokeWidth: 1.75 },
    area: { fill: first, fillOpacity: 0.7 },
    point: { color: first, filled: true, size: 34 },
    rect: { stroke: theme.surface, strokeWidth: 1 },
    rule: { stroke: theme.line },
    range: { category: theme.series, ramp: theme.ramp, heatmap: theme.ramp, ordinal: theme.ramp },
  };
}

/** The separators of a locale in the form that d3 wants. */
export function numberLocale(locale: string): Record<string, unknown> {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(-1234567.5);
  const find = (type: string, otherwise: string) => parts.find((part) => part.type === type)?.value ?? otherwise;
  return { decimal: find('decimal', '.'), thousands: find('group', ','), grouping: [3], currency: ['', ''] };
}

const namesOf = new Map<string, Record<string, unknown>>();

/** The names of months and days of a locale in the form that d3 wants. A browser takes long to say them: they are asked for once. */
export function timeLocale(locale: string): Record<string, unknown> {
  const known = namesOf.get(locale) ?? timeNames(locale);
  namesOf.set(locale, known);
  return known;
}

function timeNames(locale: string): Record<string, unknown> {
  const names = (dates: Date[], options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return dates.map((date) => format.format(date));
  };
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)));
  const days = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 8, 1 + day)));
  return {
    dateTime: '%x, %X',
    date: '%Y-%m-%d',
    time: '%H:%M:%S',
    periods: ['AM', 'PM'],
    months: names(months, { month: 'long' }),
    shortMonths: names(months, { month: 'short' }),
    days: names(days, { weekday: 'long' }),
    shortDays: names(days, { weekday: 'short' }),
  };
}
