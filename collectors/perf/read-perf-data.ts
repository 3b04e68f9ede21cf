import { PerfDataFactsReader, UNKNOWN_PERF_DATA, type PerfDataFacts } from '#core/import/perf-data/facts.ts';
import { unwrappedChunks } from '#core/import/unpack/unwrapped-chunks.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { DataScriptRequest } from './data-script.ts';

/**
 * Looks through a perf.data file, which may be compressed. `path`: absolute, of a regular file of this machine's; else null. `chunks` are
 * asked for again whenever the bytes are. A perf.data of a kind that Flamebench itself does not read is perf's to judge. Throws an `ImportFailure` where it is none.
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
