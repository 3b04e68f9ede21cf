import type { Target } from './target.ts';

/**
 * - `idle`: not connected, nothing tried or closed by {@link TargetConnection.close}.
 * - `connecting`: ssh is on its way; nobody has to do anything.
 * - `needs-you`: a prompt waits (host key, password, one-time code, sudo). Only now does what is typed reach it.
 * - `up`: channels can be opened.
 * - `lost`: it was up and is gone (link, server or sleep). {@link TargetConnection.connect} tries anew.
 * - `failed`: it never came up.
 */
export type ConnectionStateKind = 'idle' | 'connecting' | 'needs-you' | 'up' | 'lost' | 'failed';

export interface ConnectionState {
  readonly kind: ConnectionStateKind;
  /** One line: what asks, or what went wrong; null where the kind says it all. Text of the host's is cleaned of control characters. */
  readonly message: string | null;
  /** One line: what to do about it; null where nothing is to be done. */
  readonly remedy: string | null;
}

/** What the ssh client and elevated commands show and ask: a terminal, whose text is the host's and not to be trusted. */
export interface ConnectionTerminal {
  /** Text as it comes, escape sequences included. Returns the end of listening. */
  onOutput(listener: (text: string) => void): () => void;
  /** Reaches the prompt that waits; dropped, and false, unless the state is `needs-you`. Never kept or logged. */
  write(text: string): boolean;
  resize(columns: number, rows: number): void;
}

/** One authenticated connection to a host, shared by everything that runs there. */
export interface TargetConnection {
  readonly state: ConnectionState;
  /** Calls at each change, not at once. Returns the end of listening. */
  onState(listener: (state: ConnectionState) => void): () => void;
  readonly terminal: ConnectionTerminal;
  /** The exact call of the ssh client that {@link connect} makes, for display and confirmation. */
  readonly argv: readonly string[];
  /** Resolves when up; rejects with a {@link ConnectionFailure} where it fails or is closed. Joins an attempt under way. */
  connect(): Promise<void>;
  /** Ends the connection with all that runs over it. Idempotent. */
  close(): Promise<void>;
}

/** A target that is reached over a connection. `run` and the rest connect where that hasn't happened. */
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
