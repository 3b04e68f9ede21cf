import type { TargetState } from '#core/contract/target.ts';
import type { ConnectedTarget } from '#collectors/target/connection.ts';
import { EngineFailure, toEngineFailure } from '../failure.ts';
import { createTerminalBuffer, newestOf, type TerminalBuffer } from './terminal-log.ts';

/** A host with its single connection and its terminal's output. */
export interface Link {
  readonly target: ConnectedTarget;
  readonly state: TargetState;
  readonly terminal: TerminalBuffer;
  /** Rejects with an `EngineFailure` `not-connected`. */
  connect(): Promise<void>;
  /**
   * Connects for a task on the host, which may be retried often. Does not connect if the last attempt failed, which
   * would repeat the login, or if the user closed the connection.
   */
  ensure(): Promise<void>;
  close(): Promise<void>;
  dispose(): Promise<void>;
}

interface LinkListener {
  onState(state: TargetState): void;
  /** `end` is as in {@link TerminalBuffer}. */
  onText(text: string, end: number): void;
}

/** Time in ms for which output is combined into one message, short enough for typed text to echo immediately. */
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
    // Sends the text of a prompt before the state that it is waiting, and after the state that the previous one was
    // answered.
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
