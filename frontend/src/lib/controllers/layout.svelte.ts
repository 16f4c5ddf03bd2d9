import { hear, recall, remember } from '../storage';

/** What the second panel shows. */
export type Panel = 'results' | 'sources';

/** Where the split stands and which panel is in view; the split is remembered. */
export class Layout {
  panel = $state<Panel>('sources');
  /** In a narrow window one thing is in view at a time: the dialogue, or the second panel. */
  dialogueInView = $state(true);
  drawerOpen = $state(false);
  inboxOpen = $state(false);
  split = $state(readSplit());

  constructor() {
    hear((names) => names.has('split') && (this.split = readSplit()));
  }

  /** Puts the bar between the panels at a share of the width. */
  moveSplit(share: number): void {
    this.split = Math.min(0.7, Math.max(0.25, share));
    remember('split', this.split.toFixed(3));
  }

  show(panel: Panel): void {
    this.panel = panel;
    this.dialogueInView = false;
  }
}

function readSplit(): number {
  const stored = Number(recall('split'));
  return stored >= 0.25 && stored <= 0.7 ? stored : 0.4;
}
