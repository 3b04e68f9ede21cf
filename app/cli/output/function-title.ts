import { shortenName } from '#core/analyze/short-name.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';

/** Minimum width of names in columns, however narrow the terminal. */
const MIN_NAME_WIDTH = 16;

/**
 * Returns `name [module]` in at most `width` columns, with the module's name without its folders; the name alone if the
 * module would leave it less than {@link MIN_NAME_WIDTH}.
 */
export function functionTitle({ name, module }: { name: string; module: string }, width: number): string {
  const base = module.slice(module.lastIndexOf('/') + 1);
  const suffix = base === '' ? '' : ` [${base.replace(/^\[|\]$/g, '')}]`;
  const full = escapeControls(name === '' ? '(no name)' : name);
  const shownSuffix = escapeControls(suffix);
  const room = Math.max(MIN_NAME_WIDTH, width);
  if (full.length + shownSuffix.length <= room) return full + shownSuffix;
  const beside = room - shownSuffix.length;
  return beside < MIN_NAME_WIDTH ? shortenName(full, room) : shortenName(full, beside) + shownSuffix;
}
