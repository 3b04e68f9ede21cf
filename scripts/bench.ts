import { benchCompare } from './bench/compare.ts';
import { benchConvert } from './bench/convert.ts';
import { benchElectron } from './bench/electron.ts';
import { benchImport } from './bench/import.ts';
import { benchSsh } from './bench/ssh.ts';
import { benchStart } from './bench/start.ts';
import { benchTable } from './bench/table.ts';
import type { BenchRow } from './bench/table.ts';
import { benchUse } from './bench/use.ts';
import { benchWindow } from './bench/window.ts';

/** Each measures one side of the program; one after the other, so that none disturbs another. */
const benches: readonly (() => Promise<BenchRow[]>)[] = [
  benchStart,
  benchConvert,
  benchImport,
  benchWindow,
  benchUse,
  benchCompare,
  benchSsh,
  benchElectron,
];

const rows: BenchRow[] = [];
for (const bench of benches) rows.push(...(await bench()));
process.stdout.write(`\n${benchTable(rows)}\n`);
process.exitCode = rows.some(({ holds }) => holds === false) ? 1 : 0;
