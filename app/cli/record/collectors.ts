import { perfRow } from './perf/options.ts';
import { pprofRow } from './pprof/options.ts';
import type { RecordRow } from './series-options.ts';

/** A subcommand of `record` for each collector. */
export const recordRows: readonly RecordRow[] = [perfRow, pprofRow];
