import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { functionRef } from '#core/analyze/function-ref.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { captureOf, compareRaw } from '../../../core/compare/captures.ts';
import { testEquivalence } from '../../../core/compare/equivalence.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { callCli } from '../../../support/call-cli.ts';
import { runCli, type CliRun } from '../../../support/run-cli.ts';

/** Mounts the kernel's tracepoints for the command only. */
const mountTracefs =
  '[ -d /sys/kernel/tracing/events/sched ] || mount -t tracefs nodev /sys/kernel/tracing || exit; exec "$@"';
const withTracefs = ['unshare', '--mount', 'sh', '-c', mountTracefs, 'sh'];
const node = [...withTracefs, process.execPath];
const SOURCE = fileURLToPath(new URL('../../../fixtures/bpftrace/sleeper.c', import.meta.url));

const DEMO = fileURLToPath(new URL('../../../vm/demo.c', import.meta.url));

const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-bpftrace-'));
const program = path.join(folder, 'sleeper');
const library = path.join(folder, 'library');
let sleeper: ChildProcess;

beforeAll(async () => {
  execFileSync('cc', ['-g', '-O1', '-fno-omit-frame-pointer', '-fno-optimize-sibling-calls', '-o', program, SOURCE]);
  sleeper = spawn(program, { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(sleeper.stdout!, 'data');
});

afterAll(() => {
  sleeper.kill();
  rmSync(folder, { recursive: true });
});

const record = (...args: readonly string[]): Promise<CliRun> =>
  runCli(['record', 'bpftrace', ...args, '--library', library, '--json'], { node });

interface Recorded {
  readonly document: CaptureDocument;
  readonly file: string;
}

async function recorded(...args: readonly string[]): Promise<Recorded> {
  const run = await record('--pid', String(sleeper.pid), ...args);
  expect(run).toMatchObject({ code: 0 });
  const { captures } = JSON.parse(run.stdout) as { captures: { id: string; file: string }[] };
  const { id, file } = captures[0]!;
  return {
    file,
    document: JSON.parse(readFileSync(path.join(library, id, 'capture.json'), 'utf8')) as CaptureDocument,
  };
}

interface Top {
  readonly valueType: { readonly type: string; readonly unit: string };
  readonly total: number;
  readonly functions: readonly { readonly name: string; readonly self: number; readonly total: number }[];
}

async function top(file: string, ...args: readonly string[]): Promise<Top> {
  const run = await callCli(['top', file, '--json', '-n', '0', ...args]);
  return JSON.parse(run.stdout) as Top;
}

const totalOf = ({ functions }: Top, name: string): number => functions.find((row) => row.name === name)?.total ?? 0;

/** Returns the time for which the program has slept since the last call, in microseconds by its own clock. */
async function slept(): Promise<number> {
  const answer = once(sleeper.stdout!, 'data');
  sleeper.kill('SIGUSR1');
  const [text] = (await answer) as [Buffer];
  return Number(/slept (\d+)/.exec(text.toString())![1]);
}

/**
 * Reads how long the program has slept, ten times a second. The result ends that, and returns the microseconds slept
 * until a time in Unix epoch milliseconds: on a busy machine the program sleeps less while bpftrace compiles.
 */
function startReadings(): () => Promise<(at: number) => number> {
  const over = new AbortController();
  const times: number[] = [];
  const sums: number[] = [];
  const reading = (async () => {
    let sum = 0;
    while (!over.signal.aborted) {
      sum += await slept();
      times.push(Date.now());
      sums.push(sum);
      await sleep(100);
    }
  })();
  return async () => {
    over.abort();
    await reading;
    return (at) => {
      const next = times.findIndex((time) => time >= at);
      const [before, after] = [times[next - 1]!, times[next]!];
      return sums[next - 1]! + ((at - before) / (after - before)) * (sums[next]! - sums[next - 1]!);
    };
  };
}

describe('record bpftrace', () => {
  it('off-cpu: the time asleep equals what the program measures itself', async () => {
    const readings = startReadings();
    const { file, document } = await recorded('--recipe', 'off-cpu', '--seconds', '10');
    const sleptUntil = await readings();
    const result = await top(file);
    expect(result.valueType).toEqual({ type: 'off-cpu', unit: 'microseconds' });
    const { startedAt, durationMs } = document;
    const own = sleptUntil(startedAt! + durationMs!) - sleptUntil(startedAt!);
    const ours = totalOf(result, 'do_nanosleep');
    // bpftrace begins and ends within a reading of what the document says.
    expect(ours / own).toBeGreaterThan(0.95);
    expect(ours / own).toBeLessThan(1.05);
    expect(document).toMatchObject({ event: 'off-cpu', incomplete: false, collector: { id: 'bpftrace' } });
  });

  it('wall-clock: time on and off the CPU adds up to the elapsed time', async () => {
    const { file, document } = await recorded('--recipe', 'wall-clock', '--seconds', '4');
    const { total } = await top(file);
    expect(total / (document.durationMs! * 1000)).toBeGreaterThan(0.9);
    expect(total / (document.durationMs! * 1000)).toBeLessThan(1.05);
    const [on, off] = await Promise.all(['on-cpu', 'off-cpu'].map((type) => top(file, '--type', type)));
    expect(on!.total + off!.total).toBe(total);
    expect(totalOf(on!, 'burn')).toBeGreaterThan(0);
  });

  it('on-cpu: stacks lead from main to the busy function', async () => {
    const { file } = await recorded('--recipe', 'on-cpu', '--stacks', 'user', '--rate', '499', '--seconds', '3');
    const result = await top(file);
    expect(result.valueType).toEqual({ type: 'cpu', unit: 'samples' });
    expect(totalOf(result, 'burn') / result.total).toBeGreaterThan(0.8);
    expect(totalOf(result, 'main') / result.total).toBeGreaterThan(0.95);
  });

  it('latency: counts every call of a function in the bucket of its duration', async () => {
    const { file } = await recorded('--recipe', 'latency', '--function', 'nap', '--seconds', '3');
    const result = await top(file);
    expect(result.total).toBeGreaterThan(20);
    expect(totalOf(result, 'nap')).toBe(result.total);
    // It sleeps for 20 ms, and longer if it waits for a CPU.
    const least = result.functions.flatMap(({ name }) => /^([\d,]+)–[\d,]+ µs$/.exec(name)?.[1] ?? []);
    expect(least.length).toBeGreaterThan(0);
    expect(least.map((text) => Number(text.replaceAll(',', ''))).filter((us) => us < 16_384)).toEqual([]);
  });

  it.each(['FUNCTION RATE_HZ STACKS', "it's {exit()} `id` ; //é"])(
    'latency: of a program in a folder named %j',
    async (name) => {
      const named = path.join(folder, name);
      mkdirSync(named, { recursive: true });
      copyFileSync(program, path.join(named, 'sleeper'));
      const own = spawn(path.join(named, 'sleeper'), { stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        await once(own.stdout, 'data');
        const run = await record(
          '--pid',
          String(own.pid),
          '--recipe',
          'latency',
          '--function',
          'nap',
          '--seconds',
          '2',
        );
        expect(run).toMatchObject({ code: 0 });
        const { captures } = JSON.parse(run.stdout) as { captures: { file: string }[] };
        const result = await top(captures[0]!.file);
        expect(totalOf(result, 'nap')).toBeGreaterThan(0);
        expect(totalOf(result, 'nap')).toBe(result.total);
      } finally {
        own.kill();
      }
    },
  );

  it('allocations: bytes that the C library was asked for', async () => {
    const { file } = await recorded('--recipe', 'allocations', '--seconds', '2');
    const result = await top(file);
    expect(result.valueType).toEqual({ type: 'allocations', unit: 'bytes' });
    expect(result.total % 4096).toBe(0);
    expect(totalOf(result, 'main')).toBe(result.total);
  });

  it('system-calls: the time is below the calling function', async () => {
    const { file } = await recorded('--recipe', 'system-calls', '--seconds', '3');
    const result = await top(file);
    expect(totalOf(result, 'work') / result.total).toBeGreaterThan(0.95);
  });

  it('reads the stacks that a user’s own script prints', async () => {
    const script = path.join(folder, 'own.bt');
    writeFileSync(script, 'profile:hz:199 /pid == $1/ { @mine[ustack] = count(); }\n');
    const { file } = await recorded('--script', script, '--seconds', '2');
    const result = await top(file);
    expect(result.valueType.type).toBe('@mine');
    expect(totalOf(result, 'burn')).toBeGreaterThan(0);
  });

  it('says how a script has to print stacks if its output has none', async () => {
    const script = path.join(folder, 'words.bt');
    writeFileSync(script, 'interval:s:1 { printf("hello\\n"); exit(); }\n');
    const run = await record('--pid', String(sleeper.pid), '--script', script);
    expect(`${run.stdout}${run.stderr}`).toContain(
      'The output of the script has no stack that is followed by its count.',
    );
  });

  it('keeps what was recorded when the process ends', async () => {
    const before = captures();
    const own = spawn(program);
    const run = record('--pid', String(own.pid), '--recipe', 'wall-clock');
    await expect.poll(() => hasRows(before), { timeout: 20_000 }).toBe(true);
    own.kill('SIGKILL');
    const { code, stdout } = await run;
    expect(code).toBe(0);
    expect(stdout).toContain('target-ended');
  });

  it('bpftrace ends with the command even if that is killed, and its output so far can be opened', async () => {
    const own = spawn(program);
    const before = captures();
    const args = ['record', 'bpftrace', '--pid', String(own.pid), '--recipe', 'wall-clock', '--library', library];
    const [first = '', ...rest] = [
      ...node,
      fileURLToPath(new URL('../../../../app/cli/flamebench.mjs', import.meta.url)),
      ...args,
    ];
    const command = spawn(first, rest, { stdio: 'ignore' });
    await expect.poll(() => hasRows(before), { timeout: 20_000 }).toBe(true);
    command.kill('SIGKILL');
    await expect.poll(() => bpftraceOf(own.pid!), { timeout: 20_000 }).toEqual([]);
    own.kill();
    const [id = ''] = captures().filter((name) => !before.includes(name));
    const { total } = await top(path.join(library, id, 'raw.bpftrace.txt'));
    expect(total).toBeGreaterThan(0);
  });

  it.each([
    [['--recipe', 'latency', '--function', 'nosuch'], /sleeper has no symbol nosuch; list its symbols: nm -C/],
    [['--recipe', 'latency'], /latency needs a function; give --function NAME/],
    [['--recipe', 'on-cpu', '--function', 'x'], /--function is not for on-cpu/],
    [['--recipe', 'lua'], /only SystemTap reads the stack of Lua; record with SystemTap/],
    [['--recipe', 'off-cpu', '--stacks', 'lua'], /off-cpu does not record --stacks lua; .*lua is for lua/],
    [[], /nothing to record; give --recipe NAME/],
  ] as const)('refuses %j in one line', async (args, message) => {
    const run = await record('--pid', String(sleeper.pid), ...args);
    expect(run.code).not.toBe(0);
    expect(run.stderr.trim().split('\n').at(-1)).toMatch(message);
  });

  it('fails in one line for a missing process and for a script with an error', async () => {
    const gone = await record('--pid', '4194000', '--recipe', 'off-cpu');
    expect(gone).toMatchObject({ code: 4, stderr: expect.stringContaining('there is no process 4194000') as string });
    const script = path.join(folder, 'wrong.bt');
    writeFileSync(script, 'profile:hz:99 { @[ustac] = count(); }\n');
    const wrong = await record('--pid', String(sleeper.pid), '--script', script);
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toContain('bpftrace does not understand the script');
  });

  it('says how to mount tracepoints if there are none', async () => {
    const hidden = [
      'unshare',
      '--mount',
      'sh',
      '-c',
      'mount -t tmpfs none /sys/kernel && exec "$@"',
      'sh',
      process.execPath,
    ];
    const args = ['record', 'bpftrace', '--pid', String(sleeper.pid), '--recipe', 'off-cpu', '--library', library];
    const run = await runCli(args, { node: hidden });
    expect(run.code).toBe(4);
    expect(run.stderr).toContain('sudo mount -t tracefs nodev /sys/kernel/tracing');
  });

  it('reports that it needs root', async () => {
    const nobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath];
    const run = await runCli(['recipes'], { node: nobody, env: { HOME: folder } });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('bpftrace runs only as root') as string });
  });

  it('on-cpu and perf see the same shares of functions at the same time', async () => {
    const demo = path.join(folder, 'demo');
    // Without optimisation, each function has a frame pointer.
    execFileSync('cc', ['-g', '-O0', '-o', demo, DEMO]);
    const running = spawn(demo, { stdio: 'ignore' });
    const capture = async (collector: string, ...args: readonly string[]) => {
      const series = ['--pid', String(running.pid), '--rate', '1999', '--seconds', '6', '--library', library, '--json'];
      const run = await runCli(['record', collector, ...args, ...series], { node });
      expect(run).toMatchObject({ code: 0 });
      const { captures: made } = JSON.parse(run.stdout) as { captures: { file: string }[] };
      return captureOf(await importProfile(byteSource(readFileSync(made[0]!.file), path.basename(made[0]!.file))));
    };
    try {
      const [perf, bpftrace] = await Promise.all([
        capture('perf', '--event', 'cpu-clock', '--call-graph', 'fp'),
        capture('bpftrace', '--recipe', 'on-cpu', '--stacks', 'user'),
      ]);
      const comparison = await compareRaw([perf], [bpftrace], 'share');
      const agreements = testEquivalence(comparison).map(({ func, column, agreement }) => ({
        name: `${functionRef(comparison.matched.table, func).name} ${column}`,
        agreement,
      }));
      // On a busy machine there may be too few samples to show agreement; a difference would be found all the same.
      expect(agreements.filter(({ agreement }) => agreement === 'differs')).toEqual([]);
      const names = agreements.map(({ name }) => name);
      for (const name of ['fb_leaf_hash self', 'fb_leaf_sqrt self', 'fb_mid_a total', 'fb_mid_b total', 'main total']) {
        expect(names).toContain(name);
      }
    } finally {
      running.kill();
    }
  });

  it('recipes lists which recipes work here', async () => {
    const run = await runCli(['recipes', '--json'], { node });
    const { recipes } = JSON.parse(run.stdout) as {
      recipes: { id: string; checks: Record<'bpftrace' | 'stap', { status: string; found: string }> }[];
    };
    // Only SystemTap can read the stacks of Lua.
    expect(recipes.filter(({ checks }) => checks.bpftrace.status !== 'ok').map(({ id }) => id)).toEqual(['lua']);
    // SystemTap is checked for each recipe, too, and the output says what it lacks.
    expect(recipes.filter(({ checks }) => checks.stap.status !== 'ok' && checks.stap.found === '')).toEqual([]);
  });
});

const captures = (): string[] =>
  existsSync(library) ? readdirSync(library).filter((name) => /^\d{8}-/.test(name)) : [];

/** Returns whether the first capture since `before` has the rows of a whole second. */
function hasRows(before: readonly string[]): boolean {
  const [id] = captures().filter((name) => !before.includes(name));
  const file = path.join(library, id ?? '', 'raw.bpftrace.txt');
  return id !== undefined && existsSync(file) && /printed=0\b.*\n/.test(readFileSync(file, 'utf8'));
}

/** Returns the PIDs of bpftrace processes that record a process. */
function bpftraceOf(pid: number): string[] {
  try {
    return execFileSync('pgrep', ['-f', `^/usr/bin/bpftrace .* -p ${pid} `], { encoding: 'utf8' })
      .trim()
      .split('\n');
  } catch {
    return [];
  }
}
