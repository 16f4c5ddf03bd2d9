// Serves the build that has the gallery, under the policy that the program sends. Nothing else is behind it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'";
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2', '.txt': 'text/plain' }; // prettier-ignore

/** Builds it into a folder of its own, serves it, and gives its address and what ends both. */
export async function galleryServer() {
  const folder = process.env.GALLERY_DIST ?? mkdtempSync(join(tmpdir(), 'assay-gallery-'));
  if (!process.env.GALLERY_DIST) {
    const built = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--mode', 'gallery', '--outDir', folder, '--logLevel', 'error'], { cwd: root, encoding: 'utf8' }); // prettier-ignore
    if (built.status !== 0) throw new Error(`the gallery does not build: ${built.stderr}`);
  }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    try {
      const content = await readFile(join(folder, pathname === '/' ? 'index.html' : pathname));
      response.writeHead(200, {
        'Content-Type': types[extname(pathname) || '.html'] ?? 'application/octet-stream',
        'Content-Security-Policy': policy,
      });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    folder,
    address: `http://127.0.0.1:${server.address().port}/`,
    stop: () => {
      server.close();
      server.closeAllConnections();
      if (!process.env.GALLERY_DIST) rmSync(folder, { recursive: true, force: true });
    },
  };
}
