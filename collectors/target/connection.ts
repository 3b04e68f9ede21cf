import type { Target } from './target.ts';

/**
 * - `idle`: not connected; nothing was tried, or {@link TargetConnection.close} closed it.
 * - `connecting`: ssh is connecting; nobody has to do anything.
 * - `needs-you`: a prompt waits (host key, password, one-time code, sudo). Only in this state does input reach it.
 * - `up`: channels can be opened.
 * - `lost`: it was up and is gone (link, server or sleep). {@link TargetConnection.connect} tries again.
 * - `failed`: it never came up.
 */
export type ConnectionStateKind = 'idle' | 'connecting' | 'needs-you' | 'up' | 'lost' | 'failed';

export interface ConnectionState {
  readonly kind: ConnectionStateKind;
  /**
   * One line: the prompt, the failure, or while up what hampers work there (a slow login shell, one session); null if
   * the kind says everything. Control characters are removed from the
   * host's text.
   */
  readonly message: string | null;
  /** One line: the remedy; null if there is nothing to do. */
  readonly remedy: string | null;
}

/**
 * A terminal with the output and prompts of the ssh client and of elevated commands. Its text comes from the host and
 * is untrusted.
 */
export interface ConnectionTerminal {
  /** Passes on text as it arrives, including escape sequences. Returns a function that stops listening. */
  onOutput(listener: (text: string) => void): () => void;
  /**
   * Sends text to the waiting prompt; drops it and returns false unless the state is `needs-you`. Never stored or
   * logged.
   */
  write(text: string): boolean;
  resize(columns: number, rows: number): void;
}

/** One authenticated connection to a host, shared by everything that runs there. */
export interface TargetConnection {
  readonly state: ConnectionState;
  /** Calls the listener at each change, but not immediately. Returns a function that stops listening. */
  onState(listener: (state: ConnectionState) => void): () => void;
  readonly terminal: ConnectionTerminal;
  /** The exact command of the ssh client that {@link connect} runs, for display and confirmation. */
  readonly argv: readonly string[];
  /**
   * Resolves when up; rejects with a {@link ConnectionFailure} if it fails or is closed. Joins an attempt in progress.
   */
  connect(): Promise<void>;
  /** Closes the connection and everything that runs over it. Idempotent. */
  close(): Promise<void>;
}

/** A target that is reached over a connection. `run` and the other methods connect if necessary. */
export interface ConnectedTarget extends Target {
  readonly connection: TargetConnection;
}

export class ConnectionFailure extends Error {
  readonly remedy: string | null;
  constructor(message: string, remedy: string | null) {
    super(message);
    this.name = 'ConnectionFailure';
    this.remedy = remedy;
  }
}
