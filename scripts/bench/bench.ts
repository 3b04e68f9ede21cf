import { benchCompare } from './compare.ts';
import { benchConvert } from './convert.ts';
import { benchElectron } from './electron.ts';
import { benchExperiments } from './experiments.ts';
import { benchFleet } from './fleet.ts';
import { benchImport } from './import.ts';
import { benchLive } from './live.ts';
import { benchLiveSsh } from './live-ssh.ts';
import { benchRecorder } from './recorder.ts';
import { benchReport } from './report.ts';
import { benchRuntimes } from './runtimes.ts';
import { benchSsh } from './ssh.ts';
import { benchStart } from './start.ts';
import { benchTable } from './table.ts';
import type { BenchRow } from './table.ts';
import { benchTrust } from './trust.ts';
import { benchUse } from './use.ts';
import { benchWindow } from './window.ts';

/**
 * Each measures one aspect of the program. They run one after another, so as not to affect each other. `--trust`
 * measures only how often verdicts are false, `--experiments` only what experiments under load find, `--runtimes` only
 * what recording a runtime costs, `--fleet` only the stores of fleets.
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
  benchRuntimes,
  benchLive,
  benchLiveSsh,
  benchElectron,
];

/** Those that run alone, if their word is given. */
const alone = new Map([
  ['--trust', benchTrust],
  ['--experiments', benchExperiments],
  ['--runtimes', benchRuntimes],
  ['--fleet', benchFleet],
]);

const asked = [...alone].filter(([word]) => process.argv.includes(word)).map(([, bench]) => bench);
const benches = asked.length > 0 ? asked : all;
const rows: BenchRow[] = [];
for (const bench of benches) rows.push(...(await bench()));
process.stdout.write(`\n${benchTable(rows)}\n`);
// Playwright does not let the process end after a page has crashed.
process.exit(rows.some(({ holds }) => holds === false) ? 1 : 0);
