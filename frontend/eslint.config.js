import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

// The three tiers of components, and lib under them. A tier sees only what stands below it.
const tier = (files, group, message) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
});
const domains = ['chat', 'artifacts', 'data', 'query', 'model', 'review', 'settings', 'session', 'inbox'].flatMap(
  (name) => [`$components/${name}/*`, `**/components/${name}/**`, `../${name}/**`, `../../${name}/**`],
);
const views = ['**/views/**'];

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/lib/api/schema.d.ts', 'tests/canary'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
    rules: { 'max-lines': ['error', { max: 300 }], 'svelte/no-at-html-tags': 'error' },
  },
  // The one place where HTML is put into the page: what lib/markdown.ts made of a text, reviewed and tested for it.
  { files: ['src/components/shared/Markdown.svelte'], rules: { 'svelte/no-at-html-tags': 'off' } },
  {
    files: ['src/**'],
    rules: {
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc'].map((property) => ({
          property,
          message: 'HTML goes into the page through Markdown.svelte alone',
        })),
        { object: 'document', property: 'write', message: 'HTML goes into the page through Markdown.svelte alone' },
        { object: 'window', property: 'open', message: 'addresses are opened by lib/links.ts, after a confirm' },
      ],
    },
  },
  { files: ['e2e/**', '*.config.js', 'scripts/**'], languageOptions: { globals: { ...globals.node } } },
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Maps and sets that are not state stay plain.
      'svelte/prefer-svelte-reactivity': 'off',
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  tier(
    ['src/components/shared/**'],
    [...domains, ...views, '$lib/api/*', '$lib/controllers/*', '$lib/app*'],
    'shared/ knows no domain',
  ),
  ...['chat', 'artifacts', 'data', 'query', 'model', 'review', 'settings', 'session', 'inbox'].map((own) =>
    tier(
      [`src/components/${own}/**`],
      [...domains.filter((pattern) => !pattern.includes(own)), ...views],
      'a domain folder knows shared/ and lib/, no other domain and no view',
    ),
  ),
  tier(['src/lib/**'], ['**/components/**', '$components/*', '$shared/*', ...views], 'lib/ knows no component'),
);
