import { createStore, type Store } from '../store.ts';
import { createHostTextFilter } from './host-text.ts';

/** The filtered output of a target's terminal, which outlives the panes that show it. */
export interface TerminalLog {
  /** Writes the existing output, then new output, until the returned function is called. Null clears the pane. */
  readonly show: (write: (text: string | null) => void) => () => void;
  /** `dropped` is the number of the host's sequences that were dropped. */
  readonly facts: Store<{ readonly isEmpty: boolean; readonly dropped: number }>;
  /**
   * Receives the next piece; `end` is its end in UTF-16 units from the start of the output. A gap causes all output to
   * be read again.
   */
  readonly receive: (text: string, end: number) => void;
  /** Reads all output again, after the engine was unreachable. */
  readonly reload: () => void;
}

type ReadTerminal = () => Promise<{ readonly text: string; readonly end: number }>;

/** Output kept for later panes, in UTF-16 units; more than the terminal's own 2,000 lines of 100 characters. */
const MAX_KEPT = 200_000;

export function createTerminalLog(read: ReadTerminal): TerminalLog {
  const facts = createStore({ isEmpty: true, dropped: 0 });
  const writers = new Set<(text: string | null) => void>();
  let filter = createHostTextFilter();
  let kept = '';
  /** Number of units received; null before the first read. */
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
      // The engine is lost; all output is read again when it returns.
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
      return () => writers.delete(write);
    },
  };
}

/** Trims the output at the start of a line. */
function trim(text: string): string {
  if (text.length <= MAX_KEPT) return text;
  const rest = text.slice(-MAX_KEPT);
  return rest.slice(rest.indexOf('\n') + 1);
}
