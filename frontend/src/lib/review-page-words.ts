// What the page of a piece of shared knowledge says. The first view needs none of it.
import type { Decision, Evidence, KnowledgeConflict, Moved, Verdict } from './api/types';
import type { Key } from './text';

/** What somebody did. */
export const byWords: Record<Decision['verdict'], Key> = {
  approve: 'window.review.by_approve',
  mandate: 'window.review.by_mandate',
  reject: 'window.review.by_reject',
  revoke: 'window.review.by_revoke',
  endorse: 'window.review.by_endorse',
  make_personal: 'window.review.by_make_personal',
  make_shared: 'window.review.by_make_shared',
  direct: 'window.review.by_direct',
  describe: 'window.review.by_describe',
};

/** Why a decision is asked to have a reason. */
export const whyWords: Partial<Record<Verdict, Key>> = {
  approve: 'window.review.why_approve',
  mandate: 'window.review.why_mandate',
  reject: 'window.review.why_reject',
  revoke: 'window.review.why_revoke',
};

export const detectionWords: Record<Evidence['detection'], Key> = {
  correction: 'window.review.how_correction',
  definition: 'window.review.how_definition',
  confirmation: 'window.review.how_confirmation',
  mandate: 'window.review.how_mandate',
  transcript: 'window.review.how_transcript',
};

export const relationWords: Record<KnowledgeConflict['relation'], Key> = {
  same: 'window.review.relation_same',
  opposite: 'window.review.relation_opposite',
  rival: 'window.review.relation_rival',
  contrary: 'window.review.relation_contrary',
};

export const severityWords: Record<Exclude<KnowledgeConflict['severity'], ''>, Key> = {
  low: 'window.review.severity_low',
  medium: 'window.review.severity_medium',
  high: 'window.review.severity_high',
};

type Suggestion = Exclude<KnowledgeConflict['suggestion'], ''>;

export const suggestionWords: Record<Suggestion, Key> = {
  keep_this: 'window.review.suggest_keep_this',
  keep_other: 'window.review.suggest_keep_other',
  merge: 'window.review.suggest_merge',
  both_valid: 'window.review.suggest_both_valid',
};

/** What a model suggests. */
export const modelSuggestionWords: Record<Suggestion, Key> = {
  keep_this: 'window.review.model_keep_this',
  keep_other: 'window.review.model_keep_other',
  merge: 'window.review.model_merge',
  both_valid: 'window.review.model_both_valid',
};

export const movedWords: Record<Moved['kind'], Key> = {
  golden: 'window.review.moved_golden',
  accepted: 'window.review.moved_accepted',
};
