import type { ConnectionTerminal } from '../connection.ts';
import { PromptReader } from './prompt.ts';
import type { Pty } from './pty.ts';

/** How long a line without an end must stand before it counts as a question: output may come in parts. */
const SETTLE_MS = 120;

/** One program of {@link SharedTerminal}. */
export interface AttachedPty {
  readonly output: PromptReader;
  detach(): void;
}

interface Source {
  readonly pty: Pty;
  readonly output: PromptReader;
  prompt: string | null;
  timer: NodeJS.Timeout | undefined;
}

/** The terminal of a connection: what ssh itself and elevated commands write, and answers to the one that asks. */
export class SharedTerminal implements ConnectionTerminal {
  size = { columns: 100, rows: 24 };
  readonly #sources = new Set<Source>();
  readonly #listeners = new Set<(text: string) => void>();
  readonly #onPrompt: () => void;

  /** `onPrompt` is called where {@link prompt} may have changed, and with all output. */
  constructor(onPrompt: () => void) {
    this.#onPrompt = onPrompt;
  }

  /** The question that waits; null where none does. */
  get prompt(): string | null {
    return this.#asking?.prompt ?? null;
  }

  get #asking(): Source | undefined {
    return [...this.#sources].find(({ prompt }) => prompt !== null);
  }

  onOutput(listener: (text: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  write(text: string): boolean {
    const asking = this.#asking;
    asking?.pty.write(text);
    return asking !== undefined;
  }

  resize(columns: number, rows: number): void {
    this.size = { columns, rows };
    for (const { pty } of this.#sources) pty.resize(columns, rows);
  }

  attach(pty: Pty): AttachedPty {
    const source: Source = { pty, output: new PromptReader(), prompt: null, timer: undefined };
    this.#sources.add(source);
    pty.onData((text) => {
      if (!this.#sources.has(source)) return;
      source.output.feed(text);
      for (const listener of this.#listeners) listener(text);
      // What was asked has been answered; a new question is one of its own.
      if (text.includes('\n')) source.prompt = null;
      this.#settle(source);
    });
    return {
      output: source.output,
      detach: () => {
        clearTimeout(source.timer);
        this.#sources.delete(source);
        this.#onPrompt();
      },
    };
  }

  /** A question stays as it was asked while the answer is echoed behind it. */
  #settle(source: Source): void {
    const { prompt } = source.output;
    clearTimeout(source.timer);
    if (prompt === null) source.prompt = null;
    else if (source.prompt === null) {
      source.timer = setTimeout(() => {
        source.prompt = source.output.prompt;
        this.#onPrompt();
      }, SETTLE_MS);
    }
    this.#onPrompt();
  }
}
