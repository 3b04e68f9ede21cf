import { expect, test } from 'vitest';
import type { PerfCapabilities } from '#collectors/perf/capabilities.ts';
import { checkOptions, checkPerf, installAdvice } from '#collectors/perf/checks.ts';
import { readConfinement, type KernelSettings } from '#collectors/target/kernel-settings.ts';

const settings: KernelSettings = {
  isLinux: true,
  paranoid: 1,
  kptrRestrict: 0,
  kernelSymbols: true,
  privileged: false,
  confinement: { isUserNamespace: false, hasSeccompFilter: false, apparmorProfile: null },
  maxRateHz: 100_000,
  distributions: ['debian'],
};
const perf: PerfCapabilities = {
  perfPath: '/usr/bin/perf',
  version: '6.1.187',
  control: true,
  event: 'cycles',
  kernelSamples: true,
  callGraphs: new Map(),
  failure: null,
};

const statusOf = (id: string, capabilities: PerfCapabilities | null, changes: Partial<KernelSettings> = {}) =>
  checkPerf(capabilities, { ...settings, ...changes }).find((check) => check.id === id);

test('all are ok on a well-configured machine', () => {
  expect(checkPerf(perf, settings).map(({ id, status }) => `${id} ${status}`)).toEqual([
    'perf ok',
    'perf-events ok',
    'perf-event-paranoid ok',
    'kernel-symbols ok',
  ]);
});

test('reports only that this is not Linux', () => {
  expect(checkPerf(null, { ...settings, isLinux: false })).toEqual([
    expect.objectContaining({ id: 'perf', status: 'failed', found: 'perf records on Linux only' }),
  ]);
});

test('names the distribution’s package if perf is missing', () => {
  expect(statusOf('perf', null)).toEqual({
    id: 'perf',
    status: 'failed',
    found: 'perf is not installed',
    remedy: 'run: sudo apt install linux-perf',
  });
  expect(installAdvice(['linuxmint', 'ubuntu', 'debian'])).toContain('linux-tools-$(uname -r)');
  expect(installAdvice(['rocky', 'rhel', 'fedora'])).toContain('dnf install perf');
  expect(installAdvice([])).toContain('of your distribution');
});

test.each<[number | null, boolean, string, RegExp | null]>([
  [-1, false, 'ok', null],
  [1, false, 'ok', /=-1/],
  [2, false, 'warning', /perf_event_paranoid=1/],
  [2, true, 'ok', null],
  [3, false, 'failed', /perf_event_paranoid=1/],
  [4, false, 'failed', /perf_event_paranoid=1/],
  [null, false, 'unknown', null],
])('perf_event_paranoid %s, privileged %s: %s', (paranoid, privileged, status, remedy) => {
  const check = statusOf('perf-event-paranoid', perf, { paranoid, privileged });
  expect(check?.status).toBe(status);
  if (remedy === null) expect(check?.remedy).toBeNull();
  else expect(check?.remedy).toMatch(remedy);
});

test('warns of hidden kernel symbols if the kernel is recorded; unknown stays unknown', () => {
  expect(statusOf('kernel-symbols', perf, { kernelSymbols: false, kptrRestrict: 1 })).toMatchObject({
    status: 'warning',
    remedy: expect.stringContaining('kptr_restrict=0'),
  });
  expect(statusOf('kernel-symbols', perf, { kernelSymbols: false, kptrRestrict: 0 })?.remedy).toContain(
    'perf_event_paranoid=1',
  );
  expect(statusOf('kernel-symbols', { ...perf, kernelSamples: false }, { kernelSymbols: false })?.status).toBe('ok');
  expect(statusOf('kernel-symbols', perf, { kernelSymbols: null })?.status).toBe('unknown');
});

test('states the trial’s reason if no event works', () => {
  const failure = { code: 'perf-refused', message: 'refused', remedy: 'do this' };
  expect(statusOf('perf-events', { ...perf, event: null, failure })).toMatchObject({
    status: 'failed',
    found: 'refused',
    remedy: 'do this',
  });
});

test('lists only the obstacles to a recording', () => {
  const options = {
    collector: 'perf',
    scope: { kind: 'system' },
    rateHz: 50_000,
    event: null,
    callGraph: 'fp',
    seconds: null,
  } as const;
  const failure = { code: 'perf-refused', message: 'refused', remedy: 'do this' };
  const checks = checkOptions(options, { ...settings, maxRateHz: 10_000 }, { works: false, failure });
  expect(checks.map(({ id, status, remedy }) => [id, status, remedy])).toEqual([
    ['rate', 'failed', 'use --rate 10000 or less'],
    ['permission', 'failed', 'do this'],
  ]);
  expect(checkOptions(options, settings, { works: true }).map(({ status }) => status)).toEqual(['ok']);
});

test('names what confines this user, and blames it where perf is refused', () => {
  const none = settings.confinement;
  const refused = { code: 'perf-refused', message: 'refused', remedy: 'sysctl' };
  const said = (confinement: KernelSettings['confinement'], paranoid = 2, failure = refused) =>
    checkPerf({ ...perf, event: null, failure }, { ...settings, paranoid, confinement })
      .filter(({ id }) => ['perf-events', 'user-namespace', 'apparmor'].includes(id))
      .map(({ id, found }) => `${id}: ${found}`);
  expect(said(none)).toEqual(['perf-events: refused']);
  expect(said({ ...none, hasSeccompFilter: true })[0]).toContain('a seccomp filter applies');
  expect(said({ ...none, hasSeccompFilter: true }, 3)).toEqual(['perf-events: refused']);
  expect(said({ ...none, hasSeccompFilter: true }, 2, { ...refused, code: 'other' })).toEqual(['perf-events: refused']);
  expect(said({ ...none, isUserNamespace: true })).toEqual([
    'perf-events: the kernel does not let this user run perf: root in a user namespace is an ordinary user',
    'user-namespace: this is a user namespace: its root has no rights over the kernel',
  ]);
  expect(said({ ...none, apparmorProfile: 'docker-default' })[1]).toContain(
    'AppArmor’s profile docker-default applies',
  );
});

test.each([
  ['Seccomp:\t0\n', '         0          0 4294967295\n', 'unconfined\n', [false, false, null]],
  ['Seccomp:\t2\n', '0 1000 1\n', 'docker-default (enforce)\n', [true, true, 'docker-default']],
  ['Seccomp:\t1\n', '0 0 65536', 'snap.x (complain)\n', [true, false, null]],
  [null, null, null, [false, false, null]],
  ['', '', '\0', [false, false, null]],
])('confinement of %j, %j, %j', (status, uidMap, apparmor, expected) => {
  const { isUserNamespace, hasSeccompFilter, apparmorProfile } = readConfinement(status, uidMap, apparmor);
  expect([isUserNamespace, hasSeccompFilter, apparmorProfile]).toEqual(expected);
});
