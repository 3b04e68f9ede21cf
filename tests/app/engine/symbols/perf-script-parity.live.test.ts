import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withElfFile } from '#collectors/target/elf-file.ts';
import { createLocalSymbols } from '#app/engine/symbols/local-symbols.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { compileHot } from '../../../support/hot-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-symbols-'));
const env = { ...process.env, LC_ALL: 'C', PERF_CONFIG: '/dev/null', DEBUGINFOD_URLS: '', HOME: folder };
let program = '';

beforeAll(() => {
  program = compileHot(folder).program;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Options of `perf record`, by description. */
const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  'no call graph': ['-e', 'cpu-clock'],
  'call graphs': ['-e', 'cpu-clock', '-g'],
  'a user’s code only, with --call-graph fp': ['-e', 'cpu-clock:u', '--call-graph', 'fp'],
  'several events': ['-e', 'cpu-clock,page-faults,context-switches', '-g'],
  'a group that is read as one': ['-e', '{cpu-clock,page-faults}:S', '-g'],
  'packed records': ['-e', 'cpu-clock', '-g', '-z'],
  'build ids in mappings': ['-e', 'cpu-clock', '-g', '--buildid-mmap'],
  'processors and a clock': ['-e', 'cpu-clock', '-g', '--sample-cpu', '-k', 'monotonic'],
};

describe('perf.data recorded here', () => {
  it.each(Object.entries(VARIANTS))('with %s: every sample equals perf script', async (_, options) => {
    await expectPerfScript(record('file.data', options));
  });

  it('as a stream: every sample equals perf script', async () => {
    const file = join(folder, 'pipe.data');
    writeFileSync(
      file,
      runPerf('record', '-q', '-e', 'cpu-clock', '-g', '--no-bpf-event', '-o', '-', '--', program, '3000'),
    );
    await expectPerfScript(file);
  });

  it('uses debuginfod’s cache for stripped binaries, if configured', async () => {
    const own = join(folder, 'stripped');
    const cache = join(folder, 'cache');
    execFileSync('cc', [
      '-O1',
      '-fno-inline',
      '-fno-omit-frame-pointer',
      '-static-pie',
      '-o',
      own,
      join(folder, 'hot.c'),
    ]);
    const id = withElfFile(own, ({ elf }) => elf.buildId)!;
    mkdirSync(join(cache, id), { recursive: true });
    execFileSync('objcopy', ['--only-keep-debug', own, join(cache, id, 'debuginfo')]);
    execFileSync('strip', [own]);
    const file = record('stripped.data', ['-e', 'cpu-clock:u', '-g', '--no-buildid-cache'], own);
    expect(namesIn(await read(file), own)).toEqual(['[stripped]']);
    expect(namesIn(await read(file, { DEBUGINFOD_CACHE_PATH: cache }), own)).toContain('mix');
  });

  it('does not use a binary that was rebuilt or is gone', async () => {
    const own = join(folder, 'other');
    const build = (level: string): unknown =>
      execFileSync('cc', ['-fno-inline', level, '-o', own, join(folder, 'hot.c')]);
    build('-O2');
    const file = record('changed.data', ['-e', 'cpu-clock:u', '-g', '--no-buildid-cache'], own);
    expect(namesIn(await read(file), own)).toContain('mix');
    rmSync(own);
    expect(namesIn(await read(file), own)).toEqual(['[other]']);
    build('-O3');
    expect(namesIn(await read(file), own)).toEqual(['[other]']);
  });
});

function record(name: string, options: readonly string[], run = program): string {
  const file = join(folder, name);
  runPerf('record', '-q', ...options, '-F', '997', '--no-bpf-event', '-o', file, '--', run, '3000');
  return file;
}

function runPerf(...argv: string[]): Uint8Array {
  return execFileSync('perf', argv, { env, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 28 });
}

const read = (file: string, more: NodeJS.ProcessEnv = {}): Promise<Profile> =>
  importProfile(byteSource(readFileSync(file)), {
    symbols: createLocalSymbols({ recordedBefore: statSync(file).mtimeMs, environment: { ...env, ...more } }),
  });

async function expectPerfScript(file: string): Promise<void> {
  const fields = 'comm,pid,tid,time,event,period,ip,sym,dso';
  const text = runPerf('script', '-i', file, '--no-inline', '--ns', '-F', fields);
  const printed = await importProfile(byteSource(text), { format: 'perf-script' });
  const ours = await read(file);
  expect(ours.samples.length).toBeGreaterThan(0);
  expect(describeSamples(ours)).toEqual(describeSamples(printed));
}

/** Describes samples with addresses where perf prints those that Flamebench keeps: in call chains. */
function describeSamples(profile: Profile): string[] {
  const { samples, events, threads, strings, stacks, frames, functions, metadata } = profile;
  return Array.from(samples.stack, (leaf, row) => {
    const thread = samples.thread[row]!;
    const rows: number[] = [];
    for (let stack = leaf; stack >= 0; stack = stacks.parent[stack]!) rows.push(stacks.frame[stack]!);
    const names = rows.map((frame) => {
      const func = frames.func[frame]!;
      const address = rows.length > 1 ? frames.address![frame]!.toString(16) : '';
      return `${address} ${strings[functions.name[func]!]!} (${strings[functions.module[func]!]!})`;
    });
    return [
      `${strings[threads.name[thread]!]!} ${threads.pid[thread]}/${threads.tid[thread]}`,
      metadata.timeOrigin! + BigInt(samples.time![row]!),
      samples.weights[0]![row],
      events[samples.event![row]!],
      ...names,
    ].join('\n');
  });
}

function namesIn({ functions, strings }: Profile, module: string): string[] {
  const rows = Array.from({ length: functions.length }, (_, row) => row);
  return rows.filter((row) => strings[functions.module[row]!] === module).map((row) => strings[functions.name[row]!]!);
}
