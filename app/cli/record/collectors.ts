import { bpftraceRow } from './bpftrace/options.ts';
import { javaRow } from './java/options.ts';
import { nodeRow } from './node/options.ts';
import { perfRow } from './perf/options.ts';
import { pprofRow } from './pprof/options.ts';
import { pythonRow } from './python/options.ts';
import { stapRow } from './stap/options.ts';
import type { RecordRow } from './series-options.ts';

/** The collectors' subcommands of `record`. */
export const recordRows: readonly RecordRow[] = [perfRow, pprofRow, nodeRow, javaRow, pythonRow, bpftraceRow, stapRow];
