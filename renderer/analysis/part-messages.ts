import type { ImportPart } from '#core/import/importer.ts';
import type { OpenSource } from './protocol.ts';

/** What the worker that reads a part of a profile's source is given, once. */
export interface PartJob {
  readonly source: OpenSource;
  readonly importer: string;
  readonly start: number;
  readonly end: number;
}

/** What it answers: its progress, then, as the last, what it made of the part. */
export type PartMessage = { readonly readBytes: number } | { readonly part: ImportPart | null };
