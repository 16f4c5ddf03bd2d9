import type { ExportFormat } from '$lib/api/exports';
import type { ResultsApi } from '$lib/api/results';
import type { SentTexts } from '$lib/api/types';
import type { CellRef } from '$lib/citations';
import type { ChartsController } from '$lib/controllers/charts.svelte';
import type { ExportsController } from '$lib/controllers/exports.svelte';
import type { HoldingsController } from '$lib/controllers/holdings.svelte';
import type { TurnView } from '$lib/turn';
import type { Versions } from '$lib/versions';
import type { Recompute } from '$lib/simulation';

/** What every card may use of the page around it. Keys are those of cards and of their turns. */
export interface Desk {
  results: ResultsApi;
  charts: ChartsController;
  exports: ExportsController;
  /** Whether answers still hold; absent: nobody asks. */
  holdings?: HoldingsController;
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
  /** What was sent to models elsewhere for a request, word for word. */
  sentTexts: (requestId: string) => Promise<SentTexts>;
  onexport: (turn: string, format: ExportFormat) => void;
  onpin: (turn: string, pinned: boolean) => void;
  /** Rows of an answer were copied. */
  oncopied: (turn: string) => void;
  /** The address of an answer, by its request. */
  linkTo: (requestId: string) => string;
  /** A session goes on from this turn, or from one artifact of it. */
  onbranch: (turn: string, artifact?: string) => void;
  /** Opens the query of an answer to be edited; absent: it is open. */
  onedit?: (requestId: string, frameQL: string) => void;
  /** Asks a turn once more, in its place; absent: its query is run again. */
  onagain?: (turn: string) => void;
  /** The versions of a turn; absent: it has none. */
  versionsOf?: (turn: string) => Versions<TurnView>;
  /** Shows another version of a turn. */
  onstep?: (turn: string, by: 1 | -1) => void;
  /** What waits for a word runs. */
  onconfirm: (turn: string) => Promise<void>;
  /** An object of the model is opened. */
  onobject: (id: string) => void;
}
