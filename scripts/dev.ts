import { spawn } from 'node:child_process';
import { createServer as createPortProbe, type AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { PATHS } from '#core/contract/paths.ts';
import { root } from './run-command.ts';

/**
 * `npm run dev [-- FILE…]`: the workbench while it is being changed. Vite serves the page with hot reload and passes the
 * engine's paths on to an engine under `node --watch`, which has a library of its own; the bundled samples are in every
 * library. The page keeps the engine's host name, which the engine checks, at Vite's port.
 */
const LIBRARY = path.join(root, 'artefacts', 'dev-library');
const ENGINE_STARTED = 'flamebench:engine';

/** Sends the page to the new engine, which has another name and knows none of the old one's sessions. */
const followEngine: Plugin = {
  name: 'flamebench-follow-engine',
  transformIndexHtml: {
    // Before Vite, which gives the script its `import.meta.hot`.
    order: 'pre',
    handler: () => [
      {
        tag: 'script',
        attrs: { type: 'module' },
        children: `import.meta.hot.on('${ENGINE_STARTED}', ({ url }) => location.replace(url));`,
      },
    ],
  },
};

const port = await freePort();
const target = `http://127.0.0.1:${port}`;
const server = await createServer({
  configFile: path.join(root, 'vite.config.ts'),
  plugins: [followEngine],
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      Object.values(PATHS).map((prefix) => [`^${prefix}`, { target, ws: prefix === PATHS.events }]),
    ),
  },
});
await server.listen();
watchEngine(server, process.argv.slice(2));

/** Starts the engine, which starts again after each change of a file that it has loaded. */
function watchEngine(vite: ViteDevServer, files: readonly string[]): void {
  const script = path.join(root, 'scripts', 'dev-engine.ts');
  const words = ['--port', String(port), '--library', LIBRARY, ...files];
  const engine = spawn(process.execPath, ['--watch', '--watch-preserve-output', script, ...words], {
    cwd: root,
    // Vite serves the page, so the engine needs no built one.
    env: { ...process.env, FLAMEBENCH_RENDERER: path.join(root, 'renderer') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: engine.stdout }).on('line', (line) => {
    const url = pageUrl(line, vite);
    if (url === null) return;
    process.stdout.write(`${url}\n`);
    vite.ws.send({ type: 'custom', event: ENGINE_STARTED, data: { url } });
  });
  engine.once('exit', (code) => process.exit(code ?? 1));
  process.once('exit', () => engine.kill());
}

/** Returns the engine's link at Vite's port; null for a line that is none. */
function pageUrl(line: string, { httpServer }: ViteDevServer): string | null {
  const address = httpServer?.address();
  if (!URL.canParse(line) || typeof address !== 'object') return null;
  const url = new URL(line);
  url.port = String(address?.port);
  return url.href;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createPortProbe().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });
}
