import { randomId } from '../random-id';
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

  async write(answerTo: string, format: ExportFormat, signal: AbortSignal): Promise<Exported> {
    const request_id = randomId();
    const stop = () => void this.transport.send('POST', `api/requests/${request_id}/cancel`).catch(() => undefined); // it is over then
    signal.addEventListener('abort', stop, { once: true });
    try {
      const body = { request_id, answer_to: answerTo, format };
      const response = await this.transport.send('POST', 'api/exports', body, { signal });
      return (await response.json()) as Exported;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  address = (file: Exported) => `api/exports/${encodeURIComponent(file.id)}`;
}
