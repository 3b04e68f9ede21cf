import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { xtermWithoutStyles } from './scripts/xterm-without-styles.ts';

/** `chrome83`: the flavour for the old Electron that the smoke test drives (lowered syntax, polyfills). */
const oldChrome = process.env['FLAMEBENCH_TARGET'] === 'chrome83';

/** Gzipped bytes of all scripts and styles together: what a first start loads over loopback or `ssh -L`. Tests alone load the old flavour. */
const BUNDLE_LIMIT = 620_000;

function bundleLimit(): Plugin {
  return {
    name: 'flamebench-bundle-limit',
    generateBundle(_options, bundle) {
      let bytes = 0;
      for (const file of Object.values(bundle)) {
        bytes += gzipSync(file.type === 'chunk' ? file.code : file.source).length;
      }
      if (bytes > BUNDLE_LIMIT && !oldChrome)
        this.error(`the renderer is ${bytes} bytes gzipped, over the limit of ${BUNDLE_LIMIT}`);
      else this.info(`the renderer is ${bytes} bytes gzipped (limit ${BUNDLE_LIMIT})`);
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
  plugins: [react(), xtermWithoutStyles(), bundleLimit(), ...flavourPlugins],
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
