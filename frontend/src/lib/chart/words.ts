// What types and settings of charts are called.
import type { ChartEdit, View } from '../api/types';
import type { Key } from '../text';
import type { ChartType } from './intent';

export const typeWords: Record<ChartType, Key> = {
  bar: 'window.chart.bar',
  stacked: 'window.chart.stacked',
  grouped: 'window.chart.grouped',
  line: 'window.chart.line',
  area: 'window.chart.area',
  scatter: 'window.chart.scatter',
  pie: 'window.chart.pie',
  histogram: 'window.chart.histogram',
  heatmap: 'window.chart.heatmap',
  box: 'window.chart.box',
};

export const showWords: Record<View['show'], Key> = {
  chart: 'window.chart.show_chart',
  table: 'window.chart.show_table',
  number: 'window.chart.show_number',
  comparison: 'window.chart.show_comparison',
  pivot: 'window.chart.show_pivot',
};

export const aggregateWords: Record<ChartEdit['aggregate'], Key> = {
  none: 'window.chart.aggregate_none',
  sum: 'window.chart.aggregate_sum',
  mean: 'window.chart.aggregate_mean',
  median: 'window.chart.aggregate_median',
  min: 'window.chart.aggregate_min',
  max: 'window.chart.aggregate_max',
  count: 'window.chart.aggregate_count',
};

/** What is said where rows were put together. */
export const togetherWords: Record<Exclude<ChartEdit['aggregate'], 'none'>, Key> = {
  sum: 'window.chart.together_sum',
  mean: 'window.chart.together_mean',
  median: 'window.chart.together_median',
  min: 'window.chart.together_min',
  max: 'window.chart.together_max',
  count: 'window.chart.together_count',
};

export const sortWords: Record<ChartEdit['sort'], Key> = {
  frame: 'window.chart.sort_frame',
  descending: 'window.chart.sort_descending',
  ascending: 'window.chart.sort_ascending',
  name: 'window.chart.sort_name',
};

export const paletteWords: Record<ChartEdit['palette'], Key> = {
  category: 'window.chart.palette_category',
  accent: 'window.chart.palette_accent',
  warm: 'window.chart.palette_warm',
  cool: 'window.chart.palette_cool',
  gray: 'window.chart.palette_gray',
};
