import type { Step } from './api/types';
import { say, type Key } from './text';

const names: Record<string, Key> = {
  intake: 'window.step.intake',
  interpret: 'window.step.interpret',
  probe: 'window.step.probe',
  resolve: 'window.step.resolve',
  plan: 'window.step.plan',
  execute: 'window.step.execute',
  check: 'window.step.check',
  chart: 'window.step.chart',
  card: 'window.step.card',
  narrate: 'window.step.narrate',
  followups: 'window.step.followups',
  close: 'window.step.close',
};

/** What a step did in the line under a question: how many rows it gave, or its name. */
export const stepWords = (step: Step): string => (step.name === 'execute' && step.note) || stepName(step);

/** What a step did, in a word. */
export function stepName(step: Step): string {
  const key = names[step.name];
  return key ? say(key) : step.name.replaceAll('_', ' ');
}
