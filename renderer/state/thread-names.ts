import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { ThreadRow } from '../analysis/profile/protocol.ts';

/** Its name on one line; without one, its id. */
export function threadName(thread: Pick<ThreadRow, 'name' | 'tid'>): string {
  const name = shortenMiddle(visibleText(thread.name.slice(0, 1000)), 60);
  return name === '' ? `thread ${thread.tid}` : name;
}

/** `TID`, or `PID/TID` where they differ. */
export function threadIds({ pid, tid }: Pick<ThreadRow, 'pid' | 'tid'>): string {
  if (tid < 0) return pid < 0 ? '' : String(pid);
  return pid < 0 || pid === tid ? String(tid) : `${pid}/${tid}`;
}

/** A thread as one text: its name, and its ids where others are called so too. */
export function threadLabel(threads: readonly ThreadRow[], row: number): string {
  const thread = threads[row]!;
  const isShared = threads.some((other, index) => index !== row && other.name === thread.name);
  return isShared ? `${threadName(thread)} ${threadIds(thread)}`.trimEnd() : threadName(thread);
}
