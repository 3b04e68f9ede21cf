import type { Plugin } from 'vite';

/**
 * Parts of xterm 6.0 that the page's policy (`style-src 'self'`) refuses, each with its number of occurrences and an
 * equivalent that the policy allows.
 */
const REPLACEMENTS: readonly { readonly found: RegExp; readonly times: number; readonly by: string }[] = [
  // Style elements become templates, which have no effect; renderer/ui/terminal/terminal-view.ts adopts their content.
  { found: /createElement\("style"\)/g, times: 3, by: 'createElement("template")' },
  // The style attribute of single cells is set through the CSSOM.
  {
    found: /(\w+)\.setAttribute\("style",`\$\{\1\.getAttribute\("style"\)\|\|""\}\$\{(\w+)\};`\)/g,
    times: 1,
    by: '$1.style.cssText+=$2',
  },
];

/**
 * Replaces xterm's inline styles, so that the policy can stay strict. Another version of xterm than the one inspected
 * fails the build.
 */
export function xtermWithoutStyles(): Plugin {
  return {
    name: 'flamebench-xterm-without-styles',
    transform(code, id) {
      if (id.split('?')[0]?.endsWith('/@xterm/xterm/lib/xterm.mjs') !== true) return null;
      let changed = code;
      for (const { found, times, by } of REPLACEMENTS) {
        const occurs = changed.match(found)?.length ?? 0;
        if (occurs !== times)
          this.error(`xterm has ${found.source} ${occurs} times, not ${times}: review scripts/xterm-without-styles.ts`);
        changed = changed.replace(found, by);
      }
      return { code: changed, map: null };
    },
  };
}
