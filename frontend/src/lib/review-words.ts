// What is said about shared knowledge, and which decisions there are.
import type { Reviewed, Verdict } from './api/types';
import type { Key } from './text';

/** How many others say otherwise than a piece. */
export const contradictionsOf = ({ conflicts }: Reviewed): number =>
  conflicts.filter(({ relation }) => relation !== 'same').length;

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

/** Whether a decision is not taken without a reason. */
export const needsReason = (verdict: Verdict): boolean => ['reject', 'revoke', 'mandate'].includes(verdict);

/** Whether a piece comes to hold for others by a decision. */
export const comesToHold = (verdict: Verdict): boolean => verdict === 'approve' || verdict === 'mandate';

/** The key that stands for a decision. */
export const verdictKeys: Partial<Record<Verdict, string>> = {
  approve: 'A',
  reject: 'R',
  revoke: 'R',
  endorse: 'E',
};
