import type { Component } from 'svelte';
import type { Result } from '$lib/blocks';
import ComparisonCard from './comparison/ComparisonCard.svelte';
import type { Desk } from './desk';
import DriverCard from './driver_analysis/DriverCard.svelte';
import ExplanationResult from './explanation/ExplanationResult.svelte';
import FrameResult from './frame/FrameResult.svelte';
import QMCard from './qm_card/QMCard.svelte';
import RecommendationCard from './recommendation/RecommendationCard.svelte';
import SimulationCard from './simulation/SimulationCard.svelte';
import StructureCard from './structure/StructureCard.svelte';
import UnknownCard from './unknown/UnknownCard.svelte';

type Renderer<K extends Result['kind']> = Component<{ card: Extract<Result, { kind: K }>; desk: Desk }>;

/** The renderer of each kind of card: one folder each. A kind without one does not compile; what stands in the dialogue has its own place in InlineArtifact. */
export const renderers: { [K in Result['kind']]: Renderer<K> } = {
  frame: FrameResult,
  explanation: ExplanationResult,
  comparison: ComparisonCard,
  simulation: SimulationCard,
  structure: StructureCard,
  qm_card: QMCard,
  driver_analysis: DriverCard,
  recommendation: RecommendationCard,
  unknown: UnknownCard,
};

/** The renderer that shows a card. */
export const rendererOf = (card: Result) => renderers[card.kind] as Component<{ card: Result; desk: Desk }>;
