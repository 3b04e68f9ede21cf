import type { ThreadIndex } from '#core/model/brand.ts';
import type { ProfileView } from '../../state/profile/view.ts';
import type { Parts } from '../../ui/parts.tsx';
import type { ThreadRow } from '../../analysis/profile/protocol.ts';
import { ALL_THREADS, visibleThreads } from './thread-picker.tsx';
import type { Command } from '../../state/command.ts';

/** Ways from thread to thread, in the order of the picker; none where there is one thread only. */
export function threadCommands(parts: Parts, { profile, store, select }: ProfileView): readonly Command[] {
  const { threads } = profile;
  if (threads.length < 2) return [];
  const step = (by: 1 | -1) => (): void => {
    select({ threads: threadBeside(threads, store.get().selection.threads, by) });
  };
  return [
    { id: 'thread.next', name: 'Next thread', run: step(1) },
    { id: 'thread.previous', name: 'Previous thread', run: step(-1) },
    { id: 'thread.choose', name: 'Choose threads…', run: () => parts.run('threads') },
  ];
}

/** The thread after (or before) the chosen one, that with the most samples first; null, all of them, stands before it and after the last. */
export function threadBeside(
  threads: readonly ThreadRow[],
  chosen: readonly ThreadIndex[] | null,
  by: 1 | -1,
): readonly ThreadIndex[] | null {
  const ring = visibleThreads(threads, '');
  const at = chosen === null ? 0 : ring.indexOf(chosen[0]!);
  const next = ring[(at + by + ring.length) % ring.length]!;
  return next === ALL_THREADS ? null : [next as ThreadIndex];
}
