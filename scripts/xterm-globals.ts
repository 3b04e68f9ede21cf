import path from 'node:path';
import type { Plugin } from 'vite';

const file = path.resolve(import.meta.dirname, '../renderer/ui/terminal/xterm-globals.ts');

/** Has xterm import its globals from renderer/ui/terminal/xterm-globals.ts, whose elements keep to the page's policy. */
export const xtermGlobals = (): Plugin => ({
  name: 'flamebench-xterm-globals',
  transform: {
    filter: { id: /\/@xterm\/xterm\/lib\/xterm\.mjs$/ },
    handler: (code) => ({ code: `import { document, window } from ${JSON.stringify(file)};\n${code}`, map: null }),
  },
});
