import { describe, expect, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { corpusRows, readCorpus, readExpected, type CorpusRow } from '../../../support/corpus.ts';
import { differences, foldedLines, foldedText, rollupLines, selfAndTotal } from '../../../support/folded-lines.ts';
import { corpus, needing } from '../../../support/needing.ts';
import { stackcollapsePerf } from '../../../support/perf-script-oracles.ts';

const rows = corpusRows('perf-data');
const withText = rows.filter((row) => readExpected(row, 'perf-script.txt') !== null);
const withFolded = rows.filter((row) => readExpected(row, 'folded') !== null);
/** Files for which the lines of perf report are about branches, or about a group's events together. */
const REPORTED_OTHERWISE = /\/perf\.data\.(?:branch|raw_callgraph_branch|group_desc|lost_samples)/;
const withReport = withText.filter(({ path }) => !REPORTED_OTHERWISE.test(path));
/** Greatest number of frames of a call chain that perf reads (PERF_MAX_STACK_DEPTH). */
const PERF_MAX_DEPTH = 127;

needing(corpus, () => {
  describe('perf.data corpus', () => {
    test('has all rows', () => expect(rows).toHaveLength(26));

    test.each(rows)('$path: has as many samples as truth.json', async (row) => {
      const { samples } = JSON.parse(readExpected(row, 'truth.json')!) as { samples: number };
      expect((await read(row)).samples.length).toBe(samples);
    });

    test.each(rows)('$path: event, thread, time and period of every sample equal the reference', async (row) => {
      const recorded = readExpected(row, 'samples.tsv')!.trimEnd().split('\n').slice(1).map(recordedSample);
      expect(samplesOf(await read(row), recorded[0]!)).toEqual(recorded.sort());
    });

    test.each(withText)('$path: every sample equals that of perf script, in order', async (row) => {
      const text = new TextEncoder().encode(readExpected(row, 'perf-script.txt')!);
      const printed = await importProfile(byteSource(text), { format: 'perf-script' });
      expect(describeSamples(await read(row))).toEqual(describeSamples(printed));
    });

    test.each(withReport)('$path: samples and period by comm, module and address equal perf report', async (row) => {
      const report = readExpected(row, 'perf-report.self.txt')!;
      expect(differences(leavesOf(await read(row)), reportLines(report))).toEqual([]);
    });

    test.each(withFolded)('$path: folded text, self and total equal the tools', async (row) => {
      const ours = normalized(await read(row));
      expect(differences(ours, foldedLines(readExpected(row, 'folded')!))).toEqual([]);
      expect(differences(selfAndTotal(ours), rollupLines(readExpected(row, 'selftotal.tsv')!))).toEqual([]);
    });
  });
});

const read = (row: CorpusRow): Promise<Profile> => importProfile(byteSource(readCorpus(row.path), row.path));

/**
 * Writes `event pid/tid ns period`. Facts that the reference does not know are omitted: periods that are not stored
 * (`-`) and events without ids (`?`). Comms are omitted, because the reference follows renames differently; the comms
 * of perf script are compared instead.
 */
function samplesOf({ samples, events, threads, metadata }: Profile, like: string): string[] {
  const hasEvents = !like.startsWith('?');
  const hasPeriods = !like.endsWith('-');
  return Array.from(samples.stack, (_, row) => {
    const thread = samples.thread[row]!;
    const time = metadata.timeOrigin! + BigInt(samples.time![row]!);
    const ids = `${threads.pid[thread]}/${threads.tid[thread]}`;
    const period = hasPeriods ? samples.weights[0]![row]! : '-';
    return [hasEvents ? events[samples.event![row]!] : '?', ids, time, period].join('\t');
  }).sort();
}

function recordedSample(line: string): string {
  const [event, , ids, time, period] = line.split('\t');
  return [event, ids, time, period].join('\t');
}

/**
 * Describes what perf script prints of each sample. Addresses are included only where it prints those that perf-data
 * keeps: in call chains, and for the kernel.
 */
function describeSamples(profile: Profile): string[] {
  const { samples, events, threads, strings, metadata } = profile;
  return Array.from(samples.stack, (leaf, row) => {
    const thread = samples.thread[row]!;
    const stack = leafFirst(profile, leaf);
    const frames = stack.map(({ name, module, address }) => {
      const hasAddress = stack.length > 1 || module.startsWith('[kernel');
      return `${hasAddress ? address.toString(16) : ''} ${name} (${module})`;
    });
    return [
      strings[threads.name[thread]!],
      `${threads.pid[thread]}/${threads.tid[thread]}`,
      // perf script prints microseconds.
      (metadata.timeOrigin! + BigInt(samples.time![row]!)) / 1000n,
      samples.weights[0]![row],
      events[samples.event![row]!],
      ...frames.slice(0, PERF_MAX_DEPTH),
    ].join('\n');
  });
}

interface SampleFrame {
  readonly name: string;
  readonly module: string;
  readonly address: bigint;
}

function leafFirst({ stacks, frames, functions, strings }: Profile, leaf: number): SampleFrame[] {
  const found: SampleFrame[] = [];
  for (let stack = leaf; stack >= 0; stack = stacks.parent[stack]!) {
    const frame = stacks.frame[stack]!;
    const func = frames.func[frame]!;
    found.push({
      name: strings[functions.name[func]!]!,
      module: strings[functions.module[func]!]!,
      address: frames.address![frame]!,
    });
  }
  return found;
}

/** Number of samples and their periods by event, comm, module and address. */
class Leaves {
  readonly #sums = new Map<string, { samples: number; period: number }>();

  add(event: string, comm: string, module: string, address: bigint, samples: number, period: number): void {
    // For kernel modules perf report prints offsets, and perf script addresses.
    const isKernelModule = /^\[(?!kernel|unknown|vdso|vsyscall)/.test(module);
    const key = [event, comm, module, isKernelModule ? '' : address.toString(16)].join(' | ');
    const sum = this.#sums.get(key) ?? { samples: 0, period: 0 };
    this.#sums.set(key, { samples: sum.samples + samples, period: sum.period + period });
  }

  get lines(): Map<string, string> {
    return new Map([...this.#sums].map(([key, sum]) => [key, `${sum.samples} ${sum.period}`]));
  }
}

function leavesOf(profile: Profile): Map<string, string> {
  const { samples, events, threads, strings } = profile;
  const leaves = new Leaves();
  for (let row = 0; row < samples.length; row++) {
    const leaf = leafFirst(profile, samples.stack[row]!)[0];
    if (leaf === undefined) continue;
    // perf report shortens this one name.
    const comm = strings[threads.name[samples.thread[row]!]!]!.replace(/^perf-exec$/, 'perf-ex');
    const period = samples.weights[0]![row]!;
    leaves.add(events[samples.event![row]!]!, comm, shortName(leaf.module), leaf.address, 1, period);
  }
  return leaves.lines;
}

function shortName(module: string): string {
  if (module === '') return '[unknown]';
  const base = module.slice(module.lastIndexOf('/') + 1);
  return base.endsWith('.ko') ? `[${base.slice(0, -3).replaceAll('-', '_')}]` : base;
}

/** Reads the lines of `perf report`: overhead, samples, period, comm, module, mode, address. */
function reportLines(text: string): Map<string, string> {
  const leaves = new Leaves();
  let event = '';
  for (const line of text.split('\n')) {
    event = /^# Samples: \S+ +of event '(.*)'$/.exec(line)?.[1] ?? event;
    const [, samples, period, comm = '', module = '', address] =
      /^ +[\d.]+% +(\d+) +(\d+) {2}(.*?) +(\S+) +\[.\] 0x([0-9a-f]+)/.exec(line) ?? [];
    if (address !== undefined) leaves.add(event, comm, module, BigInt(`0x${address}`), Number(samples), Number(period));
  }
  return leaves.lines;
}

function normalized(profile: Profile): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [stack, weight] of foldedLines(foldedText(profile))) {
    const [comm = '', ...names] = stack.split(';');
    // stackcollapse-perf.pl includes the blank after a comm of one letter.
    const theirs = comm.length === 1 ? `${comm}_` : stackcollapsePerf.renameComm(comm);
    const renamed = [theirs, ...names.slice(-PERF_MAX_DEPTH)].join(';');
    lines.set(renamed, (lines.get(renamed) ?? 0) + weight);
  }
  return lines;
}
