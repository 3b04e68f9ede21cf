import type { TargetState } from '#core/contract/target.ts';
import type { ConnectedTarget } from '#collectors/target/connection.ts';
import { EngineFailure, toEngineFailure } from '../failure.ts';
import { createTerminal, type Terminal } from './terminal-log.ts';

/** A host with its single connection and its terminal's output. */
export interface Link {
  readonly target: ConnectedTarget;
  readonly state: TargetState;
  readonly terminal: Terminal;
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
  /** `end` is as in {@link Terminal}. */
  onText(text: string, end: number): void;
}

export function createLink(target: ConnectedTarget, listener: LinkListener): Link {
  const { connection } = target;
  const terminal = createTerminal((text, end) => listener.onText(text, end));
  let isClosed = false;

  connection.terminal.onOutput(terminal.print);
  connection.onState((state) => {
    // Sends the text of a prompt before the state that it is waiting, and after the state that the previous one was
    // answered.
    if (state.kind === 'needs-you') terminal.flush();
    listener.onState({ ...state });
    terminal.flush();
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
      terminal.flush();
    },
  };
}
