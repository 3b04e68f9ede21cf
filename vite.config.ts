import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type BuildEnvironmentOptions, type Plugin } from 'vite';
import { reportViewer } from './scripts/report-viewer.ts';
import { pageAliases } from './scripts/page-aliases.ts';
import { xtermGlobals } from './scripts/xterm-globals.ts';

/**
 * Limit on the scripts and styles loaded before the first graph, without the worker, in gzipped bytes; everything else
 * loads on demand.
 */
const FIRST_LOAD_LIMIT = 260_000;
/**
 * Limit on the scripts with which the analysis worker starts, in gzipped bytes; importers of rare formats load on
 * demand.
 */
const WORKER_LIMIT = 180_000;

/**
 * Fails a build whose entry, including its static imports, exceeds its limit or has a package that it should load on
 * demand.
 */
function loadLimit(what: string, limit: number, later?: string): Plugin {
  return {
    name: 'flamebench-load-limit',
    generateBundle(_options, bundle) {
      const files = new Map(Object.entries(bundle));
      const loaded = new Set<string>();
      const pending = [...files.values()].flatMap((file) =>
        file.type === 'chunk' && file.isEntry ? [file.fileName] : [],
      );
      for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
        const file = files.get(name);
        if (loaded.has(name) || file?.type !== 'chunk') continue;
        if (later !== undefined && file.moduleIds.some((id) => id.includes(`/node_modules/${later}/`))) {
          this.error(`${what} has ${later} (${name}): import its users' types, or load them on demand`);
        }
        loaded.add(name);
        pending.push(...file.imports);
        for (const style of file.viteMetadata?.importedCss ?? []) loaded.add(style);
      }
      let bytes = 0;
      for (const name of loaded) {
        const file = files.get(name);
        if (file !== undefined) bytes += gzipSync(file.type === 'chunk' ? file.code : file.source).length;
      }
      const found = `${what}: ${bytes} bytes gzipped (limit ${limit})`;
      if (bytes > limit) this.error(found);
      else this.info(found);
    },
  };
}

const target = 'chrome130';

/**
 * Bundles everything that an entry imports statically into one script. With a script for each group of modules that is
 * shared with parts loaded on demand, there are seventy, and the window takes 30 % longer to start.
 */
const oneScriptAtStart = {
  output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
} satisfies NonNullable<BuildEnvironmentOptions['rolldownOptions']>;

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [
    react(),
    xtermGlobals(),
    loadLimit('what loads before the first graph', FIRST_LOAD_LIMIT, 'zod'),
    reportViewer(`${import.meta.dirname}/renderer`),
  ],
  resolve: { alias: pageAliases },
  worker: {
    format: 'es',
    plugins: () => [loadLimit('a worker', WORKER_LIMIT)],
    rolldownOptions: oneScriptAtStart,
  },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target,
    cssTarget: target,
    // The page's own scripts are requested together; scripts loaded on demand do not wait for one another.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    license: false,
    rolldownOptions: oneScriptAtStart,
  },
});
