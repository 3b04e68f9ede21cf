import { createInterface } from 'node:readline/promises';
import { showPrompt } from './terminal.ts';

/** Asks on the terminal, yes being the default; the end of the input is no. */
export async function askYes(question: string): Promise<boolean> {
  showPrompt(`${question} [Y/n] `);
  const input = createInterface({ input: process.stdin });
  try {
    // Ctrl-D ends the input without an answer.
    const answer = await Promise.race([
      new Promise<string>((resolve) => input.once('line', resolve)),
      new Promise<string>((resolve) => input.once('close', () => resolve('n'))),
    ]);
    return /^\s*(?:y(?:es)?)?\s*$/i.test(answer);
  } finally {
    input.close();
  }
}
