import { PerfDataFactsReader, UNKNOWN_PERF_DATA, type PerfDataFacts } from '#core/import/perf-data/facts.ts';
import { unwrappedChunks } from '#core/import/unpack/unwrapped-chunks.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { DataScriptRequest } from './data-script.ts';

/**
 * Examines a perf.data file, which may be compressed. `path` is the absolute path of a regular file on this machine;
 * otherwise null. `chunks` is called again whenever the bytes are needed. perf decides about kinds of perf.data that
 * Flamebench itself does not read. Throws an `ImportFailure` if it is not a perf.data file.
 */
export async function readPerfData(
  path: string | null,
  chunks: () => AsyncIterable<Uint8Array>,
): Promise<DataScriptRequest> {
  let reader: PerfDataFactsReader | null = new PerfDataFactsReader();
  let stored = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks()) {
      stored += chunk.length;
      yield chunk;
    }
  }
  const push = (chunk: Uint8Array): void => {
    try {
      reader?.push(chunk);
    } catch (error) {
      if (!(error instanceof ImportFailure) || error.failure !== 'unsupported') throw error;
      reader = null;
    }
  };
  let bytes = 0;
  for await (const chunk of unwrappedChunks(counted())) {
    bytes += chunk.length;
    push(chunk);
  }
  const facts: PerfDataFacts = reader?.finish() ?? UNKNOWN_PERF_DATA;
  return { facts, bytes, chunks: () => unwrappedChunks(chunks()), path: stored === bytes ? path : null };
}
