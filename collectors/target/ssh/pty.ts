import type * as NodePty from 'node-pty';
import { ConnectionFailure } from '../connection.ts';

/** A program in a terminal of its own. */
export interface Pty {
  readonly pid: number;
  onData(listener: (text: string) => void): void;
  /** Calls the listener after the last output. */
  onExit(listener: (code: number) => void): void;
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** Hangs up the terminal. */
  kill(): void;
}

/**
 * Rejects with a {@link ConnectionFailure} if node-pty, an optional dependency, is missing, or the program can't start.
 */
export async function startPty(argv: readonly string[], size: { columns: number; rows: number }): Promise<Pty> {
  const { spawn } = await loadNodePty();
  const [program = '', ...rest] = argv;
  const start = (): Pty => {
    const pty = spawn(program, rest, {
      name: 'xterm-256color',
      cols: size.columns,
      rows: size.rows,
      // Prompts appear here instead of in a desktop window.
      env: { ...process.env, SSH_ASKPASS_REQUIRE: 'never' },
    });
    return {
      pid: pty.pid,
      onData: (listener) => void pty.onData(listener),
      onExit: (listener) => void pty.onExit(({ exitCode }) => listener(exitCode)),
      write: (text) => pty.write(text),
      resize: (columns, rows) => pty.resize(columns, rows),
      kill: () => pty.kill('SIGHUP'),
    };
  };
  try {
    return start();
  } catch {
    throw new ConnectionFailure(
      'could not open a terminal for ssh',
      'Check whether the terminal limit is reached: sysctl kernel.pty',
    );
  }
}

async function loadNodePty(): Promise<typeof NodePty> {
  try {
    return await import('node-pty');
  } catch {
    throw new ConnectionFailure(
      'node-pty, which ssh prompts need, is not installed',
      'Install python3, make and a C++ compiler, then run npm rebuild node-pty',
    );
  }
}
