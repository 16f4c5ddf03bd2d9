// What an answer can be shown as, and why not. Pure.
import type { Chart, Frame, View } from '../api/types';
import { comparisonOf } from '../comparison';
import { whyNoPivot } from '../pivot';
import type { Key } from '../text';
import { canDraw, chartTypes, intentOf, whyNot, withType, type ChartType } from './intent';
import { totalOf } from './view';

export interface ShowAs {
  show: View['show'];
  /** Of a chart. */
  type: ChartType | null;
  chosen: boolean;
  /** Why it does not fit; null: it does. */
  why: Key | null;
  /** The view that shows it so. */
  view: View;
}

/** Every way of showing an answer, the table first. */
export function waysOf(frame: Frame, chart: Chart | null, view: View): ShowAs[] {
  const usual = intentOf(chart, frame);
  const intent = view.chart ?? usual;
  const { pinned } = view;
  const chartOf = (type: ChartType): ShowAs => {
    const next = type === usual.type ? undefined : withType(intent, type, frame);
    const one: Key | null = frame.rows.length < 2 ? 'window.chart.not_one_row' : null;
    return {
      show: 'chart',
      type,
      chosen: view.show === 'chart' && intent.type === type,
      why: canDraw(frame) ? (one ?? whyNot(type, frame)) : 'window.show.no_numbers',
      view: { show: 'chart', ...(next ? { chart: next } : {}), pinned },
    };
  };
  const kept = view.chart ? { chart: view.chart } : {};
  const plain = (show: View['show'], why: Key | null): ShowAs => ({
    show,
    type: null,
    chosen: view.show === show,
    why,
    view: { show, ...kept, pinned },
  });
  return [
    plain('table', null),
    ...chartTypes.map(chartOf),
    plain('number', totalOf(frame) ? null : 'window.show.no_sum'),
    plain('comparison', comparisonOf(frame) ? null : 'window.show.not_compared'),
    plain('pivot', whyNoPivot(frame)),
  ];
}
