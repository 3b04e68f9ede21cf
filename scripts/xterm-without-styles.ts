import type { Plugin } from 'vite';

/** What of xterm 6.0 the page's policy (`style-src 'self'`) refuses, each with how often it occurs and what does the same within the policy. */
const REPLACEMENTS: readonly { readonly found: RegExp; readonly times: number; readonly by: string }[] = [
  // Style elements: templates in their place do nothing; renderer/ui/terminal/adopted-styles.ts adopts what is written into them.
  { found: /createElement\("style"\)/g, times: 3, by: 'createElement("template")' },
  // The style attribute of single cells: the same by the CSSOM.
  {
    found: /(\w+)\.setAttribute\("style",`\$\{\1\.getAttribute\("style"\)\|\|""\}\$\{(\w+)\};`\)/g,
    times: 1,
    by: '$1.style.cssText+=$2',
  },
];

/** Has xterm do without inline styles, so that the policy stays as strict as it is. Another xterm than the one that was looked at fails the build. */
export function xtermWithoutStyles(): Plugin {
  return {
    name: 'flamebench-xterm-without-styles',
    transform(code, id) {
      if (id.split('?')[0]?.endsWith('/@xterm/xterm/lib/xterm.mjs') !== true) return null;
      let changed = code;
      for (const { found, times, by } of REPLACEMENTS) {
        const occurs = changed.match(found)?.length ?? 0;
        if (occurs !== times) this.error(`xterm has ${found.source} ${occurs} times, not ${times}: look at it anew`);
        changed = changed.replace(found, by);
      }
      return { code: changed, map: null };
    },
  };
}
