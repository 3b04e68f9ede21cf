import type { Experiment } from '#core/contract/experiment.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';

/** A capture to be compared, before it is read. */
export interface DiffInput {
  /** What messages call it. */
  readonly name: string;
  /** `-`: stdin. */
  readonly path: string;
  /** Null: a file alone. */
  readonly document: CaptureDocument | null;
  /** Binaries of this machine may be read for it; see `Library.mayReadHere`. Absent: a file that the user named. */
  readonly mayReadHere?: boolean;
  /** As the experiment has them. */
  readonly requests: number | null;
}

export interface DiffInputs {
  readonly before: readonly DiffInput[];
  readonly after: readonly DiffInput[];
  /** Null: none was named. */
  readonly experiment: Experiment | null;
}

/** Finds what a word of the command line means. */
export interface InputFinder {
  /** Throws a usage error where there is no such thing. */
  input(word: string): Promise<DiffInput>;
  /** Null where the word names none. */
  experiment(word: string): Promise<DiffInputs | null>;
}
