import type { ProcessRow } from '#core/contract/schemas.ts';

/** The process of a list, busiest first, that is most like another host's: by command line, else by name. Null: none is. */
export function alikeProcess(rows: readonly ProcessRow[], process: ProcessRow): ProcessRow | null {
  const named = rows.filter(({ name }) => name === process.name);
  return named.find(({ command }) => command === process.command) ?? named[0] ?? null;
}
