import type { ChartTheme } from '$lib/chart/theme';

/** Reads the theme for charts from the tokens of the page. */
export function chartTheme(): ChartTheme {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const list = (name: string) => token(name).split(',').map((colour) => colour.trim()); // prettier-ignore
  return {
    ink: token('--ink'),
    faint: token('--ink-3'),
    line: token('--line'),
    surface: token('--surface'),
    font: token('--font'),
    series: list('--series'),
    ramp: list('--ramp'),
    palettes: Object.fromEntries(['accent', 'warm', 'cool', 'gray'].map((name) => [name, list(`--series-${name}`)])),
  };
}
