import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errors } from 'playwright';
import { importInputs } from './import-inputs.ts';
import { benchLargePprof } from './large-pprof.ts';
import { absentRow, benchTable, median, secondsRow, type BenchRow } from './table.ts';
import { inPage, speedscopeViewer, type Viewer } from './viewers.ts';
import { findChromium, findCommand } from '../components.mjs';
import { measureProcess } from './measure-process.ts';
import { flamebench, root } from '../run-command.ts';

const RUNS = 3;
const SPEEDSCOPE_TIMEOUT_MS = 120_000;

/** Formats that speedscope reads, too. */
const SPEEDSCOPE: ReadonlySet<string> = new Set(['folded', 'pprof', 'cpuprofile', 'chrome-trace']);

/** A command of Flamebench and the native tool's equivalent, as whole processes. */
interface Rival {
  readonly name: string;
  readonly ours: (path: string) => readonly string[];
  /** Null if it is not installed. */
  readonly theirs: (path: string) => readonly string[] | null;
}

const RIVALS: Readonly<Record<string, Rival>> = {
  pprof: {
    name: 'go tool pprof -top',
    ours: (path) => flamebench('top', path),
    theirs: (path) => installed('go', 'tool', 'pprof', '-symbolize=none', '-top', path),
  },
  'perf-data': {
    name: 'perf script | inferno-collapse-perf',
    ours: (path) => flamebench('convert', path, '--to', 'folded', '-o', '-'),
    theirs: (path) => {
      const collapse = findCommand('inferno-collapse-perf', 'stackcollapse-perf.pl');
      const words = ['sh', '-c', 'perf script --no-inline -i "$0" | "$1"', path, collapse ?? ''];
      return collapse === null || findCommand('perf') === null ? null : words;
    },
  },
};

function installed(command: string, ...args: readonly string[]): readonly string[] | null {
  return findCommand(command) === null ? null : [command, ...args];
}

/**
 * Measures importers on large files in a new process, alternating with speedscope's importer in a new browser and with
 * the format's own tool. None may be slower than the fastest other.
 */
export async function benchImport(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-bench-'));
  const chromium = findChromium();
  const speedscope = chromium === null ? null : await speedscopeViewer();
  const rows: BenchRow[] = [];
  try {
    for (const input of await importInputs()) {
      if (input.path === null) rows.push(absentRow(`import ${input.format}`, input.reason));
      else rows.push(...(await compare(input.format, input.path, folder, { chromium, speedscope })));
    }
    return [...rows, ...(await benchLargePprof())];
  } finally {
    await speedscope?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Browsing {
  readonly chromium: string | null;
  readonly speedscope: Viewer | null;
}

async function compare(format: string, path: string, folder: string, { chromium, speedscope }: Browsing) {
  const [ours, theirs, oursWhole, theirsWhole]: number[][] = [[], [], [], []];
  const rival = RIVALS[format];
  const rivalArgv = rival?.theirs(path) ?? null;
  const output = join(folder, 'output');
  for (let run = 0; run < RUNS; run++) {
    ours!.push(await importOnce(path, folder));
    // A timeout is waited for only once.
    if (chromium !== null && speedscope !== null && SPEEDSCOPE.has(format) && theirs!.at(-1) !== Infinity) {
      theirs!.push(await speedscopeSeconds(chromium, speedscope, path));
    }
    if (rival === undefined || rivalArgv === null) continue;
    oursWhole!.push((await measureProcess(rival.ours(path), output)).wallSeconds);
    theirsWhole!.push((await measureProcess(rivalArgv, output)).wallSeconds);
  }
  const megabytes = statSync(path).size / 1e6;
  const rows = [importRow(format, megabytes, median(ours!), theirs!.length === 0 ? null : median(theirs!))];
  if (rival !== undefined) {
    const what = `${format}: ${rival.ours('').slice(2, 3).join('')} beside ${rival.name}`;
    if (rivalArgv === null) rows.push(absentRow(what, 'absent'));
    else rows.push(rivalRow(what, median(oursWhole!), median(theirsWhole!)));
  }
  return rows;
}

/** Returns the row of a format; `theirs` is speedscope's time in seconds, null if it was not measured. */
function importRow(format: string, megabytes: number, ours: number, theirs: number | null): BenchRow {
  const size = `${megabytes.toFixed(0)} MB, median of ${RUNS}`;
  const isLimited = theirs !== null && Number.isFinite(theirs);
  return {
    what: `import ${format}`,
    found: `${ours.toFixed(2)} s, ${(megabytes / ours).toFixed(0)} MB/s`,
    limit: isLimited ? `≤ ${theirs.toFixed(2)} s` : null,
    holds: isLimited ? ours <= theirs : null,
    note: besideSpeedscope(theirs, ours) + size,
  };
}

function besideSpeedscope(theirs: number | null, ours: number): string {
  if (theirs === null) return '';
  if (!Number.isFinite(theirs)) return `speedscope did not import it within ${SPEEDSCOPE_TIMEOUT_MS / 1000} s; `;
  return `${(theirs / ours).toFixed(1)} × as fast as speedscope (${theirs.toFixed(2)} s); `;
}

const rivalRow = (what: string, ours: number, theirs: number): BenchRow =>
  secondsRow(
    what,
    ours,
    theirs,
    `${(theirs / ours).toFixed(1)} × as fast (${theirs.toFixed(2)} s), whole processes, median of ${RUNS}`,
  );

/** Returns the seconds for reading a file in a new process, excluding its start. */
async function importOnce(path: string, folder: string): Promise<number> {
  const output = join(folder, 'seconds');
  await measureProcess([process.execPath, join(root, 'scripts/bench/import-once.ts'), path], output);
  return Number(readFileSync(output, 'utf8'));
}

/**
 * Measures from the start of speedscope's import until it names the profile, by the page's clock; infinite after the
 * timeout.
 */
function speedscopeSeconds(chromium: string, viewer: Viewer, path: string): Promise<number> {
  return inPage(chromium, async (page) => {
    await page.addInitScript(`
      const begin = console.time.bind(console);
      console.time = (label) => { if (label === 'import') performance.mark('begun'); begin(label); };
      Object.defineProperty(document, 'title', { get: () => '', set: () => performance.mark('imported') });`);
    await viewer.start(page);
    const refused = page.waitForEvent('dialog', { timeout: 0 }).then((dialog) => {
      throw new Error(`speedscope: ${dialog.message()}`);
    });
    refused.catch(() => null);
    await viewer.choose(page, path);
    const [begun, done] = ['begun', 'imported'].map(
      (mark) => `performance.getEntriesByName('${mark}').at(-1)?.startTime`,
    );
    const imported = page
      .waitForFunction(`${done} > ${begun}`, null, { timeout: SPEEDSCOPE_TIMEOUT_MS })
      .catch((error: unknown) => {
        if (error instanceof errors.TimeoutError) return null;
        throw error;
      });
    if ((await Promise.race([imported, refused])) === null) return Infinity;
    return page.evaluate<number>(`(${done} - ${begun}) / 1000`);
  });
}

if (import.meta.main) {
  process.stdout.write(`\n${benchTable(await benchImport())}\n`);
}
