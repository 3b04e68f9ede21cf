import type { Profile } from '../../model/profile.ts';
import { ByteCollector } from '../text/byte-collector.ts';
import type { Head, Importer, ImportSession, SniffResult } from '../importer.ts';
import { HEAD_BYTES } from '../detect.ts';
import { buildPprofProfile } from './build.ts';
import type { SymbolRequest, SymbolTable } from '../../symbols/symbols.ts';
import { nameLocations, symbolRequests } from './symbols.ts';
import { PprofTables, PROFILE_FIELDS } from './tables.ts';
import { VARINT, WireReader } from '../../wire/protobuf-reader.ts';

/** Offsets are stored as 32-bit integers. pprof itself reads the whole file into memory, so larger ones don't occur. */
const MAX_BYTES = 2 ** 31 - 1;

/** profile.proto of github.com/google/pprof, as written by Go, gperftools, async-profiler, Parca and many others. */
export const pprofImporter: Importer = {
  id: 'pprof',
  label: 'pprof',
  extensions: ['pb', 'pprof', 'prof', 'profile'],
  keeps:
    'all sample types, inlined frames, addresses, modules, files and lines, text and number labels, drop and keep frames applied, period, start, duration; symbols from binaries known to be the recorded ones',
  loses: 'columns, build ids of libraries, mapping addresses, system names',
  differences: true,
  recognizedBy: 'a protocol buffer message with the fields of profile.proto',
  specification: 'https://github.com/google/pprof/blob/main/proto/profile.proto',
  sniff: sniffPprof,
  start: () => new PprofSession(),
};

class PprofSession implements ImportSession {
  readonly #bytes = new ByteCollector('a pprof profile', MAX_BYTES);
  #tables: PprofTables | null = null;

  push(chunk: Uint8Array): void {
    this.#bytes.push(chunk);
  }

  wantedSymbols(): SymbolRequest[] {
    return symbolRequests(this.#complete());
  }

  async finish(symbols: ReadonlyMap<string, SymbolTable> = new Map()): Promise<Profile> {
    const tables = this.#complete();
    if (symbols.size > 0) nameLocations(tables, symbols);
    // Few profiles drop frames, and the expressions' engine is larger than this importer.
    const regex = tables.dropFrames === '' ? null : await import('../text/linear-regex.ts');
    return buildPprofProfile(tables, regex?.linearRegex ?? null);
  }

  #complete(): PprofTables {
    return (this.#tables ??= new PprofTables(this.#bytes.finish()));
  }
}

/**
 * Iterates over the fields. Yes if everything in the head has the fields and wire types of message Profile and includes
 * a sample type (two references to strings), or an empty one and samples. Also yes if that comes first and something
 * later is broken, so that the parser can report the location.
 */
function sniffPprof({ bytes }: Head): SniffResult {
  const reader = new WireReader(bytes);
  const inner = new WireReader(bytes);
  let sampleTypes = 0;
  /** Number of sample types with neither type nor unit, stored as empty messages. */
  let unnamed = 0;
  let hasSamples = false;
  try {
    while (reader.next()) {
      const { field, type, start, stop } = reader;
      const wanted = PROFILE_FIELDS.get(field);
      if (wanted === undefined ? field > 100 : type !== wanted && field !== 13) return sampleTypes > 0 ? 'yes' : 'no';
      if (field === 1) {
        if (!isTypeAndUnit(inner.enter(start, stop))) return 'no';
        if (stop > start) sampleTypes += 1;
        else unnamed += 1;
      }
      if (field === 2 && unnamed > 0) hasSamples = true;
    }
    return sampleTypes > 0 || hasSamples ? 'yes' : 'no';
  } catch {
    return sampleTypes > 0 || (hasSamples && bytes.length >= HEAD_BYTES) ? 'yes' : 'no';
  }
}

function isTypeAndUnit(reader: WireReader): boolean {
  while (reader.next()) if (reader.type !== VARINT || reader.field > 2) return false;
  return true;
}
