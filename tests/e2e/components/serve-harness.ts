import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { SECURITY_HEADERS } from '#app/engine/routes.ts';

const harness = path.resolve(import.meta.dirname, '../../renderer/harness');
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
]);

export interface HarnessServer {
  readonly url: string;
  /** Sets the content that `?file=<name>` opens. */
  addFile(name: string, content: string): void;
  close(): Promise<void>;
}

/** Builds tests/renderer/harness and serves it with the engine's headers. */
export async function serveHarness(): Promise<HarnessServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-harness-'));
  await build({
    configFile: path.join(harness, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  });
  const added = new Map<string, string>();
  const server: Server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://harness').pathname.slice(1) || 'index.html';
    const content = added.get(name) ?? readBuilt(folder, name);
    response.writeHead(content === null ? 404 : 200, {
      ...SECURITY_HEADERS,
      'content-type': TYPES.get(path.extname(name)) ?? 'application/octet-stream',
    });
    response.end(content ?? '');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    addFile: (name, content) => void added.set(name, content),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readBuilt(folder: string, name: string): Buffer | null {
  try {
    return readFileSync(path.join(folder, path.normalize(name)));
  } catch {
    return null;
  }
}
