// How work ended, as a notice says it; null: it was stopped by the person, or is not over.
import type { ExportState } from './controllers/exports.svelte';
import type { ImportController } from './controllers/imports.svelte';
import type { LiveTurn } from './controllers/turn.svelte';
import type { Ended } from './long-work';

export function endOfRun(turn: Pick<LiveTurn, 'state' | 'answer'>): Ended | null {
  if (turn.state === 'failed') return { what: 'question_failed', id: '' };
  if (turn.state !== 'done' || !turn.answer) return null;
  const { outcome, request_id: id } = turn.answer;
  return { what: outcome === 'clarify' || outcome === 'confirm' ? 'question_asks' : 'question', id };
}

export function endOfImport(imports: Pick<ImportController, 'result' | 'problem'>): Ended | null {
  if (imports.problem) return imports.problem.code === 'canceled' ? null : { what: 'import_failed', id: '' };
  return imports.result ? { what: 'import', id: '' } : null;
}

export function endOfExport(now: ExportState | null): Ended | null {
  if (!now) return null;
  return { what: now.is === 'failed' ? 'export_failed' : 'export', id: now.requestId };
}
