import { getCompileCacheDir } from 'node:module';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import type { ImportOptions, ImportPart, PartReader } from '#core/import/importer.ts';
import type { PartJob, PartMessage } from './part-messages.ts';

const WORKER = new URL('./part-worker.ts', import.meta.url);

/**
 * Larger files are read by one thread, in less memory: 1.6 GB (1.0 M samples, 2.4 M stack rows) took 341 MB with two threads and 255 MB with
 * one, 221 MB took 190 and 145.
 */
const MAX_BYTES = 2 ** 28;

/**
 * How parts of a file of `size` bytes are read on a thread of their own; undefined unless `FLAMEBENCH_THREADS` is 2. On two processors it saves a
 * twentieth of the time of `convert`, since the second one compiles and collects garbage anyway, and it takes a third more memory.
 */
export function fileParts(path: string, size: number | null): ImportOptions['startPartReader'] {
  const isWanted = process.env['FLAMEBENCH_THREADS'] === '2';
  const isWorthIt = isWanted && path !== '-' && size !== null && size <= MAX_BYTES;
  return isWorthIt ? () => createPartReader(path) : undefined;
}

function createPartReader(path: string): PartReader {
  let worker: Worker | null = null;
  return {
    read: (importer, start, end, onProgress) => {
      const job: PartJob = { path, importer, start, end, compileCache: getCompileCacheDir() ?? null };
      worker = new Worker(WORKER, { workerData: job });
      return answerOf(worker, onProgress);
    },
    stop: () => void worker?.terminate(),
  };
}

function answerOf(worker: Worker, onProgress: (readBytes: number) => void): Promise<ImportPart | null> {
  return new Promise((resolve) => {
    worker.on('message', (message: PartMessage) => {
      if ('part' in message) resolve(message.part);
      else onProgress(message.readBytes);
    });
    worker.on('error', () => resolve(null));
    worker.on('exit', () => resolve(null));
  });
}
