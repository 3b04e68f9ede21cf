import type { ThreadIndex } from '#core/model/brand.ts';
import { copyText } from '../ui/copy-text.ts';
import type { MenuGroups, MenuItem } from '../ui/menu/menu.tsx';
import type { ProfileView } from './profile/view.ts';
import type { ThreadRow } from '../analysis/profile/protocol.ts';
import { threadIds, threadName } from './thread-names.ts';

type Chosen = readonly ThreadIndex[] | null;

/** Returns the choice without a thread. Null means all threads, which is also the result if none would be left. */
export function withoutThread(threads: readonly ThreadRow[], chosen: Chosen, thread: ThreadIndex): Chosen {
  return threadsThat(threads, (row) => row !== thread && (chosen?.includes(row) ?? true));
}

/** Adds a thread or a name to a choice, or takes it out; null, for all, if none would be left. */
export function toggledChoice<T>(chosen: readonly T[] | null, one: T): readonly T[] | null {
  const next = chosen?.includes(one) === true ? chosen.filter((other) => other !== one) : [...(chosen ?? []), one];
  return next.length === 0 ? null : next;
}

/** Returns the threads that are not selected. */
export function otherThreads(threads: readonly ThreadRow[], chosen: readonly ThreadIndex[]): Chosen {
  const before = new Set(chosen);
  return threadsThat(threads, (row) => !before.has(row));
}

/** Returns the threads that match; null if all or none do. */
function threadsThat(threads: readonly ThreadRow[], fits: (row: ThreadIndex, thread: ThreadRow) => boolean): Chosen {
  const found = threads.flatMap((thread, row) => (fits(row as ThreadIndex, thread) ? [row as ThreadIndex] : []));
  return found.length === 0 || found.length === threads.length ? null : found;
}

/** Returns the menu of a thread: which threads to select with it, or without it. */
export function threadMenu({ profile, store, select }: ProfileView, thread: ThreadIndex): MenuGroups {
  const { threads } = profile;
  const { name, pid } = threads[thread]!;
  const chosen = store.get().selection.threads;
  const choose = (label: string, next: Chosen): MenuItem => ({ label, run: () => select({ threads: next }) });
  /** Offers a selection only if it differs from the thread alone and from all threads. */
  const those = (label: string, next: Chosen): MenuItem[] =>
    next === null || next.length < 2 ? [] : [choose(label, next)];
  const without = withoutThread(threads, chosen, thread);
  return [
    [
      choose('Only this thread', [thread]),
      ...(without === null ? [] : [choose(chosen === null ? 'All but this thread' : 'Without this thread', without)]),
      ...those(
        `All called ${threadName(threads[thread]!)}`,
        threadsThat(threads, (_, other) => other.name === name),
      ),
      ...(pid < 0
        ? []
        : those(
            `All of process ${pid}`,
            threadsThat(threads, (_, other) => other.pid === pid),
          )),
    ],
    chosen === null ? [] : [...others(threads, chosen, choose), choose('All threads', null)],
    [{ label: 'Copy name and ids', run: () => void copyText(`${name} ${threadIds(threads[thread]!)}`.trim()) }],
  ];
}

function others(
  threads: readonly ThreadRow[],
  chosen: readonly ThreadIndex[],
  choose: (label: string, next: Chosen) => MenuItem,
): MenuItem[] {
  const next = otherThreads(threads, chosen);
  return next === null ? [] : [choose('Invert selection', next)];
}
