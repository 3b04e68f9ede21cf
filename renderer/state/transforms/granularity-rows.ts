import type { Granularity } from '#core/analyze/reading/granularity.ts';

/** A choice of what a frame represents. */
interface GranularityRow {
  /** Null for functions as recorded. */
  readonly rows: Granularity | null;
  readonly name: string;
  /** A description in one sentence. */
  readonly does: string;
}

export const GRANULARITY_ROWS: readonly GranularityRow[] = [
  { rows: null, name: 'as recorded', does: 'Functions by name, module, file and first line' },
  { rows: 'functions', name: 'functions', does: 'Functions by name' },
  { rows: 'filefunctions', name: 'filefunctions', does: 'Functions by name and file' },
  { rows: 'files', name: 'files', does: 'Source files' },
  { rows: 'lines', name: 'lines', does: 'Source lines' },
  { rows: 'addresses', name: 'addresses', does: 'Instruction addresses' },
];
