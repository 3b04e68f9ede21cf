import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { xtermWithoutStyles } from './scripts/xterm-without-styles.ts';
import { zodWithoutEval } from './scripts/zod-without-eval.ts';

/** `chrome83`: the flavour for the old Electron that the smoke test drives (lowered syntax, polyfills). */
const oldChrome = process.env['FLAMEBENCH_TARGET'] === 'chrome83';

/** Gzipped bytes of scripts and styles that load before the first graph, without the worker; everything else loads on demand. */
const FIRST_LOAD_LIMIT = 280_000;
/** Gzipped bytes of the analysis worker. */
const WORKER_LIMIT = 200_000;

/** Fails a build whose first load or worker is over its limit. Tests alone load the old flavour, which has none. */
function loadLimits(): Plugin {
  return {
    name: 'flamebench-load-limits',
    generateBundle(_options, bundle) {
      const files = new Map(Object.entries(bundle));
      const bytesOf = (names: Iterable<string>): number => {
        let bytes = 0;
        for (const name of names) {
          const file = files.get(name);
          if (file !== undefined) bytes += gzipSync(file.type === 'chunk' ? file.code : file.source).length;
        }
        return bytes;
      };
      const first = new Set<string>();
      const pending = [...files.values()].flatMap((file) =>
        file.type === 'chunk' && file.isEntry ? [file.fileName] : [],
      );
      for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
        const file = files.get(name);
        if (first.has(name) || file?.type !== 'chunk') continue;
        first.add(name);
        pending.push(...file.imports);
        for (const style of file.viteMetadata?.importedCss ?? []) first.add(style);
      }
      const worker = [...files.keys()].filter((name) => name.includes('analysis-worker'));
      for (const [what, bytes, limit] of [
        ['what loads before the first graph', bytesOf(first), FIRST_LOAD_LIMIT],
        ['the analysis worker', bytesOf(worker), WORKER_LIMIT],
      ] as const) {
        const found = `${what}: ${bytes} bytes gzipped (limit ${limit})`;
        if (bytes > limit && !oldChrome) this.error(found);
        else this.info(found);
      }
    },
  };
}

/** Loads the polyfills before the entry, in the old flavour only. */
function polyfills(): Plugin {
  const prefix = "import '/polyfills-chrome83.ts';\n";
  return {
    name: 'flamebench-polyfills',
    transform(code, id) {
      const isEntry = /renderer\/(?:main\.tsx|analysis\/(?:analysis|regex)-worker\.ts)$/.test(id.split('?')[0] ?? '');
      return isEntry ? { code: prefix + code, map: null } : null;
    },
  };
}

const target = oldChrome ? 'chrome83' : 'chrome130';
const flavourPlugins = oldChrome ? [polyfills()] : [];

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react(), xtermWithoutStyles(), zodWithoutEval(), loadLimits(), ...flavourPlugins],
  worker: { format: 'es', plugins: () => flavourPlugins },
  build: {
    outDir: oldChrome ? '../dist/renderer-chrome83' : '../dist/renderer',
    emptyOutDir: true,
    target,
    cssTarget: target,
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    license: false,
  },
});
