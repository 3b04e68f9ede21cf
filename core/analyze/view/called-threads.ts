import type { ThreadIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';

/**
 * Returns a thread's name with its id, such as `worker #102`, to distinguish threads of the same name; only the name
 * if it has no id.
 */
export function threadKey(name: string, tid: number): string {
  return tid < 0 ? name : `${name} #${tid}`.trimStart();
}

/**
 * Returns the threads whose name (which several may share) or {@link threadKey} is in `wanted`, in the table's order.
 */
export function threadsCalled({ threads, strings }: Profile, wanted: Iterable<string>): ThreadIndex[] {
  const names = new Set(wanted);
  const isCalled = (row: number): boolean => {
    const name = strings[threads.name[row]!]!;
    return names.has(name) || names.has(threadKey(name, threads.tid[row]!));
  };
  return Array.from({ length: threads.length }, (_, row) => row as ThreadIndex).filter(isCalled);
}
