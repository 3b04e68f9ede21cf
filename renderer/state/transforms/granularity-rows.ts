import type { Granularity } from '#core/analyze/reading/granularity.ts';

/** What a frame can represent, as it is offered. */
interface GranularityRow {
  /** null: functions as the file has them. */
  readonly rows: Granularity | null;
  readonly name: string;
  /** One sentence. */
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
