import type { ThreadIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';

/** One thread of several with its name: `worker #102`. Without an id it can't be told: its name. */
export function threadKey(name: string, tid: number): string {
  return tid < 0 ? name : `${name} #${tid}`.trimStart();
}

/** Threads that are called so: by a name, which several may have, or by {@link threadKey}. In the order of the table. */
export function threadsCalled({ threads, strings }: Profile, wanted: Iterable<string>): ThreadIndex[] {
  const names = new Set(wanted);
  const isCalled = (row: number): boolean => {
    const name = strings[threads.name[row]!]!;
    return names.has(name) || names.has(threadKey(name, threads.tid[row]!));
  };
  return Array.from({ length: threads.length }, (_, row) => row as ThreadIndex).filter(isCalled);
}
