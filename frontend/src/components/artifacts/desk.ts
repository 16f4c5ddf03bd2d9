import type { ExportFormat } from '$lib/api/exports';
import type { ResultsApi } from '$lib/api/results';
import type { CellRef } from '$lib/citations';
import type { ChartsController } from '$lib/controllers/charts.svelte';
import type { ExportsController } from '$lib/controllers/exports.svelte';
import type { Recompute } from '$lib/simulation';

/** What every card may use of the page around it. Keys are those of cards and of their turns. */
export interface Desk {
  results: ResultsApi;
  charts: ChartsController;
  exports: ExportsController;
  /** The cell that something points at, and the one that was asked for. */
  lit: CellRef | null;
  wanted: CellRef | null;
  dark: boolean;
  locale: string;
  /** Something runs: nothing else can be run now. */
  running: boolean;
  /** Works a simulation out for other levers; null: nothing here can. */
  recompute: Recompute | null;
  onrun: (frameQL: string) => void;
  onprovenance: (turn: string) => void;
  onexport: (turn: string, format: ExportFormat) => void;
  onpin: (turn: string, pinned: boolean) => void;
  /** Rows of an answer were copied. */
  oncopied: (turn: string) => void;
  /** A session goes on from this turn. */
  onbranch: (turn: string) => void;
  /** What waits for a word runs. */
  onconfirm: (turn: string) => Promise<void>;
  /** An object of the model is opened. */
  onobject: (id: string) => void;
}
