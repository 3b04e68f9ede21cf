import { DiagnosticCounter } from '../../model/diagnostics.ts';
import { malformed } from '../../model/failure.ts';
import type { Profile } from '../../model/profile.ts';
import { ByteCollector } from '../text/byte-collector.ts';
import type { ImportSession } from '../importer.ts';
import { buildLegacyProfile, type LegacyProfile } from './build.ts';
import { dropSignalFrames, readCpuSamples } from './cpu.ts';
import { headOf, readCpuHeader, type CpuHeader } from './headers.ts';
import { addJavaLocation } from './java.ts';
import { isMemoryMapHeader, LegacyMaps } from './maps.ts';
import { PLAIN_FACTS } from './section.ts';
import { LegacyStacks } from './stacks.ts';
import { LegacyText } from './text.ts';
import { nameAddresses, legacySymbolRequests } from './symbols.ts';
import type { SymbolRequest, SymbolTable } from '../../symbols/symbols.ts';
import { TextLines, type TextLine } from '../text/text-lines.ts';
import { UNFINISHED_LINE } from '../common-diagnostics.ts';

/** Profilers that write these formats keep everything in memory first. */
const MAX_BYTES = 2 ** 31 - 1;
/** Collects all bytes, because the names of addresses may come after the samples. */
export class LegacySession implements ImportSession {
  readonly #bytes = new ByteCollector('a profile of an older pprof format', MAX_BYTES);
  #read: LegacyProfile | null = null;

  push(chunk: Uint8Array): void {
    this.#bytes.push(chunk);
  }

  wantedSymbols(): SymbolRequest[] {
    return legacySymbolRequests(this.#complete());
  }

  finish(symbols: ReadonlyMap<string, SymbolTable> = new Map()): Profile {
    const read = this.#complete();
    nameAddresses(read, symbols);
    return buildLegacyProfile(read);
  }

  #complete(): LegacyProfile {
    if (this.#read !== null) return this.#read;
    const bytes = this.#bytes.finish();
    const header = readCpuHeader(bytes);
    return (this.#read = header === null ? readText(bytes) : readCpu(bytes, header));
  }
}

function readText(bytes: Uint8Array): LegacyProfile {
  const diagnostics = new DiagnosticCounter();
  const text = new LegacyText(headOf(bytes), diagnostics);
  forEachLine(bytes, (line) => text.addLine(line), diagnostics);
  return text.finish();
}

function readCpu(bytes: Uint8Array, header: CpuHeader): LegacyProfile {
  const stacks = new LegacyStacks();
  const maps = new LegacyMaps();
  const diagnostics = new DiagnosticCounter();
  const textStart = readCpuSamples(bytes, header, stacks, diagnostics);
  const changed = header.isJava ? 0 : dropSignalFrames(stacks);
  if (changed > 0) {
    const message = 'Frames of the profiler’s own signal handler next to the leaf were removed, as pprof does.';
    diagnostics.add('signal-frames', message, { severity: 'info', count: changed });
  }
  if (!header.isJava) stacks.dropRepeatedLeaves();
  forEachLine(bytes.subarray(textStart), (line) => {
    const { text } = line;
    if (text.includes('\0')) {
      throw malformed('binary data after the samples: damaged, or two profiles one after the other', {
        byte: textStart,
      });
    }
    if (line.isUnfinished) {
      diagnostics.add(...UNFINISHED_LINE, {
        severity: 'info',
        first: { byte: textStart },
      });
    }
    const known = header.isJava ? addJavaLocation(line, { stacks }) : isMemoryMapHeader(text) || maps.addLine(text);
    if (!known && text.trim() !== '') {
      diagnostics.add('skipped-line', 'Unrecognized lines after the samples were skipped.', {
        first: { byte: textStart },
      });
    }
  });
  const nanoseconds = { type: 'cpu', unit: 'nanoseconds' };
  return {
    ...PLAIN_FACTS,
    sampleTypes: [{ type: 'samples', unit: 'count' }, nanoseconds],
    period: { ...nanoseconds, value: header.periodMicroseconds * 1000 },
    tool: header.isJava ? null : 'gperftools',
    hasAddresses: !header.isJava,
    stacks,
    maps,
    diagnostics,
    comments: [],
  };
}

function forEachLine(bytes: Uint8Array, onLine: (line: TextLine) => void, diagnostics?: DiagnosticCounter): void {
  const lines = new TextLines(onLine, undefined, diagnostics);
  lines.push(bytes);
  lines.finish();
}
