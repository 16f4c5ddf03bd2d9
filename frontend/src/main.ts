import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import Root from './Root.svelte';
import { HttpBackend } from './lib/api/http';
import { blockNavigation } from './lib/navigation';

blockNavigation(document);

const target = document.getElementById('app');
if (target) mount(Root, { target, props: { backend: new HttpBackend() } });
