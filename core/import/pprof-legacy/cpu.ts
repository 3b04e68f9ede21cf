import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { malformed } from '../../model/failure.ts';
import { HEADER_WORDS, WordReader, type CpuHeader } from './headers.ts';
import { withoutSecond, type LegacyStacks } from './stacks.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';

/** More than gperftools (254) and any other writer of the format keeps. */
const MAX_DEPTH = 100_000;

/**
 * Reads the samples into `stacks`: each has a count, a depth and addresses, leaf first; 0, 1, 0 ends them. Returns the
 * start of the text after them.
 */
export function readCpuSamples(
  bytes: Uint8Array,
  header: CpuHeader,
  stacks: LegacyStacks,
  diagnostics: DiagnosticCounter,
): number {
  const words = new WordReader(bytes, HEADER_WORDS * header.bytesEach, header);
  while (words.left >= 2) {
    const start = words.byte;
    const count = words.next();
    const depth = words.next();
    if (depth > BigInt(MAX_DEPTH) || count >= 2n ** 63n) {
      throw malformed('no count and depth of a stack; the file is damaged', { byte: start });
    }
    if (Number(depth) > words.left) return reportCut(diagnostics, start, bytes);
    const addresses = Array.from({ length: Number(depth) }, () => words.next());
    if (count === 0n && addresses.length === 1 && addresses[0] === 0n) return words.byte;
    const locations = header.isJava
      ? Int32Array.from(addresses, (address) => stacks.row(address))
      : stacks.callers(addresses, true);
    const samples = exact(count, start, diagnostics);
    stacks.samples.push({ locations, values: [samples, samples * header.periodMicroseconds * 1000] });
  }
  return reportCut(diagnostics, words.byte, bytes);
}

function exact(count: bigint, byte: number, diagnostics: DiagnosticCounter): number {
  if (count > BigInt(Number.MAX_SAFE_INTEGER)) diagnostics.add(...INEXACT_WEIGHT, { first: { byte } });
  return Number(count);
}

function reportCut(diagnostics: DiagnosticCounter, byte: number, bytes: Uint8Array): number {
  diagnostics.add('truncated-input', 'The input ends before the samples’ end marker: the last samples are missing.', {
    first: { byte },
    remedy: 'Let the program end the profiler (ProfilerStop) before it exits.',
  });
  return bytes.length;
}

/** All samples except this share must have the frame. */
const MARGIN = 1 / 32;
/** The signal's handler, and the function to which it returns. */
const MAX_SIGNAL_FRAMES = 2;

/**
 * Removes the caller of the leaf if (nearly) all samples have the same one, at most twice: it is the frame that a
 * signal handler leaves on the stack. Like pprof (profile/legacy_profile.go). Returns the number of samples that lost
 * frames.
 */
export function dropSignalFrames({ addresses, samples }: LegacyStacks): number {
  const changed = new Set<number>();
  for (let round = 0; round < MAX_SIGNAL_FRAMES; round++) {
    const counts = new Map<number, number>();
    for (const { locations } of samples) {
      if (locations.length > 1) counts.set(locations[1]!, (counts.get(locations[1]!) ?? 0) + 1);
    }
    const needed = samples.length - Math.floor(samples.length * MARGIN);
    const common = [...counts].find(([, count]) => count >= needed)?.[0];
    if (common === undefined || addresses[common] === undefined) break;
    samples.forEach((sample, row) => {
      if (sample.locations.length < 2 || sample.locations[1] !== common) return;
      sample.locations = withoutSecond(sample.locations);
      changed.add(row);
    });
  }
  return changed.size;
}
