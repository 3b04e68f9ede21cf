import { createInterface } from 'node:readline/promises';
import { showPrompt } from './terminal.ts';

/** Asks on the terminal, yes being the default; the end of the input is no. */
export const askYes = async (question: string): Promise<boolean> =>
  /^(?:y(?:es)?)?$/i.test(await askLine(`${question} [Y/n] `));

/** Returns the line that is typed, trimmed; the end of the input is `n`. */
export async function askLine(prompt: string): Promise<string> {
  showPrompt(prompt);
  const input = createInterface({ input: process.stdin });
  try {
    // Ctrl-D ends the input without an answer.
    const answer = await Promise.race([
      new Promise<string>((resolve) => input.once('line', resolve)),
      new Promise<string>((resolve) => input.once('close', () => resolve('n'))),
    ]);
    return answer.trim();
  } finally {
    input.close();
  }
}
