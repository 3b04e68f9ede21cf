import { describe, expect, test } from 'vitest';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { probePerf } from '#collectors/perf/capabilities.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { readKernelSettings } from '#collectors/target/kernel-settings.ts';
import type { Target } from '#collectors/target/target.ts';
import { commandsOf } from '#collectors/collector.ts';
import { endStartedProcesses, startBusy } from '../../support/busy-process.ts';
import { checkPerfEnds, target } from '../../support/perf-recording.ts';

endStartedProcesses();
checkPerfEnds();

/** Runs every command as user `nobody`. */
const asNobody: Target = {
  ...target,
  run: (argv, options) => target.run(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...argv], options),
};
const withoutPerf: Target = { ...target, findExecutable: () => Promise.resolve(null) };
/** Returns a target whose perf is the shell script. */
const withPerf = (script: string): Target => ({
  ...target,
  run: (argv, options) =>
    argv[0]?.endsWith('/perf') ? target.run(['sh', '-c', script, ...argv], options) : target.run(argv, options),
});

const optionsFor = (pid: number): PerfOptions => ({
  collector: 'perf',
  scope: { kind: 'pid', pid, startTicks: null },
  rateHz: 99,
  event: null,
  callGraph: 'fp',
  seconds: 1,
});

test('finds what works here by trying', async () => {
  const perf = await probePerf(target, ['fp', 'dwarf', 'lbr']);
  expect(perf?.perfPath).toMatch(/^\/.*perf/);
  expect(perf?.version).toMatch(/^\d+\.\d+/);
  expect(['cycles', 'cpu-clock']).toContain(perf?.event);
  expect(perf?.callGraphs.get('fp')).toEqual({ works: true });
  expect(perf?.callGraphs.get('dwarf')).toEqual({ works: true });
  expect([...(perf?.callGraphs.keys() ?? [])]).toEqual(['fp', 'dwarf', 'lbr']);
  expect(perf?.failure).toBeNull();
});

test('recognises an event for which perf substitutes cpu-clock', async () => {
  const perf = await probePerf(target, []);
  const { checks } = await perfCollector.preflight(target, optionsFor(startBusy().pid));
  const events = checks.find(({ id }) => id === 'perf-events');
  expect(events?.found).toMatch(perf?.event === 'cycles' ? /hardware counter/ : /cpu-clock is used/);
});

test('reads kernel settings, and reports absent ones as unknown', async () => {
  const settings = await readKernelSettings(target);
  expect(settings.paranoid).toBeTypeOf('number');
  expect(settings.privileged).toBe(process.getuid?.() === 0);
  const nothing = await readKernelSettings({
    ...target,
    readRanges: (ranges) => Promise.resolve(ranges.map(() => null)),
  });
  expect(nothing).toEqual({
    isLinux: false,
    paranoid: null,
    kptrRestrict: null,
    kernelSymbols: null,
    privileged: null,
    confinement: { isUserNamespace: false, hasSeccompFilter: false, apparmorProfile: null },
    maxRateHz: null,
    distributions: [],
  });
});

describe('without a plan there is a reason and a remedy', () => {
  test('if perf is missing', async () => {
    const { checks, plan } = await perfCollector.preflight(withoutPerf, optionsFor(startBusy().pid));
    expect(plan).toBeNull();
    expect(checks[0]).toMatchObject({ id: 'perf', status: 'failed', remedy: expect.stringMatching(/install/) });
  });

  test('if the kernel denies perf to a user', async ({ skip }) => {
    const { paranoid } = await readKernelSettings(target);
    if (process.getuid?.() !== 0 || (paranoid ?? 0) < 1)
      return skip('needs root, and kernel.perf_event_paranoid above 0');
    const permissionFor = async (on: Target, options: PerfOptions) => {
      const { checks, plan } = await perfCollector.preflight(on, options);
      expect(plan).toBeNull();
      return checks.find(({ id }) => id === 'permission');
    };
    const system = { ...optionsFor(1), scope: { kind: 'system' } } as const;
    expect(await permissionFor(asNobody, system)).toEqual({
      id: 'permission',
      status: 'failed',
      found: 'the kernel does not let this user run perf (kernel.perf_event_paranoid)',
      remedy: expect.stringContaining('sudo sysctl kernel.perf_event_paranoid=1'),
    });
    const stat: Target['stat'] = async (path) =>
      path === '/proc/self' ? { size: 0, uid: 65534, modifiedAt: 0 } : target.stat(path);
    expect(await permissionFor({ ...asNobody, stat }, optionsFor(startBusy().pid))).toMatchObject({
      found: expect.stringContaining('belongs to another user'),
      remedy: 'record as root or as that user',
    });
  });

  test('if perf on the path is a wrapper without a perf for this kernel', async () => {
    const broken = withPerf('echo "WARNING: perf not found for kernel 6.5.0-44" >&2; exit 2');
    const { checks, plan } = await perfCollector.preflight(broken, optionsFor(startBusy().pid));
    expect(plan).toBeNull();
    expect(checks.filter(({ status }) => status === 'failed').map(({ id }) => id)).toEqual(['perf', 'perf-events']);
  });

  test('if the event is unknown', async () => {
    const options = { ...optionsFor(startBusy().pid), event: 'no-such-event' };
    const { checks, plan } = await perfCollector.preflight(target, options);
    expect(plan).toBeNull();
    expect(checks.at(-1)).toMatchObject({
      id: 'event',
      status: 'failed',
      remedy: expect.stringContaining('perf list'),
    });
  });
});

test('records with an old perf without newer options', async () => {
  const old = withPerf(`
    for word; do case $word in
      --no-bpf-event|--control) echo "  Error: unknown option \\\`no-bpf-event'" >&2; exit 129;;
      --version) echo "perf version 4.19.1"; exit;;
    esac; done
    exec "$0" "$@"`);
  const { plan } = await perfCollector.preflight(old, optionsFor(startBusy().pid));
  expect(plan?.toolVersion).toBe('4.19.1');
  expect(commandsOf(plan!)[0]?.join(' ')).not.toMatch(/--control|--no-bpf-event/);
});
