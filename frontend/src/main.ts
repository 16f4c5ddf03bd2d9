import './styles/fonts.css';
import './styles/tokens.css';
import './styles/marks.css';
import './styles/base.css';
import { mount } from 'svelte';
import Root from './Root.svelte';
import type { Backend } from './lib/api/backend';
import { HttpBackend } from './lib/api/http';
import { blockNavigation } from './lib/navigation';

blockNavigation(document);

const target = document.getElementById('app');

// The build of the gallery stands by itself: nothing is behind it but what a test would put there.
const backendOf = async (): Promise<Backend> =>
  import.meta.env.MODE === 'gallery' ? (await import('./views/gallery/backend')).galleryBackend() : new HttpBackend();

if (target) void backendOf().then((backend) => mount(Root, { target, props: { backend } }));
