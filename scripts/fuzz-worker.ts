import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { importProfile } from '#core/import/import-profile.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { binarySymbols } from '#core/symbols/binary-symbols.ts';
import { hasFullSymbols } from '#core/symbols/elf-symbols.ts';
import { ElfError, ElfFile } from '#core/symbols/elf.ts';
import { symbolFrames, type SymbolTable } from '#core/symbols/symbols.ts';
import { makeDocumentPlace } from './fuzz-documents.ts';
import { createRandom, mutate } from './fuzz-mutants.ts';
import { impossibleNumber } from './fuzz-values.ts';

/** Pseudo-format of Flamebench's own documents on disk. */
const DOCUMENTS = 'documents';
/** Pseudo-format of binaries, whose symbols name code. */
const ELF = 'elf';
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

const encoder = new TextEncoder();

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
  // The whole engine, which the other workers would load for nothing.
  const { makeCallPlace } = await import('./fuzz-calls.ts');
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
      if (format === ELF) readElf(bytes);
      else {
        const source = { fileName: 'fuzz', size: bytes.length, chunks: () => chunksOf(bytes) };
        const fault = impossibleNumber(await importProfile(source, { format }));
        if (fault !== null) return tell({ kind: 'failed', what: fault });
      }
      read += 1;
    } catch (error) {
      if (!(error instanceof (format === ELF ? ElfError : ImportFailure)))
        return tell({ kind: 'failed', what: String(error) });
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

/**
 * Reads the names of a binary as those of one that a debuginfod server sent. A RangeError refuses it while it is read,
 * as in `withElfFile`, but not while names are looked up.
 */
function readElf(bytes: Uint8Array): void {
  let table: SymbolTable | null;
  try {
    const elf = new ElfFile((start, length) => bytes.subarray(start, start + length));
    void [elf.buildId, hasFullSymbols(elf)];
    table = binarySymbols(elf, elf);
  } catch (error) {
    throw error instanceof RangeError ? new ElfError(error.message) : error;
  }
  if (table === null) return;
  for (let address = 0n; address < bytes.length; address += 997n) symbolFrames(table, address);
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

await (format === DOCUMENTS ? runDocuments() : format === CALLS ? runCalls() : run());
