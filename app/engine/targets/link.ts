import type { TargetState } from '#core/contract/target.ts';
import type { ConnectedTarget } from '#collectors/target/connection.ts';
import { EngineFailure, toEngineFailure } from '../failure.ts';
import { createTerminalBuffer, newestOf, type TerminalBuffer } from './terminal-log.ts';

/** A host with its one connection and what its terminal has shown. */
export interface Link {
  readonly target: ConnectedTarget;
  readonly state: TargetState;
  readonly terminal: TerminalBuffer;
  /** Rejects with an `EngineFailure` `not-connected`. */
  connect(): Promise<void>;
  /**
   * Connects for something that runs on the host, which may be asked again and again: not where the last attempt failed, for that would be
   * a login after the other, nor where the user closed the connection.
   */
  ensure(): Promise<void>;
  close(): Promise<void>;
  dispose(): Promise<void>;
}

export interface LinkListener {
  onState(state: TargetState): void;
  /** `end` as in {@link TerminalBuffer}. */
  onText(text: string, end: number): void;
}

/** Bursts of output become one message; short enough for what is typed to echo at once. */
const TEXT_MS = 30;

export function createLink(target: ConnectedTarget, listener: LinkListener): Link {
  const { connection } = target;
  const terminal = createTerminalBuffer();
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  function tellText(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting === '') return;
    const text = newestOf(waiting);
    waiting = '';
    listener.onText(text, terminal.end);
  }

  connection.terminal.onOutput((text) => {
    terminal.append(text);
    waiting += text;
    timer ??= setTimeout(tellText, TEXT_MS);
  });
  connection.onState((state) => {
    // A prompt stands before what says that it waits, and after what says that the one before was answered.
    if (state.kind === 'needs-you') tellText();
    listener.onState({ ...state });
    tellText();
  });

  async function connect(): Promise<void> {
    isClosed = false;
    try {
      await connection.connect();
    } catch (error) {
      throw toEngineFailure(error) ?? error;
    }
  }

  return {
    target,
    get state() {
      return { ...connection.state };
    },
    terminal,
    connect,
    async ensure() {
      const { kind, message, remedy } = connection.state;
      if (kind === 'failed')
        throw new EngineFailure('not-connected', message ?? `${target.host} is not connected`, remedy);
      if (isClosed) throw new EngineFailure('not-connected', `${target.host} was disconnected`, 'Connect it again.');
      if (kind !== 'up') await connect();
    },
    async close() {
      isClosed = true;
      await connection.close();
    },
    async dispose() {
      await target.dispose();
      await connection.close();
      tellText();
    },
  };
}
