// The views beside the workspace. Each is loaded when it is opened first, so that the first paint does not wait for it.
import ClipboardCheck from '@lucide/svelte/icons/clipboard-check';
import Network from '@lucide/svelte/icons/network';
import SquareTerminal from '@lucide/svelte/icons/square-terminal';
import Database from '@lucide/svelte/icons/database';
import Settings from '@lucide/svelte/icons/settings';
import Shapes from '@lucide/svelte/icons/shapes';
import type { Component } from 'svelte';
import type { Place } from '$lib/controllers/places.svelte';
import { say } from '$lib/text';

export interface View {
  place: Place;
  label: string;
  icon: Component<{ size?: number }>;
  load: () => Promise<{ default: Component }>;
  keys?: string;
  /** What the palette calls it; absent: its label. */
  command?: string;
  /** It stands at the end of the rail, beside the theme. */
  last?: boolean;
}

export const views: View[] = [
  { place: 'data', label: say('window.data.title'), icon: Database, load: () => import('./Data.svelte') },
  {
    place: 'query',
    label: say('window.query.title'),
    icon: SquareTerminal,
    load: () => import('./Query.svelte'),
  },
  {
    place: 'model',
    label: say('window.model.title'),
    icon: Network,
    load: () => import('./Model.svelte'),
  },
  {
    place: 'review',
    label: say('window.review.title'),
    icon: ClipboardCheck,
    load: () => import('./Review.svelte'),
    command: say('window.review.command'),
  },
  {
    place: 'settings',
    label: say('window.settings.title'),
    icon: Settings,
    load: () => import('./Settings.svelte'),
    keys: 'Mod+,',
    last: true,
  },
  // The word is not one of the page: what ships has no gallery.
  ...(import.meta.env.MODE === 'development' || import.meta.env.MODE === 'gallery'
    ? [{ place: 'gallery' as const, label: 'Gallery', icon: Shapes, load: () => import('./gallery/Gallery.svelte') }]
    : []),
];
