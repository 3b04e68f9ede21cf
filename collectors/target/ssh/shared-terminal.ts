import type { ConnectionTerminal } from '../connection.ts';
import { PromptReader } from './prompt.ts';
import type { Pty } from './pty.ts';

/** Milliseconds after which an unfinished line counts as a prompt, because output may arrive in parts. */
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

/**
 * The terminal of a connection: shows the output of ssh and of elevated commands, and passes answers to the program
 * that prompts.
 */
export class SharedTerminal implements ConnectionTerminal {
  size = { columns: 100, rows: 24 };
  readonly #sources = new Set<Source>();
  readonly #listeners = new Set<(text: string) => void>();
  readonly #onPrompt: () => void;

  /** `onPrompt` is called whenever {@link prompt} may have changed, and with all output. */
  constructor(onPrompt: () => void) {
    this.#onPrompt = onPrompt;
  }

  /** The waiting prompt; null if there is none. */
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
      // The prompt has been answered; another one is a new prompt.
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

  /** Keeps the prompt unchanged while the answer is echoed after it. */
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
