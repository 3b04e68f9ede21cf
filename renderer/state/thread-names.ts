import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { ThreadRow } from '../analysis/profile/protocol.ts';

/** Returns the thread's name on one line, or its ID if it has none. */
export function threadName(thread: Pick<ThreadRow, 'name' | 'tid'>): string {
  const name = shortenMiddle(visibleText(thread.name.slice(0, 1000)), 60);
  return name === '' ? `thread ${thread.tid}` : name;
}

/** Returns `TID`, or `PID/TID` if they differ. */
export function threadIds({ pid, tid }: Pick<ThreadRow, 'pid' | 'tid'>): string {
  if (tid < 0) return pid < 0 ? '' : String(pid);
  return pid < 0 || pid === tid ? String(tid) : `${pid}/${tid}`;
}

/** Returns the thread's name, with its IDs if others share the name. */
export function threadLabel(threads: readonly ThreadRow[], row: number): string {
  const thread = threads[row]!;
  const isShared = threads.some((other, index) => index !== row && other.name === thread.name);
  return isShared ? `${threadName(thread)} ${threadIds(thread)}`.trimEnd() : threadName(thread);
}
