import { createStore } from '../store.ts';
import type { Store } from '../store.ts';
import { createHostTextFilter } from './host-text.ts';

/** What a target's terminal has shown, filtered: for panes that come and go. */
export interface TerminalLog {
  /** Shows what is there, then what comes, until the returned function is called. Null: all before is no more; what follows begins anew. */
  readonly show: (write: (text: string | null) => void) => () => void;
  /** `dropped`: sequences of the host's that were not let through. */
  readonly facts: Store<{ readonly isEmpty: boolean; readonly dropped: number }>;
  /** The next piece, `end` units (UTF-16) after the start of all. A gap before it has everything read anew. */
  readonly receive: (text: string, end: number) => void;
  /** Reads everything anew: after the engine could not be heard. */
  readonly reload: () => void;
}

export type ReadTerminal = () => Promise<{ readonly text: string; readonly end: number }>;

/** Shown text that is kept for panes to come, in UTF-16 units: more than the terminal's own 2,000 lines of 100. */
const MAX_KEPT = 200_000;

export function createTerminalLog(read: ReadTerminal): TerminalLog {
  const facts = createStore({ isEmpty: true, dropped: 0 });
  const writers = new Set<(text: string | null) => void>();
  let filter = createHostTextFilter();
  let kept = '';
  /** Units received. Null until first read. */
  let known: number | null = null;
  let reading = false;
  let waiting: { text: string; end: number }[] = [];

  function append(raw: string): void {
    const text = filter.pass(raw);
    kept = trim(kept + text);
    facts.set({ isEmpty: kept === '', dropped: filter.dropped() });
    for (const write of writers) write(text);
  }

  function begin({ text, end }: { text: string; end: number }): void {
    filter = createHostTextFilter();
    kept = '';
    known = end;
    for (const write of writers) write(null);
    append(text);
  }

  async function readAll(): Promise<void> {
    if (reading) return;
    reading = true;
    try {
      begin(await read());
    } catch {
      // The engine is lost: its return has everything read anew.
      known = null;
    }
    reading = false;
    const pieces = waiting;
    waiting = [];
    if (known !== null) for (const { text, end } of pieces) receive(text, end);
  }

  function receive(text: string, end: number): void {
    if (reading || known === null) {
      waiting.push({ text, end });
      void readAll();
      return;
    }
    const start = end - text.length;
    if (start > known) {
      void readAll();
    } else if (end > known) {
      const fresh = text.slice(known - start);
      known = end;
      append(fresh);
    }
  }

  return {
    facts,
    receive,
    reload: () => {
      if (known !== null || writers.size > 0) void readAll();
    },
    show: (write) => {
      writers.add(write);
      if (known === null) void readAll();
      else write(kept);
      return () => {
        writers.delete(write);
      };
    },
  };
}

/** From the beginning of a line. */
function trim(text: string): string {
  if (text.length <= MAX_KEPT) return text;
  const rest = text.slice(-MAX_KEPT);
  return rest.slice(rest.indexOf('\n') + 1);
}
