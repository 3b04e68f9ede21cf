import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { importProfile } from '#core/import/import-profile.ts';
import { ImportFailure } from '#core/model/failure.ts';

export interface FuzzInput {
  readonly format: string;
  readonly inputs: readonly Uint8Array[];
  readonly mutants: number;
  readonly seconds: number;
  readonly seed: number;
}

export type FuzzMessage =
  /** What is read next. */
  | { readonly kind: 'mutant'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly what: string }
  | { readonly kind: 'done'; readonly read: number; readonly refused: number; readonly slowestMs: number };

const MAX_CPU_MS = 2000;
const MAX_BYTES = 512 * 2 ** 20;
const { format, inputs, mutants, seconds, seed } = workerData as FuzzInput;

const tell = (message: FuzzMessage): void => parentPort!.postMessage(message);

/** Multiply-with-carry on 32 bits: the same mutants for the same seed. */
function createRandom(start: number): (below: number) => number {
  let state = (start * 2_654_435_761 + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Cut somewhere, bits flipped, bytes set, a stretch doubled or left out. The beginning, which decides most, is hit as often as the rest. */
function mutate(original: Uint8Array, random: (below: number) => number): Uint8Array {
  const copy = Uint8Array.from(original);
  const place = (): number => random(random(2) === 0 ? Math.min(copy.length, 512) : copy.length);
  switch (random(5)) {
    case 0:
      return copy.subarray(0, random(copy.length + 1));
    case 1: {
      const [start, end] = [place(), place()].toSorted((a, b) => a - b) as [number, number];
      const stretch = copy.subarray(start, end);
      return Uint8Array.from([...copy.subarray(0, end), ...stretch.subarray(0, 10_000), ...copy.subarray(end)]);
    }
    case 2: {
      const start = place();
      return Uint8Array.from([...copy.subarray(0, start), ...copy.subarray(start + 1 + random(64))]);
    }
    default:
      for (let change = 0; change <= random(6); change++) {
        const at = place();
        copy[at] = random(2) === 0 ? copy[at]! ^ (1 << random(8)) : random(256);
      }
      return copy;
  }
}

async function run(): Promise<void> {
  const random = createRandom(seed);
  const end = performance.now() + seconds * 1000;
  let [read, refused, slowestMs] = [0, 0, 0];
  for (let index = 0; index < mutants && performance.now() < end; index++) {
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

await run();
