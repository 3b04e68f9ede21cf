import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { importers } from '#core/import/registry.ts';
import { root } from './run-command.ts';
import type { FuzzInput, FuzzMessage } from './fuzz-worker.ts';

/**
 * Damaged inputs for every importer and the reader of symbols, damaged documents for the engine that reads its library
 * and configuration, and hostile calls of all its methods, in rounds of 10,000 with a new seed each, for two hours: `npm
 * run fuzz`. `--seconds N` sets the total time; formats that finish early leave their time to the others. `--mutants N`
 * runs one round of that size. `--seed N` repeats the mutants of a seed. `--only FORMAT` (or `elf`, `documents`,
 * `calls`) selects one. A mutant may be read, or refused with one of the four classes; it must not crash, take more than
 * two seconds of processor time, use 512 MB, or have impossible numbers that no diagnostic mentions. Mutants that do are
 * kept as cases in tests/fixtures/fuzz, which
 * tests/core/import/fuzz-cases.test.ts reads and later rounds damage further.
 */
const { values } = parseArgs({
  options: {
    mutants: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
});

/**
 * Time limit in seconds per worker, generous for busy machines; the worker measures processor time, which is what
 * counts.
 */
const STUCK_SECONDS = 60;
const MAX_INPUT_BYTES = 100_000;
const MAX_HEAP_MEGABYTES = 512;
const CORPUS = join(root, '../shared/corpus');
const CASES = join(root, 'tests/fixtures/fuzz');
const ROUND_MUTANTS = 10_000;
const DEFAULT_SECONDS = 7200;

/** Subjects that make their own inputs. */
const WITHOUT_INPUT = ['documents', 'calls'];
/** Binaries that are damaged for the readers of symbols. */
const ELF = { id: 'elf', files: ['node_modules/node-pty/build/Release/pty.node'] };
const subjects = [...importers.filter(({ id }) => id !== 'native'), ELF, ...WITHOUT_INPUT.map((id) => ({ id }))];
const chosen = subjects.filter(({ id }) => values.only === undefined || id === values.only);
const seconds = Number(values.seconds ?? (values.mutants === undefined ? DEFAULT_SECONDS : Infinity));
const end = performance.now() + seconds * 1000;
const firstSeed = Number(values.seed ?? Date.now() % 1_000_000);
/** Formats that failed; later rounds skip them, since they would find the same problem again. */
const failed = new Set<string>();
if (chosen.length === 0) process.stdout.write(`unknown format ${values.only}\n`);
for (let seed = firstSeed; failed.size < chosen.length && performance.now() < end; seed++) {
  process.stdout.write(`seed ${seed}\n`);
  await fuzzAll(seed);
  if (values.mutants !== undefined) break;
}
process.exitCode = failed.size > 0 || chosen.length === 0 ? 1 : 0;

/** Runs one round over the formats that have not failed. */
async function fuzzAll(seed: number): Promise<void> {
  const left = chosen.filter(({ id }) => !failed.has(id));
  for (const [row, { id }] of left.entries()) {
    const inputs = ['tests/fixtures/import', 'tests/fixtures/fuzz'].map((folder) => join(root, folder, id));
    const files = id === ELF.id ? ELF.files.map((path) => Uint8Array.from(readFileSync(join(root, path)))) : [];
    const bytes = [...[...inputs, join(CORPUS, id)].flatMap(readInputs), ...files];
    const hasInput = bytes.length > 0 || WITHOUT_INPUT.includes(id);
    if (!hasInput) failed.add(id);
    const until = Date.now() + Math.max(0, end - performance.now()) / (left.length - row);
    const limits = { mutants: Number(values.mutants ?? ROUND_MUTANTS), until, seed };
    const outcome = !hasInput ? 'FAILED: no input' : await fuzz({ format: id, inputs: bytes, ...limits });
    process.stdout.write(`${id.padEnd(18)} ${outcome}\n`);
  }
}

function readInputs(folder: string): Uint8Array[] {
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .map((name) => join(folder, name))
    .filter((path) => !/\.(?:ts|pprof-raw\.txt)$/.test(path) && statSync(path).isFile())
    .map((path) => unpacked(readFileSync(path)))
    .filter(({ length }) => length > 0 && length <= MAX_INPUT_BYTES);
}

/** Unpacks the input, so that the format is damaged instead of its compression. */
function unpacked(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

/** Resolves with a line about the result. */
function fuzz(input: FuzzInput): Promise<string> {
  const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES },
  });
  return new Promise((resolve) => {
    let current: Uint8Array = new Uint8Array();
    let last = Date.now();
    let summary = 'ended early';
    const fail = (what: string): void => {
      failed.add(input.format);
      summary = `FAILED: ${what}; the input is kept as ${keep(input, current)}`;
      void worker.terminate();
    };
    const watch = setInterval(() => {
      if (Date.now() - last > STUCK_SECONDS * 1000) fail(`no end after ${STUCK_SECONDS} s`);
    }, 1000);
    worker.on('message', (message: FuzzMessage) => {
      last = Date.now();
      if (message.kind === 'mutant') current = message.bytes;
      else if (message.kind === 'failed') fail(message.what);
      else summary = `${message.read} read, ${message.refused} refused, slowest ${message.slowestMs.toFixed(0)} ms`;
    });
    worker.on('error', (error: unknown) => fail(String(error)));
    worker.on('exit', () => {
      clearInterval(watch);
      resolve(summary);
    });
  });
}

/** Stores a case without an extension, so that no tool takes it for one of its files. */
function keep({ format, seed }: FuzzInput, bytes: Uint8Array): string {
  const folder = join(CASES, format);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}-seed-${seed}`);
  writeFileSync(path, bytes);
  return relative(root, path);
}
