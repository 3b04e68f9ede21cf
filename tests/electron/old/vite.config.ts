import path from 'node:path';
import { mergeConfig, type Plugin, type PluginOption, type UserConfig } from 'vite';
import product from '../../../vite.config.ts';

/** The page for Electron 9, with lowered syntax and polyfills; what it loads has no limit, since no user gets it. */

const POLYFILLS = path.join(import.meta.dirname, 'polyfills.ts');

/** Loads the polyfills before the entry of the page and of each worker. */
const polyfills: Plugin = {
  name: 'polyfills-for-old-electron',
  transform(code, id) {
    const isEntry = /renderer\/(?:main\.tsx|analysis\/(?:analysis|regex)-worker\.ts)$/.test(id.split('?')[0] ?? '');
    return isEntry ? { code: `import ${JSON.stringify(POLYFILLS)};\n${code}`, map: null } : null;
  },
};

const withoutLimits = (plugins: readonly PluginOption[]): PluginOption[] =>
  plugins.filter(
    (plugin) => !(plugin instanceof Object && 'name' in plugin && plugin.name === 'flamebench-load-limit'),
  );

const { plugins = [], worker, ...rest } = product;

export default mergeConfig(rest, {
  plugins: [...withoutLimits(plugins), polyfills],
  worker: { ...worker, plugins: () => [...withoutLimits(worker?.plugins?.() ?? []), polyfills] },
  build: { outDir: '../dist/old-electron-page', target: 'chrome83', cssTarget: 'chrome83' },
} satisfies UserConfig);
