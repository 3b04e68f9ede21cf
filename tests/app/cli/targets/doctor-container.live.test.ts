import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { Check } from '#core/contract/schemas.ts';
import { openPodman } from '../../../support/podman.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');
const DOCTOR = [process.execPath, `${root}/app/cli/flamebench.mjs`, 'doctor', '--json'];
const checksOf = (printed: string): Check[] => (JSON.parse(printed) as { checks: Check[] }).checks;
const find = (checks: readonly Check[], id: string): Check | undefined => checks.find((check) => check.id === id);

describe('the doctor inside a container', () => {
  const podman = openPodman();
  afterAll(() => podman.close());
  const mounts = [root, dirname(process.execPath)];
  // The doctor exits with 4 if a check fails; its output is read in that case, too.
  const doctor = (...options: string[]): Check[] =>
    checksOf(podman.run(['/usr/bin/sh', '-c', '"$@" || true', 'sh', ...DOCTOR], mounts, options));

  test('names the seccomp filter that refuses perf, and the remedy', () => {
    const refused = find(doctor(), 'perf-events');
    expect(refused).toMatchObject({
      status: 'failed',
      found: 'the kernel refuses perf: a seccomp filter applies, as in containers',
    });
    expect(refused?.remedy).toContain('--cap-add PERFMON --security-opt seccomp=unconfined');
    const allowed = doctor('--cap-add', 'PERFMON', '--security-opt', 'seccomp=unconfined');
    expect(find(allowed, 'perf-events')).toMatchObject({ status: 'ok' });
  });
});

test('the doctor does not take the root of a user namespace for real root', () => {
  const argv = ['--user', '--map-root-user', 'sh', '-c', '"$@" || true', 'sh', ...DOCTOR];
  const checks = checksOf(execFileSync('unshare', argv, { encoding: 'utf8' }));
  expect(find(checks, 'user-namespace')).toMatchObject({
    status: 'warning',
    found: 'this is a user namespace: its root has no rights over the kernel',
  });
  expect(find(checks, 'privilege')).toMatchObject({ status: 'warning' });
});
