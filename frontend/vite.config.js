import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// One catalogue holds every text of the program; the page takes its own part along. What the review, the settings (models and memory too), the model view and the dialogs of a session alone say comes with
// them, by "?part=later" (src/lib/later-texts.ts), but for what is said of them elsewhere.
const saidElsewhere = [
  'settings.title',
  ...['title', 'command', 'rail', 'failed', 'failed_hint'].map((key) => `review.${key}`),
  ...['elsewhere', 'embedded', 'failed', 'held', 'menu', 'set_up', 'thinks'].map((key) => `minds.${key}`),
  ...['name', 'words', 'failed'].map((key) => `handing.${key}`),
  ...['nameless', 'failed'].map((key) => `arriving.${key}`),
  ...['name', 'words', 'taken_out'].map((key) => `report.${key}`),
  ...['name', 'broke'].map((key) => `replay.${key}`),
  'memory.failed',
].map((key) => `window.${key}`);
const ofModel = /^window\.model\.((no|zoom)_|(empty|fit|inferred|inferred_hint|laying_out|save_svg|stale|title)$)/;
const later = (key) =>
  /^window\.(minds|model|memory|review|settings|handing|arriving|report|replay|recall|bundle)\./.test(key) &&
  !saidElsewhere.includes(key) &&
  !ofModel.test(key);
const ownTexts = {
  name: 'own-texts',
  enforce: 'pre',
  transform(code, id) {
    const [, part] = /\/backend\/text\/[a-z-]+\.json(\?part=later)?$/.exec(id) ?? [null, null];
    if (part === null) return null;
    const texts = Object.entries(JSON.parse(code)).filter(
      ([key]) => key.startsWith('window.') && later(key) === (part !== undefined),
    );
    const json = JSON.stringify(Object.fromEntries(texts));
    return part === undefined
      ? { code: json, map: null }
      : { code: `export default ${json}`, moduleType: 'js', map: null };
  },
};

export default defineConfig({
  plugins: [ownTexts, svelte(), svelteTesting()],
  base: './',
  resolve: {
    alias: {
      $lib: here('./src/lib'),
      $shared: here('./src/components/shared'),
      $components: here('./src/components'),
    },
  },
  // The oldest WebKit that the window meets is that of macOS 12 and of WebKitGTK 2.38.
  build: { target: 'safari16', outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 1200 },
  server: {
    // The catalogue of texts lies beside the Go code, which embeds the same files.
    fs: { allow: ['..'] },
    proxy: { '/api': { target: process.env.ASSAY_URL ?? 'http://127.0.0.1:8787', changeOrigin: true } },
  },
  test: {
    environment: 'jsdom',
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/setup.ts'],
    testTimeout: 60_000, // a slow machine fails no test
  },
});
