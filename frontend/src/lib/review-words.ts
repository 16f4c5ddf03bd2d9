// What is said about shared knowledge, and which decisions there are.
import type { Decision, Evidence, KnowledgeConflict, Moved, Reviewed, Verdict } from './api/types';
import type { Key } from './text';

/** How a piece stands, as a person reads it: one that its contributor keeps is no candidate. */
export type Stand = Reviewed['stands'] | 'personal';

export const standOf = ({ stands, personal }: Reviewed): Stand =>
  personal && stands === 'pending' ? 'personal' : stands;

export const standWords: Record<Stand, Key> = {
  pending: 'window.review.pending',
  approved: 'window.review.approved',
  mandatory: 'window.review.mandatory',
  rejected: 'window.review.rejected',
  revoked: 'window.review.revoked',
  expired: 'window.review.expired',
  personal: 'window.review.personal',
};

/** What came of something that a person offered. */
export const offerWords: Record<Stand, Key> = {
  pending: 'window.review.offer_pending',
  approved: 'window.review.offer_approved',
  mandatory: 'window.review.offer_mandatory',
  rejected: 'window.review.offer_rejected',
  revoked: 'window.review.offer_revoked',
  expired: 'window.review.offer_expired',
  personal: 'window.review.offer_personal',
};

/** What a person can do. */
export const verdictWords: Record<Verdict, Key> = {
  approve: 'window.review.approve',
  mandate: 'window.review.mandate',
  reject: 'window.review.reject',
  revoke: 'window.review.revoke',
  endorse: 'window.review.endorse',
  make_personal: 'window.review.make_personal',
  make_shared: 'window.review.make_shared',
};

/** What was done, of something. */
export const doneWords: Record<Verdict, Key> = {
  approve: 'window.review.did_approve',
  mandate: 'window.review.did_mandate',
  reject: 'window.review.did_reject',
  revoke: 'window.review.did_revoke',
  endorse: 'window.review.did_endorse',
  make_personal: 'window.review.did_make_personal',
  make_shared: 'window.review.did_make_shared',
};

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
};

/** Why a decision is asked to have a reason. */
export const whyWords: Partial<Record<Verdict, Key>> = {
  approve: 'window.review.why_approve',
  mandate: 'window.review.why_mandate',
  reject: 'window.review.why_reject',
  revoke: 'window.review.why_revoke',
};

/** Whether a decision is not taken without a reason. */
export const needsReason = (verdict: Verdict): boolean => ['reject', 'revoke', 'mandate'].includes(verdict);

/** The key that stands for a decision. */
export const verdictKeys: Partial<Record<Verdict, string>> = {
  approve: 'A',
  reject: 'R',
  revoke: 'R',
  endorse: 'E',
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
};

export const severityWords: Record<KnowledgeConflict['severity'], Key> = {
  low: 'window.review.severity_low',
  medium: 'window.review.severity_medium',
  high: 'window.review.severity_high',
};

export const suggestionWords: Record<KnowledgeConflict['suggestion'], Key> = {
  keep_this: 'window.review.suggest_keep_this',
  keep_other: 'window.review.suggest_keep_other',
  merge: 'window.review.suggest_merge',
  both_valid: 'window.review.suggest_both_valid',
};

export const movedWords: Record<Moved['kind'], Key> = {
  golden: 'window.review.moved_golden',
  accepted: 'window.review.moved_accepted',
};
