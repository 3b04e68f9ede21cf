import type { ThreadIndex } from '../../model/brand.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import { textOr } from '../text/json-value.ts';
import type { TraceEvent } from './event.ts';

export interface TraceThreads {
  /** By the ids as the trace says them. */
  thread(pid: string, tid: string): ThreadIndex;
}

/** The threads of a trace, by the names that its metadata events give. */
export function createTraceThreads(builder: ProfileBuilder, events: readonly TraceEvent[]): TraceThreads {
  const processes = new Map<string, string>();
  const threads = new Map<string, string>();
  for (const { phase, name, pid, tid, args } of events) {
    if (phase !== 'M') continue;
    if (name === 'process_name') processes.set(pid, textOr(args?.['name'], ''));
    else if (name === 'thread_name') threads.set(keyOf(pid, tid), textOr(args?.['name'], ''));
  }
  const known = new Map<string, ThreadIndex>();
  return {
    thread(pid, tid) {
      const key = keyOf(pid, tid);
      const found = known.get(key);
      if (found !== undefined) return found;
      const name = threads.get(key) || processes.get(pid) || (isId(tid) ? '' : tid);
      const made = builder.thread(isId(pid) ? Number(pid) : -1, isId(tid) ? Number(tid) : -1, name);
      known.set(key, made);
      return made;
    },
  };
}

const keyOf = (pid: string, tid: string): string => JSON.stringify([pid, tid]);

/** Fits the columns of ids. */
const isId = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31;
