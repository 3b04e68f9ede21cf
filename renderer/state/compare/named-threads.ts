import { compareText } from '#core/analyze/compare-text.ts';
import { threadKey } from '#core/analyze/view/called-threads.ts';
import type { ThreadRow } from '../../analysis/profile/protocol.ts';

/** A choice of a side's threads: all with one name, or one of several that share it. */
export interface NamedThreads {
  /** The key under which the choice is stored; see `threadKey`. */
  readonly key: string;
  readonly name: string;
  /** Null selects all threads of the name. */
  readonly tid: number | null;
  /** Number of threads in all captures. */
  readonly threads: number;
  readonly samples: number;
}

/**
 * Returns thread names with their samples in all captures of a side, most samples first. If a capture has several
 * threads of a name, they follow it by thread ID, which differs between runs.
 */
export function namedThreads(captures: readonly (readonly ThreadRow[])[]): readonly NamedThreads[] {
  const names = new Map<string, NamedThreads>();
  const several = new Set<string>();
  const single = new Map<string, Map<number, NamedThreads>>();
  for (const threads of captures) {
    const here = new Set<string>();
    for (const { name, tid, samples } of threads) {
      if (here.has(name)) several.add(name);
      here.add(name);
      names.set(name, joined({ key: name, name, tid: null, threads: 1, samples }, names.get(name)));
      if (tid < 0) continue;
      const ids = single.get(name) ?? new Map<number, NamedThreads>();
      single.set(name, ids);
      ids.set(tid, joined({ key: threadKey(name, tid), name, tid, threads: 1, samples }, ids.get(tid)));
    }
  }
  return byWeight(names.values()).flatMap((row) => [
    row,
    ...(several.has(row.name) ? byWeight(single.get(row.name)?.values() ?? []) : []),
  ]);
}

/** Returns the rows whose name contains the query or whose thread ID equals it. */
export function threadsFound(rows: readonly NamedThreads[], query: string): readonly NamedThreads[] {
  const sought = query.trim().toLowerCase();
  return rows.filter(({ name, tid }) => name.toLowerCase().includes(sought) || String(tid) === sought);
}

const joined = (one: NamedThreads, other: NamedThreads | undefined): NamedThreads =>
  other === undefined ? one : { ...one, threads: one.threads + other.threads, samples: one.samples + other.samples };

const byWeight = (rows: Iterable<NamedThreads>): readonly NamedThreads[] =>
  [...rows].sort((a, b) => b.samples - a.samples || compareText(a.name, b.name) || (a.tid ?? 0) - (b.tid ?? 0));
