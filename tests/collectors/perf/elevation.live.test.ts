import { expect, test } from 'vitest';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { describePlan } from '#collectors/describe-plan.ts';
import { asForRoot, offerSudo, planElevation } from '#collectors/perf/collector.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { commandStep } from '#collectors/collector.ts';

const options: PerfOptions = {
  collector: 'perf',
  scope: { kind: 'system' },
  rateHz: 99,
  event: null,
  callGraph: 'fp',
  seconds: null,
  asRoot: true,
};
const local = createLocalTarget();
const elsewhere: Target = { ...local, kind: 'ssh', root: { sudoArgv: () => Promise.resolve(null), run: local.run } };
const sudo = ['/usr/bin/sudo', '--', '/bin/sh', '-c', 'x y'];

test.each<[string, Target, readonly string[] | null, Partial<PerfOptions>, string]>([
  ['another host', elsewhere, sudo, {}, 'ok'],
  ['this machine', local, null, {}, 'failed sudo is for other hosts'],
  ['a host without sudo', elsewhere, null, {}, 'failed there is no sudo'],
  ['perf’s own stream', elsewhere, sudo, { keepPerfData: true }, 'failed perf’s raw stream can’t be kept'],
])('root on %s: %s', (_name, target, argv, more, expected) => {
  const { sudo: planned, check } = planElevation(target, argv, { ...options, ...more });
  expect(`${check.status} ${check.found}`).toMatch(new RegExp(`^${expected}`));
  expect(planned).toEqual(check.status === 'ok' ? argv : null);
  expect(check.remedy === null).toBe(check.status === 'ok');
});

test('passes checks that fail only for the user', () => {
  const refused = { id: 'perf-event-paranoid', status: 'failed', found: 'it is 4', remedy: 'lower it' } as const;
  expect(asForRoot(refused)).toEqual({ ...refused, status: 'ok', found: 'it is 4; root can', remedy: null });
  const missing = { id: 'perf', status: 'failed', found: 'perf is not installed', remedy: 'install it' } as const;
  expect(asForRoot(missing)).toBe(missing);
});

test('offers sudo for a refusal that it would avoid, if there is sudo', () => {
  const refused = (code: string) => ({ works: false, failure: { code, message: 'no', remedy: 'lower it' } }) as const;
  const remedyOf = (code: string, argv: readonly string[] | null): unknown => {
    const trial = offerSudo(refused(code), argv);
    return trial.works ? null : trial.failure.remedy;
  };
  expect(remedyOf('perf-refused', sudo)).toBe('record as root with --sudo, or lower it');
  expect(remedyOf('other-user', sudo)).toBe('record as root with --sudo, or log in as its user');
  expect(remedyOf('perf-refused', null)).toBe('lower it');
  expect(remedyOf('unknown-event', sudo)).toBe('lower it');
});

test('shows a plan as it runs: a command per line, a pipeline in one line, preceded by sudo', () => {
  const steps = [
    ['perf', 'record', '-o', '-', '--', "it's"],
    ['perf', 'script'],
  ].map(commandStep);
  expect(describePlan({ steps, piped: false, sudo: null })).toEqual([`perf record -o - -- 'it'\\''s'`, 'perf script']);
  expect(describePlan({ steps, piped: true, sudo })).toEqual([
    `# as root, under Flamebench’s watchdog: /usr/bin/sudo -- /bin/sh -c 'x y'`,
    `perf record -o - -- 'it'\\''s' | perf script`,
  ]);
});
