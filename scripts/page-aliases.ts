import { createRequire } from 'node:module';
import path from 'node:path';
import type { Alias } from 'vite';

const root = path.resolve(import.meta.dirname, '..');

/** zod as the page's policy allows it. */
export const zodAliases: Alias[] = [
  { find: /^zod$/, replacement: `${root}/renderer/packages/zod.ts` },
  { find: /^zod\/mini$/, replacement: `${root}/renderer/packages/zod-mini.ts` },
];

/** Modules that stand for packages in everything that is built for the page. */
export const pageAliases: Alias[] = [
  ...zodAliases,
  { find: /^d3-(?:color|format|transition)$/, replacement: `${root}/renderer/packages/d3-unused.ts` },
  // Of Markdown's entities: its other flavour lets the document parse them, which a worker has not and trusted types forbid.
  {
    find: 'decode-named-character-reference',
    replacement: createRequire(import.meta.url).resolve('decode-named-character-reference'),
  },
];
