import type { Backend } from './api/backend';
import { Branches } from './branches.svelte';
import { HoldingsController } from './controllers/holdings.svelte';
import { ReplayController } from './controllers/replay.svelte';

/** What can be done with a session as a whole: it is gone on from elsewhere, asked again, and handed over. */
export class Handover {
  readonly branches: Branches;
  readonly replay: ReplayController;
  readonly holdings: HoldingsController;

  /** `open` brings a session into view. */
  constructor(backend: Backend, open: (sessionId: string) => Promise<void>) {
    this.branches = new Branches(backend.branches, open);
    this.replay = new ReplayController(backend.replay);
    this.holdings = new HoldingsController(backend.replay);
  }
}
