import { benchCompare } from './bench/compare.ts';
import { benchConvert } from './bench/convert.ts';
import { benchElectron } from './bench/electron.ts';
import { benchImport } from './bench/import.ts';
import { benchLive } from './bench/live.ts';
import { benchLiveSsh } from './bench/live-ssh.ts';
import { benchRecorder } from './bench/recorder.ts';
import { benchReport } from './bench/report.ts';
import { benchSsh } from './bench/ssh.ts';
import { benchStart } from './bench/start.ts';
import { benchTable } from './bench/table.ts';
import type { BenchRow } from './bench/table.ts';
import { benchTrust } from './bench/trust.ts';
import { benchUse } from './bench/use.ts';
import { benchWindow } from './bench/window.ts';

/**
 * Each measures one aspect of the program. They run one after another, so as not to affect each other. `--trust`
 * measures only how often verdicts are false.
 */
const all: readonly (() => BenchRow[] | Promise<BenchRow[]>)[] = [
  benchStart,
  benchConvert,
  benchImport,
  benchWindow,
  benchUse,
  benchCompare,
  benchReport,
  benchSsh,
  benchRecorder,
  benchLive,
  benchLiveSsh,
  benchElectron,
];

const benches = process.argv.includes('--trust') ? [benchTrust] : all;
const rows: BenchRow[] = [];
for (const bench of benches) rows.push(...(await bench()));
process.stdout.write(`\n${benchTable(rows)}\n`);
// Playwright does not let the process end after a page has crashed.
process.exit(rows.some(({ holds }) => holds === false) ? 1 : 0);
