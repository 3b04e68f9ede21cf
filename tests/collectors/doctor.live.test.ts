import { expect, test } from 'vitest';
import { checkSchema, type Check } from '#core/contract/schemas.ts';
import { runDoctor } from '#collectors/doctor.ts';
import { readElfFacts } from '#collectors/target/elf.ts';
import type { Target } from '#collectors/target/target.ts';
import { endStartedProcesses, startBusy, startIdle, startReady } from '../support/busy-process.ts';
import { checkPerfEnds, target } from '../support/perf-recording.ts';

endStartedProcesses();
checkPerfEnds();

async function doctor(pid: number | null, on: Target = target): Promise<Map<string, Check>> {
  const checks = new Map<string, Check>();
  for await (const check of runDoctor(on, pid)) {
    checkSchema.parse(check);
    expect(`${check.found}${check.remedy ?? ''}`).not.toContain('\n');
    checks.set(check.id, check);
  }
  return checks;
}

const MACHINE = [
  'target',
  'kernel',
  'cpus',
  'memory',
  'clock',
  'tools',
  'disk-space',
  'privilege',
  'sudo',
  'limits',
  'ptrace',
  'stap',
  'bpftrace',
  'perf',
  'perf-events',
  'perf-event-paranoid',
  'kernel-symbols',
  'call-graph-fp',
  'call-graph-dwarf',
  'call-graph-lbr',
  'objdump',
];

test('checks this machine', async () => {
  const checks = await doctor(null);
  expect([...checks.keys()]).toEqual(MACHINE);
  for (const id of ['target', 'kernel', 'cpus', 'memory', 'clock', 'tools', 'perf', 'perf-events']) {
    expect(checks.get(id)).toMatchObject({ id, status: 'ok' });
  }
});

test('names the package to install without perf, and runs the other checks', async () => {
  const checks = await doctor(null, { ...target, findExecutable: () => Promise.resolve(null) });
  expect(checks.get('perf')).toMatchObject({ status: 'failed', remedy: expect.stringContaining('install') });
  expect(checks.get('objdump')).toMatchObject({ status: 'warning', remedy: expect.stringContaining('binutils') });
  expect(checks.get('disk-space')?.status).toBe('ok');
});

test('reports what can’t be determined as unknown', async () => {
  const checks = await doctor(null, {
    ...target,
    readRanges: (ranges) =>
      Promise.resolve(ranges.map(({ path }) => (path === '/proc/version' ? new Uint8Array() : null))),
    run: (argv, options) => target.run(argv[0]?.endsWith('perf') ? argv : ['true'], options),
  });
  const statuses = ['kernel', 'cpus', 'memory', 'clock', 'privilege', 'perf-event-paranoid', 'disk-space'].map(
    (id) => checks.get(id)?.status,
  );
  expect(statuses).toEqual(Array.from({ length: 7 }, () => 'unknown'));
});

test('has only one check for a target on which nothing runs', async () => {
  const checks = await doctor(null, { ...target, run: () => Promise.reject(new Error('no')) });
  expect([...checks.values()]).toMatchObject([{ id: 'target', status: 'failed', remedy: expect.any(String) }]);
});

test('checks a busy process without frame pointers and symbols', async () => {
  const checks = await doctor(startBusy().pid);
  expect(checks.get('process')).toMatchObject({ status: 'ok', found: expect.stringContaining('sh (') });
  expect(checks.get('symbols')).toMatchObject({ status: 'warning', remedy: expect.stringContaining('dbgsym') });
  expect(checks.get('jit-map')).toMatchObject({ status: 'ok' });
  expect(checks.get('process-access')).toMatchObject({ status: 'ok' });
  expect(checks.has('process-limits')).toBe(true);
  expect(checks.get('stacks')).toMatchObject({ status: 'warning', remedy: expect.any(String) });
});

test('checks an idle Node process', async () => {
  const node = await startReady('node', ['-e', 'setTimeout(() => {}, 60_000); console.log("ready")']);
  const checks = await doctor(node.pid);
  expect(checks.get('jit-map')).toMatchObject({
    status: 'warning',
    remedy: expect.stringContaining('--perf-basic-prof'),
  });
  expect(checks.get('stacks')).toMatchObject({ status: 'unknown', found: expect.stringContaining('too few') });
  expect(checks.get('inspector')).toMatchObject({ status: 'ok', found: expect.stringContaining('SIGUSR1 opens it') });
});

test('fails for a process that does not exist', async () => {
  expect((await doctor(4_194_303)).get('process')).toMatchObject({ status: 'failed' });
});

test('reads symbols of executables', async () => {
  const node = await readElfFacts(target, process.execPath);
  expect(node?.symbols).toBe(true);
  const shell = await readElfFacts(target, `/proc/${startIdle().pid}/exe`);
  expect(shell).toMatchObject({ symbols: false, debugInfo: false });
  expect(shell?.debugFile).toMatch(/^\/usr\/lib\/debug\/\.build-id\/[0-9a-f]{2}\/[0-9a-f]{38}\.debug$/);
  expect(await readElfFacts(target, '/etc/passwd')).toBeNull();
  expect(await readElfFacts(target, '/nonexistent')).toBeNull();
});
