import type { Plugin } from 'vite';

const FOUND = '(_a.__zod_globalConfig = {})';

/**
 * Has zod do without `new Function` from its first schema on: the page's policy forbids it and reports every probe. It is set in zod's own
 * module, since which script of the build runs first is the bundler's to choose. Another zod than the one that was looked at fails the build.
 */
export function zodWithoutEval(): Plugin {
  return {
    name: 'flamebench-zod-without-eval',
    transform(code, id) {
      if (id.split('?')[0]?.endsWith('/zod/v4/core/core.js') !== true) return null;
      if (!code.includes(FOUND)) this.error(`zod has no ${FOUND}: look at it anew`);
      return { code: code.replace(FOUND, '(_a.__zod_globalConfig = { jitless: true })'), map: null };
    },
  };
}
