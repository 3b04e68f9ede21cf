import type { Experiment } from '#core/contract/experiment.ts';
import type { Note } from '#core/contract/notes.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';

/** A capture to compare, before it is read. */
export interface DiffInput {
  /** Name in messages. */
  readonly name: string;
  /** The path; `-` is stdin. */
  readonly path: string;
  /** Null for a file outside the library. */
  readonly document: CaptureDocument | null;
  /**
   * Whether this machine's binaries may be read for it; see `Library.mayReadHere`. Absent for a file that the user
   * named.
   */
  readonly mayReadHere?: boolean;
  /** Number of requests in the experiment. */
  readonly requests: number | null;
}

export interface DiffInputs {
  readonly before: readonly DiffInput[];
  readonly after: readonly DiffInput[];
  /** Null if none was named. */
  readonly experiment: Experiment | null;
  /** Reads the notes of the experiment; absent if none was named. */
  readonly notes?: () => Promise<readonly Note[]>;
}

/** Resolves words of the command line. */
export interface InputFinder {
  /** Returns one capture, or all captures of a load test. Throws a usage error if the word names nothing. */
  inputs(word: string): Promise<DiffInput[]>;
  /** Returns null if the word does not name an experiment. */
  experiment(word: string): Promise<DiffInputs | null>;
}
