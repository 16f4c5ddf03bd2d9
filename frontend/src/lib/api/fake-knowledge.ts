import { Fault } from './fault';
import type { KnowledgeApi } from './knowledge';
import type { Blast, Description, Proposed, Reach, Reviewed, SharedList, Verdict } from './types';

const at = '2026-01-15T09:00:00Z';
const stands: Partial<Record<Verdict, Reviewed['stands']>> = {
  approve: 'approved',
  mandate: 'mandatory',
  reject: 'rejected',
  revoke: 'revoked',
};
const next: Partial<Record<Verdict, Verdict[]>> = { approve: ['revoke'], mandate: ['revoke'], reject: [], revoke: [] };

/** Shared knowledge for tests: it does what it is told, unless a test puts a refusal in. */
export class FakeKnowledge implements KnowledgeApi {
  items: Reviewed[] = [];
  blasts = new Map<string, Blast>();
  looked: string[] = [];
  decided: [string, Verdict, string][] = [];
  proposed: [string, boolean][] = [];
  directed: [string, Reach][] = [];
  /** What a model says of a piece, by its id. */
  judgments = new Map<string, Partial<Reviewed>>();
  /** What is refused next, by what is asked. */
  failures: Partial<
    Record<
      'list' | 'blast' | 'offer' | 'write' | 'describe' | 'forget' | 'decide' | 'propose' | 'direct' | 'judge',
      Fault
    >
  > = {};
  /** Of the commit that is written next. */
  patch = '';
  /** What the next list waits for. */
  hold: Promise<void> | null = null;

  async list(): Promise<SharedList> {
    const items = [...this.items];
    const { hold } = this;
    this.hold = null;
    if (hold) await hold;
    this.fail('list');
    return { items, waiting: items.filter((one) => one.stands === 'pending' && one.may.includes('approve')).length };
  }

  async blast(id: string): Promise<Blast> {
    this.looked.push(id);
    this.fail('blast');
    return this.blasts.get(id) ?? { looked: 0, changed: [], others: 0, left: 0, apart: 0 };
  }

  async offer(correctionId: string): Promise<Reviewed> {
    this.fail('offer');
    const item = sharedItem(`offered-${correctionId}`, 'sales', 'net revenue');
    this.items = [item, ...this.items];
    return item;
  }

  async write(d: Description): Promise<Reviewed> {
    this.fail('write');
    const item = sharedItem(`written-${this.items.length}`, '', '', { ...said(d), may: ['describe'] });
    this.items = [item, ...this.items];
    return item;
  }

  async describe(id: string, d: Description): Promise<Reviewed> {
    this.fail('describe');
    const item = this.find(id);
    const done: Reviewed = {
      ...item,
      ...said(d),
      history: [...item.history, { verdict: 'describe', by: 'ana', reason: '', at }],
    };
    this.items = this.items.map((one) => (one === item ? done : one));
    return done;
  }

  async forget(id: string): Promise<void> {
    this.fail('forget');
    this.items = this.items.filter((one) => one.id !== id);
  }

  async decide(id: string, verdict: Verdict, reason: string): Promise<Reviewed> {
    this.decided.push([id, verdict, reason]);
    this.fail('decide');
    const item = this.find(id);
    const becomes = stands[verdict] ?? item.stands;
    const done: Reviewed = {
      ...item,
      stands: becomes,
      status: becomes,
      may: next[verdict] ?? item.may.filter((one) => one !== verdict),
      history: [...item.history, { verdict, by: 'ana', reason, at }],
    };
    this.items = this.items.map((one) => (one === item ? done : one));
    return done;
  }

  async direct(id: string, to: Reach): Promise<Reviewed> {
    this.directed.push([id, to]);
    this.fail('direct');
    const item = this.find(id);
    const done: Reviewed = {
      ...item,
      audience: to.audience ?? '',
      valid_from: to.valid_from ?? null,
      valid_until: to.valid_until ?? null,
      supersedes: to.supersedes ?? '',
      sensitivity: to.sensitivity ?? '',
      history: [...item.history, { verdict: 'direct', by: 'ana', reason: to.reason ?? '', at }],
    };
    this.items = this.items.map((one) => (one === item ? done : one));
    return done;
  }

  async judge(id: string): Promise<Reviewed> {
    this.fail('judge');
    const item = this.find(id);
    const done: Reviewed = { ...item, ...this.judgments.get(id) };
    this.items = this.items.map((one) => (one === item ? done : one));
    return done;
  }

  async propose(id: string, direct: boolean): Promise<Proposed> {
    this.proposed.push([id, direct]);
    this.fail('propose');
    const item: Reviewed = { ...this.find(id), branch: direct ? '' : 'assay/sales', merged: direct ? at : null };
    return { item, file: 'terms/sales.yaml', branch: item.branch, commit: direct ? '' : '0a1b2c', patch: this.patch };
  }

  private find(id: string): Reviewed {
    const item = this.items.find((one) => one.id === id);
    if (!item) throw new Fault('not_found', 'There is no such piece of knowledge.');
    return item;
  }

  private fail(what: keyof FakeKnowledge['failures']): void {
    const fault = this.failures[what];
    this.failures[what] = undefined;
    if (fault) throw fault;
  }
}

const said = ({ title, content, category, tags, entities }: Description) => ({
  title,
  content,
  category,
  tags,
  entities,
});

/** A piece that waits for a decision that this person can give. */
export const sharedItem = (id: string, term: string, means: string, rest: Partial<Reviewed> = {}): Reviewed => ({
  id,
  term,
  means,
  title: term,
  content: `${term} means ${means}`,
  category: 'factual',
  domain: 'orders',
  tags: [],
  entities: ['orders'],
  audience: '',
  sensitivity: '',
  contributor: 'ana',
  personal: false,
  supersedes: '',
  groups: [],
  valid_from: null,
  valid_until: null,
  evidence: [{ actor: 'ana', detection: 'correction', quote: `${term} means ${means}`, ref: '', at }],
  status: 'pending',
  stands: 'pending',
  self_reviewed: false,
  history: [],
  branch: '',
  merged: null,
  created: at,
  changed: at,
  confidence: 0.9,
  people: 1,
  seniors: 1,
  needed: 1,
  may: ['approve', 'reject', 'endorse'],
  conflicts: [],
  checked: { understood: true, says: means, notes: [], project: null },
  judge: '',
  judged: null,
  ...rest,
});
