import { fail } from './output/terminal.ts';

/** The words that an action was done for, by what it returned. */
export interface DoneWords {
  readonly done: readonly string[];
  /** Throws the first failure; the others are printed as warnings. */
  throwFirst(): void;
}

/** Does an action for each word, one after another; continues after failures. */
export async function forEachWord(
  words: readonly string[],
  action: (word: string) => Promise<string>,
): Promise<DoneWords> {
  const done: string[] = [];
  const failures: Error[] = [];
  for (const word of words) {
    try {
      done.push(await action(word));
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return {
    done,
    throwFirst() {
      const [first, ...others] = failures;
      for (const error of others) fail(error.message);
      if (first !== undefined) throw first;
    },
  };
}
