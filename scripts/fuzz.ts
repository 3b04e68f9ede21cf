import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { importers } from '#core/import/registry.ts';
import { root } from './run-command.ts';
import type { FuzzInput, FuzzMessage } from './fuzz-worker.ts';

/**
 * Damaged inputs for every importer: `npm run fuzz -- --mutants 10000 --seed 7 --only perf-data`; `--seconds`: for all of them together,
 * of which those that are done early leave the rest to the others. A mutant may be read, or refused with one
 * of the four classes; it may not crash, take longer than two seconds of processor time, or take 512 MB. What does is kept in artefacts/fuzz.
 */
const { values } = parseArgs({
  options: {
    mutants: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});

/** A machine that is busy with other things gets more: processor time is what counts, and the worker measures that. */
const STUCK_SECONDS = 60;
const MAX_INPUT_BYTES = 100_000;
const MAX_HEAP_MEGABYTES = 512;
const CORPUS = join(root, '../shared/corpus');

const chosen = importers.filter(({ id }) => id !== 'native' && (values.only === undefined || id === values.only));
const end = performance.now() + Number(values.seconds) * 1000;
let failures = chosen.length === 0 ? 1 : 0;
for (const [row, { id }] of chosen.entries()) {
  const inputs = [join(root, 'tests/fixtures/import', id), join(CORPUS, id)].flatMap(readInputs);
  if (inputs.length === 0) failures += 1;
  const seconds = Math.max(0, end - performance.now()) / 1000 / (chosen.length - row);
  const limits = { mutants: Number(values.mutants), seconds, seed: Number(values.seed) };
  const outcome = inputs.length === 0 ? 'FAILED: no input' : await fuzz({ format: id, inputs, ...limits });
  process.stdout.write(`${id.padEnd(18)} ${outcome}\n`);
}
process.exitCode = failures > 0 ? 1 : 0;

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

/** What is damaged is the format, not its packing. */
function unpacked(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

/** Resolves to a line that says how it went. */
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
      failures += 1;
      summary = `FAILED: ${what}; the input is ${keep(input.format, current)}`;
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

function keep(format: string, bytes: Uint8Array): string {
  const folder = join(root, 'artefacts/fuzz');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${format}-${values.seed}-${failures}`);
  writeFileSync(path, bytes);
  return path;
}
