import type { ProcessRow } from '#core/contract/schemas.ts';

/**
 * Returns the process most similar to one on another host, from a list sorted busiest first: by command line, else by
 * name. Null if there is none.
 */
export function alikeProcess(rows: readonly ProcessRow[], process: ProcessRow): ProcessRow | null {
  const named = rows.filter(({ name }) => name === process.name);
  return named.find(({ command }) => command === process.command) ?? named[0] ?? null;
}
