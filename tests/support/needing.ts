import { describe, test } from 'vitest';
import { hasCorpus } from './corpus.ts';

/** Something that a system may lack and that no package brings: `name` says what, `present` whether it is here. */
export interface Need {
  readonly name: string;
  present(): boolean;
}

export const corpus: Need = { name: 'the corpus (../shared/corpus)', present: hasCorpus };

/**
 * Declares tests that need `need`. Where it is absent one test stands in for them, which says so by name: it fails where CI is set, and
 * passes elsewhere.
 */
export function needing(need: Need, declare: () => void): void {
  if (need.present()) {
    describe(`with ${need.name}`, declare);
    return;
  }
  test(`left out, for this is absent: ${need.name}`, () => {
    if (process.env['CI'] !== undefined && process.env['CI'] !== '')
      throw new Error(`${need.name} is absent, and CI is set`);
  });
}
