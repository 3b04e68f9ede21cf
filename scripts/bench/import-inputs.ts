import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileSource } from '#app/engine/files/file-source.ts';
import { exporters } from '#core/export/registry.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { benchCacheFolder, benchPerfData, benchRecording, unfinished } from './recording.ts';

/** A large file of one format, or why there is none. */
export interface ImportInput {
  readonly format: string;
  readonly path: string | null;
  readonly reason: string;
}

/** Number of samples in formats that name each call; they make tens of megabytes. */
const NESTED_SAMPLES = 40_000;

type Maker = (profile: Profile) => Iterable<string | Uint8Array>;

const MAKERS: readonly { readonly format: string; readonly fileName: string; readonly make: Maker }[] = [
  { format: 'folded', fileName: 'go-build.folded', make: exported('folded') },
  { format: 'pprof', fileName: 'go-build.pb', make: exported('pprof') },
  { format: 'cpuprofile', fileName: 'go-build.cpuprofile', make: cpuprofile },
  { format: 'chrome-trace', fileName: 'go-build.trace.json', make: chromeTrace },
];

/** Returns the benches' recording in the formats in which it can be written. The files are created once and kept. */
export async function importInputs(): Promise<ImportInput[]> {
  const { path: recording, reason } = benchRecording();
  if (recording === null) return MAKERS.map(({ format }) => ({ format, path: null, reason }));
  let profile: Profile | null = null;
  const inputs: ImportInput[] = [];
  for (const { format, fileName, make } of MAKERS) {
    const path = join(benchCacheFolder(), fileName);
    if (!existsSync(path)) await write(path, make((profile ??= await importProfile(fileSource(recording)))));
    inputs.push({ format, path, reason: '' });
  }
  return [...inputs, { format: 'perf-data', ...benchPerfData() }];
}

async function write(path: string, parts: Iterable<string | Uint8Array>): Promise<void> {
  mkdirSync(benchCacheFolder(), { recursive: true });
  const made = unfinished(path);
  const out = createWriteStream(made);
  for (const part of parts) if (!out.write(part)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
  renameSync(made, path);
}

function exported(id: string): Maker {
  return (profile) => {
    const chunks: Uint8Array[] = [];
    exporters.find((exporter) => exporter.id === id)!.write(profile, {}, (chunk) => void chunks.push(chunk.slice()));
    return chunks;
  };
}

/** Returns the rows of the first samples, ordered by time. */
function firstSamples({ samples }: Profile): number[] {
  const time = samples.time!;
  const rows = Array.from({ length: Math.min(NESTED_SAMPLES, samples.length) }, (_, row) => row);
  return rows.filter((row) => samples.stack[row]! >= 0).sort((a, b) => time[a]! - time[b]!);
}

const nameOf = ({ strings, functions, frames, stacks }: Profile, stack: number): string =>
  strings[functions.name[frames.func[stacks.frame[stack]!]!]!]!;

function* cpuprofile(profile: Profile): Generator<string> {
  const { samples, stacks } = profile;
  const rows = firstSamples(profile);
  const children = new Map<number, number[]>([[-1, []]]);
  for (const row of rows) {
    for (let stack = samples.stack[row]!; stack >= 0 && !children.has(stack); stack = stacks.parent[stack]!) {
      children.set(stack, []);
    }
  }
  // Callers come first, as V8 writes them.
  const used = [...children.keys()].sort((a, b) => a - b);
  for (const stack of used) if (stack >= 0) children.get(stacks.parent[stack]!)!.push(stack);
  // IDs start at 1, the root's.
  const id = (stack: number): number => stack + 2;
  yield '{"nodes":[';
  let separator = '';
  for (const stack of used) {
    const functionName = stack < 0 ? '(root)' : nameOf(profile, stack);
    const callFrame = { functionName, scriptId: '1', url: stack < 0 ? '' : 'go', lineNumber: 1, columnNumber: 1 };
    yield separator + JSON.stringify({ id: id(stack), callFrame, hitCount: 0, children: children.get(stack)!.map(id) });
    separator = ',\n';
  }
  const times = rows.map((row) => Math.round(samples.time![row]! / 1000));
  const deltas = times.map((time, row) => time - (times[row - 1] ?? times[0]!));
  yield `],"startTime":${times[0]!},"endTime":${times.at(-1)!},`;
  yield `"samples":[${rows.map((row) => id(samples.stack[row]!)).join()}],"timeDeltas":[${deltas.join()}]}`;
}

/** Yields the end and begin events of what changed between successive samples. */
function* chromeTrace(profile: Profile): Generator<string> {
  const { samples, stacks, threads } = profile;
  const open = new Map<number, number[]>();
  let separator = '';
  const event = (ph: 'B' | 'E', stack: number, row: number): string => {
    const [thread, ts] = [samples.thread[row]!, samples.time![row]! / 1000];
    const text = JSON.stringify({ name: nameOf(profile, stack), cat: 'go', ph, ts, pid: 1, tid: threads.tid[thread]! });
    const before = separator;
    separator = ',\n';
    return before + text;
  };
  yield '{"traceEvents":[';
  for (const row of firstSamples(profile)) {
    const path: number[] = [];
    for (let stack = samples.stack[row]!; stack >= 0; stack = stacks.parent[stack]!) path.push(stack);
    path.reverse();
    const last = open.get(samples.thread[row]!) ?? [];
    let common = 0;
    while (common < last.length && last[common] === path[common]) common += 1;
    for (const stack of last.slice(common).reverse()) yield event('E', stack, row);
    for (const stack of path.slice(common)) yield event('B', stack, row);
    open.set(samples.thread[row]!, path);
  }
  yield ']}';
}
