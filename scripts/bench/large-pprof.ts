import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { findChromium, findCommand } from '../components.mjs';
import { flamebench } from '../run-command.ts';
import { measureProcess, type Measurement } from './measure-process.ts';
import { benchCacheFolder, unfinished } from './recording.ts';
import { absentRow, benchTable, median, type BenchRow } from './table.ts';
import { openOnce, speedscopeViewer, workbenchViewer } from './viewers.ts';

/** One run suffices: CPU time hardly depends on other load. */
const RUNS = 1;
const SAMPLES = 250_000;
/** Required speed relative to `go tool pprof -top`, and to speedscope. */
const TIMES_PPROF = 3;
const TIMES_SPEEDSCOPE = 5;

/** Time in ms for a page to draw 1,000,000 samples, each of which speedscope stores separately. */
const TIMEOUT_MS = 600_000;

const LOCATIONS = 15_000;
const FUNCTIONS = 5000;
/** Number of distinct stacks, each of 20 to 70 frames. */
const STACKS = 15_000;

/**
 * Measures listing and showing a generated profile of 250,000 samples (25 MB), or `--samples N`, compared with
 * `go tool pprof -top` and speedscope.
 */
export async function benchLargePprof(samples = SAMPLES): Promise<BenchRow[]> {
  const path = largePprof(samples);
  const size = `${(statSync(path).size / 1e6).toFixed(0)} MB, ${samples.toLocaleString('en')} samples`;
  const { rows, pprofSeconds } = await besidePprof(path, size);
  return [...rows, ...(await besideSpeedscope(path, size, pprofSeconds))];
}

/** Compares with `pprof -top`; `pprofSeconds` is its wall time, null if it is missing. */
async function besidePprof(path: string, size: string): Promise<{ rows: BenchRow[]; pprofSeconds: number | null }> {
  const what = `top of pprof, ${size}`;
  if (findCommand('go') === null) return { rows: [absentRow(what, 'absent: go')], pprofSeconds: null };
  const pprof = execFileSync('go', ['tool', '-n', 'pprof'], { encoding: 'utf8' }).trim();
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-bench-'));
  const output = join(folder, 'output');
  const [ours, theirs]: [Measurement[], Measurement[]] = [[], []];
  try {
    for (let run = 0; run < RUNS; run++) {
      ours.push(await measureProcess(flamebench('top', path), output));
      // Runs the tool directly: `go tool` starts it as another process, whose CPU time would be missed.
      theirs.push(await measureProcess([pprof, '-symbolize=none', '-top', path], output));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const cpu = (runs: readonly Measurement[]): number => median(runs.map(({ cpuSeconds }) => cpuSeconds));
  const wall = (runs: readonly Measurement[]): number => median(runs.map(({ wallSeconds }) => wallSeconds));
  return {
    rows: [
      ratioRow(`${what}, CPU time`, cpu(ours), cpu(theirs), TIMES_PPROF, 'go tool pprof -top'),
      ratioRow(what, wall(ours), wall(theirs), TIMES_PPROF, 'go tool pprof -top'),
    ],
    pprofSeconds: wall(theirs),
  };
}

async function besideSpeedscope(path: string, size: string, pprofSeconds: number | null): Promise<BenchRow[]> {
  const what = `file to painted graph, pprof, ${size}`;
  const chromium = findChromium();
  const speedscope = chromium === null ? null : await speedscopeViewer();
  if (chromium === null || speedscope === null) return [absentRow(what, 'absent: a browser or speedscope')];
  const workbench = workbenchViewer();
  const [ours, theirs]: [number[], number[]] = [[], []];
  let failure: string | null = null;
  try {
    for (let run = 0; run < RUNS; run++) {
      ours.push((await openOnce(chromium, workbench, path, TIMEOUT_MS)).seconds);
      const start = performance.now();
      try {
        theirs.push((await openOnce(chromium, speedscope, path, TIMEOUT_MS)).seconds);
      } catch (error) {
        // speedscope's page runs out of memory at 250,000 samples before it has shown anything.
        theirs.push((performance.now() - start) / 1000);
        failure = error instanceof Error ? error.message.split('\n')[0]! : String(error);
      }
    }
  } finally {
    await workbench.close();
    await speedscope.close();
  }
  const rival = failure === null ? 'speedscope' : `speedscope, which then failed (${failure})`;
  return [
    ...(pprofSeconds === null ? [] : [ratioRow(what, median(ours), pprofSeconds, TIMES_PPROF, 'go tool pprof -top')]),
    ratioRow(what, median(ours), median(theirs), TIMES_SPEEDSCOPE, rival),
  ];
}

function ratioRow(what: string, ours: number, theirs: number, times: number, rival: string): BenchRow {
  return {
    what,
    found: `${ours.toFixed(2)} s`,
    limit: `≤ ${(theirs / times).toFixed(2)} s`,
    holds: ours <= theirs / times,
    note: `${(theirs / ours).toFixed(1)} × as fast as ${rival} (${theirs.toFixed(2)} s; ${times} × wanted), median of ${RUNS}`,
  };
}

/** Returns the path of the profile, which is deterministic and created once. */
function largePprof(samples: number): string {
  const path = join(benchCacheFolder(), `service-${samples}.pb`);
  if (existsSync(path)) return path;
  mkdirSync(benchCacheFolder(), { recursive: true });
  const made = unfinished(path);
  const writer = new MessageWriter(made);
  writeProfile(writer, samples);
  writer.close();
  renameSync(made, path);
  return path;
}

/** Writes the profile; the field numbers are those of profile.proto. */
function writeProfile(writer: MessageWriter, samples: number): void {
  const strings = ['', 'samples', 'count', 'cpu', 'nanoseconds'];
  const text = (value: string): number => strings.push(value) - 1;
  writer.message(1, [...field(1, 1), ...field(2, 2)]);
  writer.message(1, [...field(1, 3), ...field(2, 4)]);
  const random = seeded();
  const stacks = makeStacks(random);
  for (let sample = 0; sample < samples; sample++) {
    const count = 1 + random(3);
    const values = [...varint(count), ...varint(count * 10_000_000)];
    writer.message(2, [...bytes(1, stacks[random(STACKS)]!), ...bytes(2, values)]);
  }
  const mapping = [...field(1, 1), ...field(2, 0x400000), ...field(3, 0x900000), ...field(5, text('/usr/bin/service'))];
  writer.message(3, [...mapping, ...field(7, 1)]);
  for (let id = 1; id <= LOCATIONS; id++) {
    const line = [...field(1, 1 + ((id * 7919) % FUNCTIONS)), ...field(2, 1 + (id % 900))];
    writer.message(4, [...field(1, id), ...field(2, 1), ...field(3, 0x400000 + id * 16), ...bytes(4, line)]);
  }
  for (let id = 1; id <= FUNCTIONS; id++) {
    const name = text(`example.com/service/pkg${id % 97}.(*Handler${id % 31}).Serve${id}`);
    const file = text(`/src/pkg${id % 97}/file${id}.go`);
    writer.message(5, [...field(1, id), ...field(2, name), ...field(4, file), ...field(5, 1 + (id % 900))]);
  }
  for (const value of strings) writer.message(6, [...Buffer.from(value)]);
}

/** Returns stacks as encoded location IDs, leaf first. Each shares its first callers with an earlier stack. */
function makeStacks(random: (below: number) => number): number[][] {
  const stacks: number[][] = [];
  for (let row = 0; row < STACKS; row++) {
    const stack = row === 0 ? [1] : stacks[random(row)]!.slice(0, 4 + random(30));
    const depth = Math.max(stack.length, 20 + random(50));
    while (stack.length < depth) stack.push(1 + random(LOCATIONS));
    stacks.push(stack);
  }
  return stacks.map((stack) => stack.toReversed().flatMap(varint));
}

/** Returns a pseudo-random generator of integers from 0 to below the argument. Constants: Numerical Recipes. */
function seeded(): (below: number) => number {
  let state = 12_345;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function varint(value: number): number[] {
  const encoded: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) encoded.push((rest % 128) | 128);
  return [...encoded, rest];
}

const field = (number: number, value: number): number[] => [number << 3, ...varint(value)];
const bytes = (number: number, content: readonly number[]): number[] => [
  (number << 3) | 2,
  ...varint(content.length),
  ...content,
];

/** Writes top-level messages in large pieces. */
class MessageWriter {
  readonly #file: number;
  readonly #buffer = new Uint8Array(1 << 22);
  #used = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  message(number: number, content: readonly number[]): void {
    if (this.#used + content.length + 16 > this.#buffer.length) this.#flush();
    for (const byte of [(number << 3) | 2, ...varint(content.length)]) this.#buffer[this.#used++] = byte;
    this.#buffer.set(content, this.#used);
    this.#used += content.length;
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    writeSync(this.#file, this.#buffer, 0, this.#used);
    this.#used = 0;
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { samples: { type: 'string', default: String(SAMPLES) } } });
  process.stdout.write(`\n${benchTable(await benchLargePprof(Number(values.samples)))}\n`);
  // Playwright does not let the process end after a page has crashed.
  process.exit();
}
