import type { RowsChoice } from './session-files';
import type { Transport } from './transport';
import type { Exported } from './types';

export const reportFormats = ['html', 'pdf', 'xlsx'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Characters of the title of a report. */
export const longestTitle = 200;

/** What a session shows as a page that is read without the program. */
export interface PageChoice {
  frames: RowsChoice;
  /** The last question that is shown; absent: all of them. */
  turn?: number;
}

/** A piece of a report, in its place. */
export type ReportPiece =
  /** An artifact, an answer by its request, or every answer of a session. */
  | { kind: 'artifact' | 'answer' | 'session'; id: string }
  | { kind: 'heading'; text: string }
  /** Markdown: paragraphs, emphasis, lists and code. */
  | { kind: 'text'; text: string };

/** A report as it is asked for: chosen pieces in their order. */
export interface ReportRequest {
  format: ReportFormat;
  title: string;
  frames: Exclude<RowsChoice, 'none'>;
  items: ReportPiece[];
}

/** What is read without the program: a session as a page, and reports. */
export interface ReportsApi {
  /** Writes a session as a page that can be fetched within the hour. Rejects with a Fault. */
  page(sessionId: string, choice: PageChoice, signal: AbortSignal): Promise<Exported>;
  /** Writes a report. Rejects with a Fault, `unavailable` where this machine cannot make the format. */
  write(request: ReportRequest, signal: AbortSignal): Promise<Exported>;
}

export class HttpReports implements ReportsApi {
  constructor(private readonly transport: Transport) {}

  page = (sessionId: string, choice: PageChoice, signal: AbortSignal) =>
    this.transport.export(`api/sessions/${encodeURIComponent(sessionId)}/page`, choice, signal);

  write = (request: ReportRequest, signal: AbortSignal) => this.transport.export('api/reports', request, signal);
}
