// What would be if: outcomes that follow from levers. Pure.
import type { Lever, SimulatedOutcome, Simulation } from './api/types';

/** Where each lever stands, by its id. */
export type Levers = Readonly<Record<string, number>>;

/** Works a simulation out for other levers. May be asked again before it has answered; then the first answer is not used. */
export type Recompute = (simulation: Simulation, levers: Levers, signal: AbortSignal) => Promise<Simulation>;

export const leversOf = (simulation: Simulation): Record<string, number> =>
  Object.fromEntries(simulation.levers.map(({ id, value }) => [id, value]));

/**
 * Works out a simulation whose outcomes follow from its levers in a straight line:
 *
 *   simulated = observed + sum over levers of effect[lever] * (value - baseline)
 *
 * Rows of a result do not follow from that; they are left out when a lever is elsewhere.
 */
export function linear(simulation: Simulation, levers: Levers): Simulation {
  const placed = simulation.levers.map((lever) => ({
    ...lever,
    value: within(lever, levers[lever.id] ?? lever.value),
  }));
  const outcomes = simulation.outcomes.map((outcome) => ({ ...outcome, simulated: outcomeAt(outcome, placed) }));
  const moved = placed.some((lever, index) => lever.value !== simulation.levers[index]?.value);
  return { ...simulation, levers: placed, outcomes, result: moved ? null : simulation.result };
}

const outcomeAt = (outcome: SimulatedOutcome, levers: Lever[]): number =>
  levers.reduce((sum, { id, value, baseline }) => sum + (outcome.effects[id] ?? 0) * (value - baseline), outcome.observed); // prettier-ignore

/** A value that a lever can have. */
export const within = (lever: Lever, value: number): number =>
  Number.isFinite(value) ? Math.min(lever.max, Math.max(lever.min, value)) : lever.value;

/** What the lever of a goal must be, the others as they stand; `reach` false: it cannot be moved that far. Null: it moves nothing. */
export function needed(simulation: Simulation): { lever: Lever; value: number; reach: boolean } | null {
  const { goal } = simulation;
  const lever = simulation.levers.find(({ id }) => id === goal?.lever);
  const outcome = simulation.outcomes.find(({ id }) => id === goal?.outcome);
  const effect = outcome?.effects[lever?.id ?? ''] ?? 0;
  if (!goal || !lever || !outcome || effect === 0) return null;
  const value = lever.value + (goal.target - outcomeAt(outcome, simulation.levers)) / effect;
  return { lever, value, reach: value >= lever.min && value <= lever.max };
}

/** Digits after the point that a lever moves by. */
export const stepDigits = ({ step, format }: Lever): number => {
  const size = format === 'percent' ? step * 100 : step;
  return size >= 1 && size % 1 === 0 ? 0 : Math.min(4, Math.max(0, Math.ceil(-Math.log10(size))));
};
