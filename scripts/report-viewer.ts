import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rollup } from 'vite';
import { pageAliases } from './page-aliases.ts';

/** Maximum gzipped size in bytes of the viewer's script and style, which every report embeds uncompressed. */
const VIEWER_LIMIT = 205_000;

/** Name of the viewer's file next to the page, for the window, the engine and the command. */
export const VIEWER_FILE = 'report-viewer.json';

/**
 * Builds the viewer of reports next to the page: classic scripts and one style as JSON, with their hashes in the form of
 * a Content Security Policy. It is the same for all browsers.
 */
export function reportViewer(root: string): Plugin {
  return {
    name: 'flamebench-report-viewer',
    apply: 'build',
    async generateBundle() {
      const { scripts, style } = await buildViewer(root);
      const bytes = gzipSync(scripts.join('')).length + gzipSync(style).length;
      const found = `the viewer of reports: ${bytes} bytes gzipped (limit ${VIEWER_LIMIT})`;
      if (bytes > VIEWER_LIMIT) this.error(found);
      else this.info(found);
      const viewer = { scripts, style, scriptHashes: scripts.map(hashOf), styleHash: hashOf(style) };
      this.emitFile({ type: 'asset', fileName: VIEWER_FILE, source: JSON.stringify(viewer) });
    },
  };
}

async function buildViewer(root: string): Promise<{ scripts: string[]; style: string }> {
  const output = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    // Nothing in the viewer loads on demand; what would is of the worker's session, of which it takes functions only.
    define: { 'import.meta.resolve': 'undefined', 'import.meta.url': 'undefined' },
    plugins: [react()],
    resolve: { alias: pageAliases },
    build: {
      write: false,
      // Firefox ESR and browsers released since.
      target: ['chrome120', 'firefox128', 'safari17'],
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      modulePreload: false,
      license: false,
      rolldownOptions: {
        input: `${root}/report/main.tsx`,
        output: {
          format: 'cjs',
          entryFileNames: 'viewer.js',
          chunkFileNames: '[name].js',
          codeSplitting: { groups: PARTS },
        },
      },
    },
  })) as Rollup.RollupOutput;
  const chunks = output.output.filter((file) => file.type === 'chunk');
  const style = output.output.find((file) => file.fileName.endsWith('.css'));
  if (style?.type !== 'asset') throw new Error('the viewer has no style');
  const css = typeof style.source === 'string' ? style.source : new TextDecoder().decode(style.source);
  return { scripts: inParts(chunks).map(withinElement), style: withinElement(css) };
}

/** Parts of the viewer, each read, compiled and run in a separate task; the entry comes last. */
const PARTS = [
  { name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/, priority: 3 },
  { name: 'packages', test: /[\\/](?:node_modules|renderer[\\/]packages)[\\/]/, priority: 2 },
  { name: 'core', test: /[\\/]core[\\/]/, priority: 1 },
];

/** Runs one part per task, since a script of this size would block the page for more than 50 ms. */
const RUNNER = `{const ready = {}, names = Object.keys(flamebenchParts);
const run = () => {
  const name = names.shift();
  if (name === undefined) return;
  flamebenchParts[name]((ready[name] = {}), (other) => ready[other]);
  setTimeout(run);
};
setTimeout(run);}`;

/**
 * Returns a classic script for each part, after its imports, and one that runs them: browsers rest between the scripts
 * of a page, of which even reading one takes long. Parts are methods, which are compiled only when called.
 */
function inParts(chunks: readonly Rollup.OutputChunk[]): string[] {
  const order = new Set<Rollup.OutputChunk>();
  const add = (chunk: Rollup.OutputChunk): void => {
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name)!);
    order.add(chunk);
  };
  chunks.forEach(add);
  const methods = [...order].map(
    ({ fileName, code }) =>
      `Object.assign(flamebenchParts, {${JSON.stringify(`./${fileName}`)}(exports, require) {${code}\n}});`,
  );
  return ['const flamebenchParts = {};', ...methods, RUNNER];
}

/**
 * Escapes `</script`, `</style` and `<!--`, so that none ends its element; their meaning in strings and patterns, the
 * only places where they occur, is unchanged.
 */
const withinElement = (text: string): string =>
  text.replaceAll(/<\/(script|style)/gi, String.raw`<\/$1`).replaceAll('<!--', String.raw`<\!--`);

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
