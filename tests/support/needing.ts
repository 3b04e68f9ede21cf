import { describe, test } from 'vitest';
import { hasCorpus } from './corpus.ts';

/** Something that a system may lack and no package provides; `present` returns whether it is there. */
export interface Need {
  readonly name: string;
  present(): boolean;
}

export const corpus: Need = { name: 'the corpus (../shared/corpus)', present: hasCorpus };

/**
 * Declares tests that need `need`. If it is absent, a single test whose name says so takes their place. That test fails
 * under CI and passes elsewhere.
 */
export function needing(need: Need, declare: () => void): void {
  if (need.present()) {
    describe(`with ${need.name}`, declare);
    return;
  }
  test(`left out because of a missing prerequisite: ${need.name}`, () => {
    if (process.env['CI'] !== undefined && process.env['CI'] !== '')
      throw new Error(`${need.name} is absent, and CI is set`);
  });
}
