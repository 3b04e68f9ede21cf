import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { endStartedProcesses, startIdle, startReady } from '../../../support/busy-process.ts';
import { compilePhases } from '../../../support/phase-program.ts';
import { buildPprofServer, startPprofServer } from '../../../support/pprof-server.ts';
import { callCli } from '../../../support/call-cli.ts';
import { runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-live-'));
const env = { FLAMEBENCH_CONFIG: join(folder, 'config'), FLAMEBENCH_LIBRARY: join(folder, 'library') };

/** Mounts the kernel's tracepoints for the command only. */
const mountTracefs =
  '[ -d /sys/kernel/tracing/events/sched ] || mount -t tracefs nodev /sys/kernel/tracing || exit; exec "$@"';
const withTracefs = ['unshare', '--mount', 'sh', '-c', mountTracefs, 'sh'];

endStartedProcesses();
afterAll(() => rmSync(folder, { recursive: true }));

interface Line {
  readonly state: string;
  readonly update: number;
  readonly samples: number;
  readonly lost: number;
  readonly gapSeconds: number;
  readonly valueType: { readonly type: string; readonly unit: string };
  readonly window: { readonly samples: number };
  readonly functions: readonly { readonly name: string; readonly self: number; readonly total: number }[];
  readonly total: number;
  readonly baseline: { readonly name: string } | null;
  readonly changes: readonly unknown[] | null;
  readonly events: readonly { readonly kind: string }[];
}

test(
  '--json prints a line per second; -o and --raw keep exactly what the last line counts',
  { timeout: 120_000 },
  async () => {
    const { pid } = await startReady(compilePhases(folder), []);
    const output = join(folder, 'live.flamebench');
    const library = join(folder, 'raw');
    const args = `live --pid ${pid} --rate 199 --seconds 5 --window all --json --pin-after 2 --raw full`.split(' ');
    const run = await runCli([...args, '--library', library, '-o', output], { env });
    expect(run.code, run.stderr).toBe(0);
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    expect(lines.length).toBeGreaterThan(2);
    const last = lines.at(-1)!;
    expect(last).toMatchObject({ state: 'ended', window: { seconds: null, widened: false, samples: last.samples } });
    expect(last.functions[0]).toMatchObject({ name: 'calm', module: expect.stringContaining('phases') as string });
    expect(lines.flatMap(({ events }) => events.map(({ kind }) => kind))).toEqual(
      expect.arrayContaining(['started', 'ended']),
    );

    expect(last.baseline).toMatchObject({ name: expect.stringMatching(/^the \d+ s before the pin$/) as string });
    // The program has too few functions.
    expect(last.changes).toBeNull();

    const top = await callCli(['top', output, '--json'], { env });
    const kept = JSON.parse(top.stdout) as Pick<Line, 'total' | 'functions'>;
    expect(kept.total).toBe(last.total);
    expect(kept.functions[0]).toMatchObject({ name: 'calm', self: last.functions[0]!.self });

    const list = await callCli(['captures', 'list', '--json', '--library', library], { env });
    const { captures } = JSON.parse(list.stdout) as { readonly captures: readonly { id: string; name: string }[] };
    const [raw, ...others] = captures;
    expect([raw!.name, others]).toEqual([expect.stringMatching(/^phases \(\d+\), raw output$/), []]);
    const asPrinted = await callCli(['top', raw!.id, '--json', '--library', library], { env });
    expect((JSON.parse(asPrinted.stdout) as Line).total).toBe(last.total);
  },
);

const lastLine = (stdout: string): Line => JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Line;

test(
  'pprof: windows of a real service follow one another, and the time between them is counted',
  { timeout: 120_000 },
  async () => {
    const built = buildPprofServer();
    const server = await startPprofServer(built.path);
    onTestFinished(() => {
      server.end();
      built.remove();
    });
    const output = join(folder, 'service.flamebench');
    const args = ['live', 'pprof', `http://${server.address}/`, '--every', '1', '--seconds', '6', '--window', 'all'];
    const run = await runCli([...args, '--json', '-o', output], { env });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('/debug/pprof/profile?seconds=1');
    const last = lastLine(run.stdout);
    expect(last.state).toBe('ended');
    expect(last.update).toBeGreaterThan(1);
    expect(last.gapSeconds).toBeGreaterThan(0);
    expect(last.valueType).toEqual({ type: 'cpu', unit: 'nanoseconds' });
    expect(last.functions.length).toBeGreaterThan(0);
    expect(last.window.samples).toBe(last.samples);
    // 100 samples a second of at most a few CPUs: the windows are counted by their samples, not by their distinct stacks.
    expect(last.total / last.samples).toBe(10_000_000);
    const kept = await callCli(['top', output, '--json'], { env });
    expect((JSON.parse(kept.stdout) as Line).total).toBe(last.total);

    const state = await runCli(['live', 'pprof', `http://${server.address}/debug/pprof/heap`, '--text'], { env });
    expect(state).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('heap is a state at one moment') as string,
    });
  },
);

test('a closed output pipe ends it in order: -o keeps what was seen', { timeout: 120_000 }, async () => {
  const { pid } = await startReady(compilePhases(folder), []);
  const output = join(folder, 'until-closed.flamebench');
  const args = ['live', '--pid', String(pid), '--rate', '199', '--seconds', '100', '--json', '-o', output];
  const run = await runCli(args, { env, node: ['sh', '-c', '"$@" | head -n 2; exit', 'sh', process.execPath] });
  expect(run.stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(run.stderr).not.toContain('EPIPE');
  const top = await callCli(['top', output, '--json'], { env });
  expect((JSON.parse(top.stdout) as Line).total).toBeGreaterThan(0);
  const next = await callCli(['captures', 'list'], { env });
  expect(next.stderr).not.toContain('interrupted');
});

test('--csv prints a head, and a row per second and function', { timeout: 120_000 }, async () => {
  const { pid } = await startReady(compilePhases(folder), []);
  const args = ['live', '--pid', String(pid), '--rate', '199', '--seconds', '3', '--window', 'all', '--csv'];
  const run = await runCli(args, { env });
  expect(run.code, run.stderr).toBe(0);
  const [head, ...rows] = run.stdout.trimEnd().split('\r\n');
  expect(head).toBe('second,function,module,self (nanoseconds),total (nanoseconds),change');
  expect(rows.some((row) => /^[\d.]+,calm,.*,\d+,\d+,$/.test(row))).toBe(true);
  expect(rows).not.toContain(head);
});

test('--csv of a process without samples is the head', { timeout: 120_000 }, async () => {
  const args = ['live', '--pid', String(startIdle().pid), '--seconds', '2', '--csv'];
  const run = await runCli(args, { env });
  expect(run).toMatchObject({ code: 4, stdout: 'second,function,module,self (count),total (count),change\r\n' });
});

test('bpftrace: a recipe’s rows of each second are the update', { timeout: 120_000 }, async () => {
  const { pid } = await startReady(compilePhases(folder), []);
  const args = ['live', 'bpftrace', '--pid', String(pid), '--seconds', '5', '--window', 'all', '--json'];
  const run = await runCli(args, { env, node: [...withTracefs, process.execPath] });
  expect(run.code, run.stderr).toBe(0);
  const last = lastLine(run.stdout);
  expect(last).toMatchObject({ state: 'ended', lost: 0, valueType: { type: 'cpu', unit: 'samples' } });
  expect(last.functions[0]).toMatchObject({ name: 'calm' });
  expect(last.samples).toBe(last.total);
  expect(last.update).toBeGreaterThan(2);
});

test('refuses what it cannot watch in one line', { timeout: 120_000 }, async () => {
  expect(await callCli(['live'], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no process given; give --pid N') as string,
  });
  expect(await callCli(['live', '--pid', '1', '--text', '--json'], { env })).toMatchObject({ code: 2 });
  expect(await callCli(['live', '--pid', '1', '--text', '--csv'], { env })).toMatchObject({ code: 2 });
  expect(await callCli(['live', '--pid', '1', '--window', '2h'], { env })).toMatchObject({ code: 2 });
  const both = ['live', '--pid', '1', '--baseline', 'a', '--pin-after', '5'];
  expect(await callCli(both, { env })).toMatchObject({ code: 2 });
  expect(await callCli(['live', '--pid', '1', '--baseline', join(folder, 'none')], { env })).toMatchObject({ code: 3 });
  expect(await callCli(['live', 'dtrace', '--pid', '1'], { env })).toMatchObject({ code: 2 });
  expect(await callCli(['live', 'bpftrace', '--pid', '1', '--event', 'cycles'], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--event is not for bpftrace') as string,
  });
  expect(await callCli(['live', 'pprof', 'ftp://x/'], { env })).toMatchObject({ code: 2 });
  const nothing = await callCli(['live', 'pprof', 'http://127.0.0.1:1/', '--text'], { env });
  expect(nothing).toMatchObject({ code: 4, stderr: expect.stringContaining('nothing is listening') as string });
  const noDisplay = { ...env, DISPLAY: '', WAYLAND_DISPLAY: '' };
  expect(await callCli(['live', '--pid', '1'], { env: noDisplay })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /no display for a window; print here with --text, or start flamebench serve/,
    ) as string,
  });
  const unseen = await callCli(['live', '--pid', '2147483647'], { env: { ...env, DISPLAY: ':0' } });
  expect(unseen).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('there is no process 2147483647') as string,
  });
  const gone = await callCli(['live', '--pid', '2147483647', '--text'], { env });
  expect(gone.code).not.toBe(0);
  expect(gone.stderr).toContain('there is no process 2147483647');
});
