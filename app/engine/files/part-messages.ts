import type { ImportPart } from '#core/import/importer.ts';

/** What the thread that reads a part of a file is given. */
export interface PartJob {
  readonly path: string;
  readonly importer: string;
  readonly start: number;
  readonly end: number;
  /** The compile cache of the thread that asks; null where there is none. */
  readonly compileCache: string | null;
}

/** What it answers: its progress, then, as the last, what it made of the part. */
export type PartMessage = { readonly readBytes: number } | { readonly part: ImportPart | null };
