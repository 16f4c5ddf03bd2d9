// What the things of a model, their fields and their changes are called.
import type { ModelEntry, ModelField } from './api/types';
import type { Key } from './text';

export const modelKinds = [
  'metric',
  'entity',
  'dimension',
  'join',
  'gotcha',
  'golden',
  'term',
  'guide',
  'memo',
] as const satisfies ModelEntry['kind'][];
export type ModelKind = (typeof modelKinds)[number];

/** One of a kind. */
export const kindWords: Record<ModelKind, Key> = {
  metric: 'window.model.kind_metric',
  entity: 'window.model.kind_entity',
  dimension: 'window.model.kind_dimension',
  join: 'window.model.kind_join',
  gotcha: 'window.model.kind_gotcha',
  golden: 'window.model.kind_golden',
  term: 'window.model.kind_term',
  guide: 'window.model.kind_guide',
  memo: 'window.model.kind_memo',
};

/** All of a kind. */
export const kindsWords: Record<ModelKind, Key> = {
  metric: 'window.model.kinds_metric',
  entity: 'window.model.kinds_entity',
  dimension: 'window.model.kinds_dimension',
  join: 'window.model.kinds_join',
  gotcha: 'window.model.kinds_gotcha',
  golden: 'window.model.kinds_golden',
  term: 'window.model.kinds_term',
  guide: 'window.model.kinds_guide',
  memo: 'window.model.kinds_memo',
};

export const fieldWords: Record<ModelField['key'], Key> = {
  label: 'window.model.field_label',
  description: 'window.model.field_description',
  synonyms: 'window.model.field_synonyms',
  unit: 'window.model.field_unit',
  tags: 'window.model.field_tags',
  severity: 'window.model.field_severity',
  statement: 'window.model.field_statement',
  question: 'window.model.field_question',
  frame_ql: 'window.model.field_frame_ql',
  expr: 'window.model.field_expr',
  domain: 'window.model.field_domain',
};

export const changeWords: Record<'added' | 'removed' | 'changed', Key> = {
  added: 'window.model.change_added',
  removed: 'window.model.change_removed',
  changed: 'window.model.change_changed',
};
