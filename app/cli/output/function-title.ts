import { shortenMiddle } from '#core/analyze/function-label.ts';
import { escapeControls } from './escape-controls.ts';

/** Names get at least this many columns, however narrow the terminal. */
const MIN_NAME_WIDTH = 20;

/** `name [module]`, the module without its folders, at most `width` columns. */
export function functionTitle({ name, module }: { name: string; module: string }, width: number): string {
  const base = module.slice(module.lastIndexOf('/') + 1);
  const suffix = base === '' ? '' : ` [${base.replace(/^\[|\]$/g, '')}]`;
  const full = escapeControls(name === '' ? '(no name)' : name);
  const shownSuffix = escapeControls(suffix);
  const room = Math.max(MIN_NAME_WIDTH, width);
  if (full.length + shownSuffix.length <= room) return full + shownSuffix;
  return shortenMiddle(full, Math.max(MIN_NAME_WIDTH, room - shownSuffix.length)) + shownSuffix;
}
