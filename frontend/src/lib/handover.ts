import type { Backend } from './api/backend';
import { Branches } from './branches.svelte';
import { ArrivingController } from './controllers/arriving.svelte';
import { HandingController } from './controllers/handing.svelte';
import { HoldingsController } from './controllers/holdings.svelte';
import { ReplayController } from './controllers/replay.svelte';

/** What can be done with a session as a whole: it is gone on from elsewhere, asked again, and handed over. */
export class Handover {
  readonly branches: Branches;
  readonly replay: ReplayController;
  readonly holdings: HoldingsController;
  readonly handing: HandingController;
  readonly arriving: ArrivingController;

  /** `open` brings a session into view. */
  constructor(backend: Backend, open: (sessionId: string) => Promise<void>) {
    this.branches = new Branches(backend.branches, open);
    this.replay = new ReplayController(backend.replay);
    this.holdings = new HoldingsController(backend.replay);
    this.handing = new HandingController(backend.sessionFiles, backend.exports);
    this.arriving = new ArrivingController(
      backend.sessionFiles,
      (file, signal) => backend.upload(file, () => undefined, signal),
      open,
      (token) => void backend.data.forget(token).catch(() => undefined),
    );
  }
}
