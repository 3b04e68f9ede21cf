import { expect, test } from 'vitest';
import type { Check } from '#core/contract/schemas.ts';
import { checkMaps, checkOwnLimits, checkProcessLimits, checkPtrace } from '#collectors/doctor/limit-checks.ts';
import { checkMachine } from '#collectors/doctor/machine-checks.ts';
import { checkPrivilege } from '#collectors/doctor/privilege-checks.ts';
import { checkStap } from '#collectors/doctor/stap-check.ts';
import { parseSurvey, type Survey } from '#collectors/doctor/survey.ts';
import { createLocalTarget } from '#collectors/target/local.ts';

const NOW = 1_795_000_000_000;
const survey = (...lines: string[]): Survey => parseSurvey(lines.join('\n'), { before: NOW, after: NOW + 50 });
const sshTarget = { ...createLocalTarget(), kind: 'ssh', host: 'web1' } as const;

function machine(id: string, ...lines: string[]): Check | undefined {
  return [...checkMachine(sshTarget, survey(...lines))].find((check) => check.id === id);
}

test.each([
  [[`date=${NOW + 20}000000`, 'clock-source=tsc'], 'ok', /in sync, source tsc/],
  [[`date=${NOW + 20}000000`, 'clock-source=hpet'], 'warning', /hpet is slow/],
  // busybox prints seconds, followed by the unknown letters of the format.
  [[`date=${NOW / 1000}%N`], 'ok', /in sync/],
  [[`date=${NOW / 1000 - 60}`], 'warning', /59\.0 s off/],
  [[`date=${NOW + 10_050}000000`], 'warning', /10\.0 s off/],
  [['date=Sat'], 'unknown', /can’t be read/],
])('clock of %j: %s', (lines, status, found) => {
  expect(machine('clock', ...lines)).toMatchObject({ status, found: expect.stringMatching(found) });
});

const TOOLS = ['setsid', 'timeout', 'mkfifo', 'dd'].map((name) => `tool-${name}=/usr/bin/${name}`);
const without = (name: string): string[] => TOOLS.filter((line) => !line.startsWith(`tool-${name}=`));

test.each([
  [TOOLS, 'ok', /^sh, setsid, timeout$/],
  [without('setsid'), 'failed', /setsid missing/],
  [without('mkfifo'), 'warning', /no mkfifo/],
  [without('timeout'), 'ok', /not needed: timeout/],
])('tools %j: %s', (lines, status, found) => {
  expect(machine('tools', ...lines)).toMatchObject({ status, found: expect.stringMatching(found) });
});

const DISK = ['temp=/tmp', 'temp-writable=yes'];

test.each([
  [[...DISK, 'disk=tmpfs 9000000 10 8999990 1% /tmp'], 'ok', /^8\.6 GiB free in \/tmp$/],
  [[...DISK, 'disk=tmpfs 9000000 8999990 10 99% /tmp'], 'warning', /^0\.0 GiB free/],
  [[...DISK, 'disk=x 9000000 10 8999990 1% /tmp', 'inodes=x 10 5 5 50% /tmp'], 'warning', /only 5 free inodes/],
  [[...DISK, 'disk=x 9000000 10 8999990 1% /tmp', 'inodes=x 0 0 0 - /tmp'], 'ok', /8\.6 GiB/],
  [['temp=/mnt/x', 'disk=x 9000000 10 8999990 1% /'], 'failed', /\/mnt\/x can’t be written/],
  [DISK, 'unknown', /can’t be read/],
])('disk space %j: %s', (lines, status, found) => {
  expect(machine('disk-space', ...lines)).toMatchObject({ status, found: expect.stringMatching(found) });
});

test.each([
  [[], 'unknown', /no cgroup v2/],
  [['own-cgroup=/a', 'own-cpu.max=max 100000', 'own-memory.max=max', 'own-pids.max=max'], 'ok', /^none$/],
  [['own-cgroup=/a', 'own-pids.max=500', 'own-pids.max=max'], 'ok', /^500 tasks$/],
  // The lowest limit of the groups above applies.
  [['own-cgroup=/a/b', 'own-cpu.max=max 100000', 'own-cpu.max=50000 100000'], 'warning', /0\.5 CPUs/],
  [['own-cgroup=/a', 'own-memory.max=67108864'], 'warning', /64 MiB/],
])('own limits %j: %s', (lines, status, found) => {
  expect(checkOwnLimits(survey(...lines))).toMatchObject({ status, found: expect.stringMatching(found) });
});

test('reports that a process waits for its CPU share', () => {
  const limited = ['process-cgroup=/a', 'process-cpu.max=150000 100000'];
  expect(checkProcessLimits(survey(...limited, 'process-throttled=0'))).toMatchObject({
    status: 'ok',
    found: '1.5 CPUs',
  });
  expect(checkProcessLimits(survey(...limited, 'process-throttled=7'))).toMatchObject({
    status: 'warning',
    found: expect.stringContaining('in 7 periods'),
  });
  expect(checkProcessLimits(survey())).toMatchObject({ status: 'unknown' });
});

test('reports which processes are visible', () => {
  expect(checkPtrace(survey('sees-others=yes', 'ptrace-scope=1'))).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('ptrace_scope is 1'),
  });
  expect(checkPtrace(survey())).toMatchObject({ status: 'warning', found: expect.stringContaining('hidepid') });
  expect(checkMaps(survey('maps=yes')).status).toBe('ok');
  expect(checkMaps(survey()).status).toBe('warning');
});

test.each([
  [true, ['uid=0', 'user=root'], 'ok', 'ok', /not needed/],
  [false, ['uid=1000', 'user=ada'], 'warning', 'absent', /not installed/],
  [false, ['uid=1', 'tool-sudo=/usr/bin/sudo', 'sudo=free'], 'warning', 'ok', /^without a password$/],
  [
    false,
    ['uid=1', 'tool-sudo=/usr/bin/sudo', 'sudo=no: sudo: a password is required'],
    'warning',
    'ok',
    /asks for a password/,
  ],
  [
    false,
    ['uid=1', 'tool-sudo=/usr/bin/sudo', 'sudo=no: ada is not in the sudoers file.'],
    'warning',
    'warning',
    /refused \(ada is not/,
  ],
  [false, ['uid=1', 'perf-capabilities=/usr/bin/perf cap_perfmon=ep'], 'ok', 'absent', /not installed/],
  [null, [], 'unknown', 'absent', /not installed/],
])('privilege %j %j', (privileged, lines, privilege, sudo, found) => {
  const checks = [...checkPrivilege(survey(...lines), privileged)];
  expect(checks).toMatchObject([{ status: privilege }, { status: sudo, found: expect.stringMatching(found) }]);
});

const KERNEL = ['modules=yes', 'kernel-config=CONFIG_MODULES=y CONFIG_KPROBES=y CONFIG_UPROBES=y read'];
const BUILD = ['headers=yes', 'tool-gcc=/usr/bin/gcc', 'tool-make=/usr/bin/make', 'vmlinux=/boot/vmlinux'];
const STAP = 'tool-stap=/usr/bin/stap';

test.each([
  [[STAP, ...KERNEL, ...BUILD, 'uid=0'], 'ok', /^\/usr\/bin\/stap$/, null],
  [[STAP, ...KERNEL, ...BUILD, 'uid=7', 'groups=ada stapusr stapdev'], 'ok', /^\/usr\/bin\/stap$/, null],
  [[STAP, ...KERNEL, ...BUILD, 'uid=7', 'groups=ada'], 'warning', /groups stapusr and stapdev/, /usermod/],
  [
    [STAP, ...KERNEL, 'uid=0'],
    'warning',
    /headers .*, gcc and make, debuginfo/,
    /linux-headers-\$\(uname -r\).*stap-prep/,
  ],
  [
    [STAP, ...KERNEL, ...BUILD, 'uid=0', 'lockdown=none [integrity] confidentiality'],
    'warning',
    /lockdown: integrity/,
    /mokutil/,
  ],
  [[...KERNEL, ...BUILD, 'uid=0'], 'absent', /not installed; perf does not need it/, /apt install systemtap/],
  [['tool-staprun=/usr/bin/staprun', ...KERNEL, 'uid=0'], 'ok', /staprun, without stap: .*--build-on/, null],
  [['tool-staprun=/usr/bin/staprun', ...KERNEL, 'uid=7'], 'warning', /stapusr and stapdev/, /usermod/],
  [[STAP, 'kernel-config=read', ...BUILD, 'uid=0'], 'warning', /can’t work on this kernel/, null],
  [['kernel-config=read', ...BUILD, 'uid=0'], 'absent', /can’t work on this kernel/, null],
])('stap %j: %s', (lines, status, found, remedy) => {
  expect(checkStap(survey(...lines), ['debian'])).toMatchObject({
    status,
    found: expect.stringMatching(found),
    remedy: remedy === null ? null : expect.stringMatching(remedy),
  });
});

test('treats a target’s output as data: keys that objects have, and lines without a key', () => {
  const odd = survey('__proto__=x', 'no key', '=y', 'kernel=a=b');
  expect([odd.one('__proto__'), odd.one('constructor'), odd.one('kernel'), odd.one('')]).toEqual([
    'x',
    null,
    'a=b',
    'y',
  ]);
});
