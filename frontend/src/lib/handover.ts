import type { Backend } from './api/backend';
import { Branches } from './branches.svelte';
import { Clearing } from './clearing.svelte';
import { handOver } from './controllers/exports.svelte';
import type { Exported } from './api/types';
import { ArrivingController } from './controllers/arriving.svelte';
import { FamilyController } from './controllers/family.svelte';
import { Grown } from './controllers/grown.svelte';
import { HandingController } from './controllers/handing.svelte';
import { HoldingsController } from './controllers/holdings.svelte';
import { ReplayController } from './controllers/replay.svelte';
import { ReportController } from './controllers/report.svelte';
import type { SessionController } from './controllers/session.svelte';
import { SharesController } from './controllers/shares.svelte';

/** What the page around it does for `Handover`. */
interface Page {
  readonly session: Pick<SessionController, 'id' | 'title' | 'opening' | 'turns'>;
  /** Brings a session into view. */
  show(sessionId: string): Promise<void>;
  /** Reads the session in view again, when it is this one. */
  reread(sessionId: string): Promise<void>;
}

/** What can be done with a session as a whole: it is gone on from elsewhere, begun anew, asked again, and handed over. */
export class Handover {
  readonly branches: Branches;
  readonly family: FamilyController;
  readonly clearing: Clearing;
  readonly grown: Grown;
  readonly replay: ReplayController;
  readonly holdings: HoldingsController;
  readonly handing: HandingController;
  readonly shares: SharesController;
  readonly report: ReportController;
  readonly arriving: ArrivingController;
  readonly taught: Backend['taught'];
  /** The session in view; null: there is none. */
  readonly inView: () => string | null;
  /** Hands a file that is ready to the person; resolves with why not, or with nothing. */
  readonly hand: (file: Exported) => Promise<string>;

  constructor(backend: Backend, page: Page) {
    this.taught = backend.taught;
    this.inView = () => page.session.id;
    this.hand = (file) => handOver(file, backend.exports.address(file));
    const open = (sessionId: string) => page.show(sessionId);
    this.branches = new Branches(backend.branches, open);
    this.family = new FamilyController(backend.branches);
    this.clearing = new Clearing(backend.sessionLife, page);
    this.grown = new Grown(backend.sessionLife, page.session, (id) => page.reread(id));
    this.replay = new ReplayController(backend.replay);
    this.holdings = new HoldingsController(backend.replay);
    this.handing = new HandingController(backend.sessionFiles, backend.reports, backend.exports);
    this.shares = new SharesController(backend.shares);
    this.report = new ReportController(backend.reports, backend.exports);
    this.arriving = new ArrivingController(
      backend.sessionFiles,
      (file, signal) => backend.upload(file, () => undefined, signal),
      open,
      (token) => void backend.data.forget(token).catch(() => undefined),
    );
  }
}
