// The facts of a provenance card that an answer does not carry itself: definitions, known traps, who answered and what
// left the machine. They stand in the session's provenance artifact, whose body the API describes only as JSON.
import type { Fact, Turn } from './api/types';

/** The facts of a turn's provenance artifact; empty when it has none. */
export function factsOf(turn: Turn): Fact[] {
  const body = turn.artifacts.find((artifact) => artifact.kind === 'provenance')?.body;
  const facts = (body as { facts?: Fact[] } | undefined)?.facts;
  return Array.isArray(facts) ? facts.filter((fact) => fact.text !== '' || fact.lines.length > 0) : [];
}
