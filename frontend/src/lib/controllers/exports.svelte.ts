import type { ExportFormat, ExportsApi } from '../api/exports';
import { asFault, Fault } from '../api/fault';
import type { Exported } from '../api/types';
import { saveExport } from '../desktop';
import { download } from '../save';
import { say } from '../text';
import type { Problem } from '../turn';

/** How far an export is. */
export type ExportState =
  | {
      requestId: string;
      format: ExportFormat;
      is: 'running';
      /** The file is there, and is being handed over. */ written?: boolean;
    }
  | { requestId: string; format: ExportFormat; is: 'done'; file: Exported }
  | { requestId: string; format: ExportFormat; is: 'failed'; problem: Problem };

/** Writes answers into files, one at a time, and hands them to the person: by the dialog of the shell, or by the browser. */
export class ExportsController {
  /** The turn whose file format is being chosen; null: none is. */
  choosing = $state<string | null>(null);
  now = $state.raw<ExportState | null>(null);
  private abort: AbortController | null = null;

  constructor(
    private readonly api: ExportsApi,
    private readonly hand: (file: Exported, address: string) => Promise<string> = handOver,
  ) {}

  /** Exports an answer. True when the person has the file. */
  async start(requestId: string, format: ExportFormat): Promise<boolean> {
    if (this.now?.is === 'running') return false;
    const abort = new AbortController();
    this.abort = abort;
    this.now = { requestId, format, is: 'running' };
    try {
      const file = await this.api.write(requestId, format, abort.signal);
      this.now = { requestId, format, is: 'running', written: true };
      const refused = await this.hand(file, this.api.address(file));
      if (refused !== '') throw new Fault('unavailable', refused);
      this.now = { requestId, format, is: 'done', file };
      return true;
    } catch (thrown) {
      const fault = asFault(thrown, new Fault('internal', say('window.export.failed')));
      const problem = { code: fault.code, message: fault.message, hint: fault.hint };
      this.now = abort.signal.aborted ? null : { requestId, format, is: 'failed', problem };
      return false;
    } finally {
      this.abort = null;
    }
  }

  /** Stops the export that runs, or takes the word about the last one away. */
  dismiss(): void {
    this.abort?.abort();
    this.now = null;
  }
}

/** Hands a file that is ready to the person, and gives why it could not be handed over; empty: it was. */
export async function handOver(file: Exported, address: string): Promise<string> {
  const saved = saveExport(file.id);
  if (saved) return saved;
  download(address, file.name);
  return '';
}
