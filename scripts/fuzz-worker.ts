import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { importProfile } from '#core/import/import-profile.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { makeCallPlace } from './fuzz-calls.ts';
import { makeDocumentPlace } from './fuzz-documents.ts';
import { createRandom, type Random } from './fuzz-random.ts';

/** Pseudo-format of Flamebench's own documents on disk. */
const DOCUMENTS = 'documents';
/** Pseudo-format of calls to the engine. */
const CALLS = 'calls';

export interface FuzzInput {
  readonly format: string;
  readonly inputs: readonly Uint8Array[];
  readonly mutants: number;
  /** End of the run in Unix milliseconds; the worker's start counts. */
  readonly until: number;
  readonly seed: number;
}

export type FuzzMessage =
  /** The mutant that is read next. */
  | { readonly kind: 'mutant'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly what: string }
  | { readonly kind: 'done'; readonly read: number; readonly refused: number; readonly slowestMs: number };

const MAX_CPU_MS = 2000;
const MAX_BYTES = 512 * 2 ** 20;
/** Minimum number of mutants, however busy the machine is, so that every format is tested. */
const LEAST_MUTANTS = 50;
const { format, inputs, mutants, until, seed } = workerData as FuzzInput;

const tell = (message: FuzzMessage): void => parentPort!.postMessage(message);

/** Replacements for a number: values that a format may accept or reject. */
const VALUES = [
  '-1',
  '0',
  '1',
  '4294967296',
  '9007199254740993',
  '1e308',
  '1e999',
  '0.5',
  'null',
  '""',
  '[]',
  '{}',
  '',
  '__proto__',
];
const encoder = new TextEncoder();
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/**
 * Damages a file: cuts it, flips bits, sets bytes, repeats or removes a part, or replaces a number. The beginning,
 * which determines most, is hit as often as the rest.
 */
function mutate(original: Uint8Array, random: Random): Uint8Array {
  const place = (): number => random(random(2) === 0 ? Math.min(original.length, 512) : original.length);
  switch (random(6)) {
    case 0:
      return original.slice(0, random(original.length + 1));
    case 1: {
      const [start, end] = [place(), place()].toSorted((a, b) => a - b) as [number, number];
      return replaced(original, end, end, original.subarray(start, Math.min(end, start + 10_000)));
    }
    case 2: {
      const start = place();
      return replaced(original, start, start + 1 + random(64), new Uint8Array());
    }
    case 3: {
      let start = place();
      while (start < original.length && !isDigit(original[start]!)) start += 1;
      let end = start;
      while (end < original.length && isDigit(original[end]!)) end += 1;
      return replaced(original, start, end, encoder.encode(VALUES[random(VALUES.length)]));
    }
    default: {
      const copy = original.slice();
      for (let change = 0; change <= random(6); change++) {
        const at = place();
        copy[at] = random(2) === 0 ? copy[at]! ^ (1 << random(8)) : random(256);
      }
      return copy;
    }
  }
}

function replaced(bytes: Uint8Array, start: number, end: number, by: Uint8Array): Uint8Array {
  const rest = bytes.subarray(end);
  const result = new Uint8Array(start + by.length + rest.length);
  result.set(bytes.subarray(0, start));
  result.set(by, start);
  result.set(rest, start + by.length);
  return result;
}

/**
 * Tests the documents of a library and a configuration, damaging one at a time and reading all of them as the engine
 * does.
 */
async function runDocuments(): Promise<void> {
  const random = createRandom(seed);
  const place = await makeDocumentPlace();
  const paths = [...place.documents.keys()];
  let [read, slowestMs] = [0, 0];
  try {
    for (; read < mutants && (read < LEAST_MUTANTS || Date.now() < until); read++) {
      const path = paths[random(paths.length)]!;
      const bytes = mutate(place.documents.get(path)!, random);
      tell({ kind: 'mutant', bytes });
      const before = performance.now();
      const wrong = await place.readWith(path, bytes);
      slowestMs = Math.max(slowestMs, performance.now() - before);
      if (wrong !== null) return tell({ kind: 'failed', what: `${path}: ${wrong}` });
    }
  } finally {
    place.dispose();
  }
  tell({ kind: 'done', read, refused: 0, slowestMs });
}

/** Attacks an engine with calls of all methods; each may be answered or refused. */
async function runCalls(): Promise<void> {
  const random = createRandom(seed);
  const place = await makeCallPlace();
  let [read, slowestMs] = [0, 0];
  try {
    for (; read < mutants && (read < LEAST_MUTANTS || Date.now() < until); read++) {
      const attack = place.next(random);
      tell({ kind: 'mutant', bytes: encoder.encode(JSON.stringify(attack)) });
      const before = performance.now();
      const wrong = await place.attack(attack);
      slowestMs = Math.max(slowestMs, performance.now() - before);
      if (wrong !== null) return tell({ kind: 'failed', what: `${attack.path}: ${wrong}` });
    }
  } finally {
    await place.dispose();
  }
  tell({ kind: 'done', read, refused: 0, slowestMs });
}

async function run(): Promise<void> {
  const random = createRandom(seed);
  let [read, refused, slowestMs] = [0, 0, 0];
  for (let index = 0; index < mutants && (index < LEAST_MUTANTS || Date.now() < until); index++) {
    const bytes = mutate(inputs[random(inputs.length)]!, random);
    tell({ kind: 'mutant', bytes });
    const before = process.threadCpuUsage();
    try {
      await importProfile({ fileName: 'fuzz', size: bytes.length, chunks: () => chunksOf(bytes) }, { format });
      read += 1;
    } catch (error) {
      if (!(error instanceof ImportFailure)) return tell({ kind: 'failed', what: String(error) });
      refused += 1;
    }
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    slowestMs = Math.max(slowestMs, ms);
    if (ms > MAX_CPU_MS) return tell({ kind: 'failed', what: `${ms.toFixed(0)} ms of processor time` });
    const { arrayBuffers } = process.memoryUsage();
    if (arrayBuffers > MAX_BYTES) return tell({ kind: 'failed', what: `${Math.round(arrayBuffers / 2 ** 20)} MB` });
  }
  tell({ kind: 'done', read, refused, slowestMs });
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

await (format === DOCUMENTS ? runDocuments() : format === CALLS ? runCalls() : run());
