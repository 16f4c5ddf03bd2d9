import type { Transport } from './transport';
import type { Exported } from './types';

export const exportFormats = ['csv', 'xlsx', 'parquet', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Files of whole answers, with their provenance. */
export interface ExportsApi {
  /** Writes a file that can be fetched within the hour. Rejects with a Fault. */
  write(answerTo: string, format: ExportFormat, signal: AbortSignal): Promise<Exported>;
  /** Where a file that is ready is fetched. */
  address(file: Exported): string;
}

export class HttpExports implements ExportsApi {
  constructor(private readonly transport: Transport) {}

  write = (answerTo: string, format: ExportFormat, signal: AbortSignal) =>
    this.transport.export('api/exports', { answer_to: answerTo, format }, signal);

  address = (file: Exported) => `api/exports/${encodeURIComponent(file.id)}`;
}
