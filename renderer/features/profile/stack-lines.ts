import type { PathEntry } from '#core/analyze/graph/flame-slice.ts';

/** The stack as text, in the order given, one function per line. */
export function stackLines(path: readonly PathEntry[]): string {
  return path.flatMap((entry) => entry.facts?.name ?? []).join('\n');
}
