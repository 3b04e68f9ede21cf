import type { Plugin } from 'vite';

const CONFIG = '(_a.__zod_globalConfig = {})';
const EXPORT = /^export (?:async )?(?:function|const) (\w+)/gm;

/**
 * Keeps zod from using `new Function` from its first schema on, because the page's policy forbids it and reports every
 * attempt. It is set in zod's own module, since the bundler decides which script runs first. Also removes the 6 kB that
 * convert schemas to JSON Schema, to which every schema refers but which the page never calls. Fails the build if an
 * update of zod changes either.
 */
export function zodForThePage(): Plugin {
  return {
    name: 'flamebench-zod-for-the-page',
    transform(code, id) {
      const file = /\/zod\/v4\/core\/(.+)\.js$/.exec(id.split('?')[0] ?? '')?.[1];
      if (file === 'core') {
        if (!code.includes(CONFIG)) this.error(`zod has no ${CONFIG}: adapt zod-for-the-page.ts to its new version`);
        return { code: code.replace(CONFIG, '(_a.__zod_globalConfig = { jitless: true })'), map: null };
      }
      if (file !== 'json-schema-processors' && file !== 'to-json-schema') return null;
      const names = Array.from(code.matchAll(EXPORT), ([, name]) => name);
      if (names.length === 0) this.error(`zod's ${file} exports nothing: adapt zod-for-the-page.ts to its new version`);
      const stub = "() => { throw new Error('The page has no JSON Schema.'); }";
      return { code: names.map((name) => `export const ${name} = ${stub};`).join('\n'), map: null };
    },
  };
}
