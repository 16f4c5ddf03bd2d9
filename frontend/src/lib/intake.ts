import type { Backend } from './api/backend';
import { asFault, Fault } from './api/fault';
import type { Upload } from './api/types';
import type { ImportController } from './controllers/imports.svelte';
import type { Layout } from './controllers/layout.svelte';
import type { LookController } from './controllers/look.svelte';
import type { Places } from './controllers/places.svelte';
import type { SourcesController } from './controllers/sources.svelte';
import type { Handover } from './handover';
import { say } from './text';

/** What taking files in concerns. */
interface Concerned {
  places: Places;
  layout: Layout;
  imports: ImportController;
  look: LookController;
  sources: SourcesController;
  handover: Handover;
}

/** The ways in which files become sources, each with the place where its progress is seen. */
export class Intake {
  private readonly backend: Backend;
  private readonly app: Concerned;

  constructor(backend: Backend, app: Concerned) {
    this.backend = backend;
    this.app = app;
  }

  /** Imports files and shows how far it is; or looks at them first. Sessions and bundles are looked at always. */
  async take(files: File[], looked = false): Promise<void> {
    const { kindOf } = await import('./recognise');
    const kinds = await Promise.all(files.map(kindOf));
    const [sessions = [], bundles = [], data = []] = ['session', 'bundle', 'data'].map((kind) =>
      files.filter((_, at) => kinds[at] === kind),
    );
    this.app.handover.arriving.look(sessions, bundles);
    if (data.length === 0) return;
    if (looked) void this.app.look.take(data);
    else void this.shown(() => this.app.imports.take(data));
  }

  /** The same for files that the desktop shell took in. */
  takeOffered(files: Upload[], looked = false): void {
    if (looked) void this.app.look.takeOffered(files);
    else void this.shown(() => this.app.imports.takeOffered(files));
  }

  /** Imports the files that were looked at, or reads a source again as it was chosen. */
  takeLooked(): void {
    const now = this.app.look.now;
    if (now?.source) {
      const { source, reading } = now;
      this.app.look.close();
      void this.app.sources.refresh(source, { reading });
      return;
    }
    const { names, tokens, readings } = this.app.look.settle();
    void this.shown(() => this.app.imports.takeLooked(names, tokens, readings));
  }

  /** Takes the sample into a workspace that is empty. */
  async takeSample(): Promise<void> {
    await this.shown(() => this.app.imports.takeSample());
    this.app.layout.dialogueInView = true;
  }

  /** Looks at the file of a source again, read as it was. */
  async reread(id: string, name: string): Promise<void> {
    const { look, sources } = this.app;
    await sources.load();
    const source = sources.all?.find((one) => one.id === id);
    await look.takeSource(id, name, source?.reading ?? {});
  }

  /** Takes a newer file in for a source. */
  async replace(id: string, file: File): Promise<void> {
    const abort = new AbortController();
    try {
      const { token } = await this.backend.upload(file, () => undefined, abort.signal);
      const taken = await this.app.sources.refresh(id, { token });
      if (!taken) this.backend.data.forget(token).catch(() => undefined);
    } catch (thrown) {
      this.app.sources.problem = asFault(thrown, new Fault('internal', say('window.error.import')));
    }
  }

  private shown(work: () => Promise<void>): Promise<void> {
    this.app.places.go('workspace');
    this.app.layout.show('sources');
    return work();
  }
}
