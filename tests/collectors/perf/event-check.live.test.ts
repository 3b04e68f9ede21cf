import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { checkEvents } from '#collectors/perf/event-check.ts';
import type { Target } from '#collectors/target/target.ts';
import { commandsOf } from '#collectors/collector.ts';
import { target } from '../../support/perf-recording.ts';

afterAll(() => target.dispose());

/** Returns the target and a list that receives the argv of every command run on it. */
function watched(on: Target = target): { readonly target: Target; readonly argvs: string[][] } {
  const argvs: string[][] = [];
  return {
    argvs,
    target: {
      ...on,
      run: (argv, options) => {
        argvs.push([...argv]);
        return on.run(argv, options);
      },
    },
  };
}

const optionsFor = (event: string): PerfOptions => ({
  collector: 'perf',
  scope: { kind: 'system' },
  rateHz: 99,
  event,
  callGraph: 'fp',
  seconds: 1,
});

/** Makes a folder with sources that perf would compile and load, and makes it the working directory for the test. */
function attackFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-event-'));
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

describe('planning runs nothing with an event outside the grammar', () => {
  test.each(['evil.c', './evil.c', '{cycles,evil.c}', 'evil.c/map:m.event=1/', 'evil.o', 'evil.bpf', 'cycles,evil.c'])(
    '%s',
    async (event) => {
      const folder = attackFolder();
      // perf would compile these with clang, which reads the files that they include.
      for (const name of ['evil.c', 'evil.o', 'evil.bpf']) writeFileSync(join(folder, name), '#include "/dev/zero"\n');
      const { target: on, argvs } = watched();
      for (const text of [event, event.replace('evil', join(folder, 'evil'))]) {
        const { checks, plan } = await perfCollector.preflight(on, optionsFor(text));
        expect(plan).toBeNull();
        expect(checks.find(({ id }) => id === 'event')).toMatchObject({ status: 'failed' });
      }
      expect(argvs.flat().filter((argument) => argument.includes('evil'))).toEqual([]);
      expect(
        argvs.filter((argv) => argv.includes('record')).every((argv) => argv.slice(-2).join(' ') === '-- true'),
      ).toBe(true);
    },
  );

  test('refuses an event that is the name of a file', async () => {
    const folder = attackFolder();
    writeFileSync(join(folder, 'cpu-clock'), '');
    const { target: on, argvs } = watched();
    const { checks, plan } = await perfCollector.preflight(on, optionsFor('cpu-clock:u'));
    expect(plan).toBeNull();
    expect(checks.find(({ id }) => id === 'event')?.found).toMatch(/is a file/);
    expect(argvs.flat()).not.toContain('cpu-clock:u');
  });

  test('refuses an event that the target lacks', async () => {
    const { target: on, argvs } = watched();
    for (const event of ['no-such-event', 'no:tracepoint', 'nopmu/config=1/', 'software/no-such-term=1/']) {
      const { checks, plan } = await perfCollector.preflight(on, optionsFor(event));
      expect(plan).toBeNull();
      expect(checks.find(({ id }) => id === 'event')).toMatchObject({ status: 'failed', remedy: /perf list/ });
      expect(argvs.flat()).not.toContain(event);
    }
  });
});

test('tries existing events with a command of our own', async ({ skip }) => {
  const names = ['cpu-clock', 'cpu-clock:u', '{cpu-clock,page-faults}'];
  for (const event of names) {
    const { target: on, argvs } = watched();
    const { plan } = await perfCollector.preflight(on, optionsFor(event));
    if (plan === null) return skip('cpu-clock does not work here');
    expect(commandsOf(plan)[0]).toContain(event);
    const tried = argvs.filter((argv) => argv.includes(event));
    expect(tried.length).toBeGreaterThan(0);
    for (const argv of tried) expect(argv.slice(-2)).toEqual(['--', 'true']);
  }
});

/** A target with a tracing folder, a PMU, and a perf that lists one event. */
const pretended: Target = {
  ...target,
  stat: (path) =>
    Promise.resolve(
      path === '/sys/kernel/tracing/events/sched/sched_switch/format' ? { size: 1, uid: 0, modifiedAt: 0 } : null,
    ),
  listDirectory: (path) => {
    const names = {
      '/sys/kernel/tracing/events': ['sched'],
      '/sys/bus/event_source/devices/cpu': ['type', 'format', 'events'],
      '/sys/bus/event_source/devices/cpu/format': ['event', 'umask', 'ldlat'],
      '/sys/bus/event_source/devices/cpu/events': ['mem-loads'],
    }[path];
    return names === undefined ? Promise.reject(new Error(path)) : Promise.resolve(names);
  },
  run: (_argv, options) => target.run(['printf', 'mem_inst_retired.any cpu/topdown-fe/ '], options),
};

test.each([
  ['sched:sched_switch', null],
  ['sched:sched_nothing', /no tracepoint or probe sched:sched_nothing/],
  ['cpu/event=0xd1,umask=2,config1=3/u', null],
  ['cpu/mem-loads,ldlat=30/P', null],
  ['cpu/topdown-fe/', null],
  ['cpu/r1a8/', null],
  ['cpu/other=1/', /PMU cpu has no event or term other/],
  ['gpu/event=1/', /no PMU gpu/],
  ['mem_inst_retired.any:pp', null],
  ['mem_inst_retired.all', /perf lists no event mem_inst_retired.all/],
  ['r1a8', null],
  ['mem:0x10:rw', null],
])('%s is checked on the target', async (event, missing) => {
  const { status, found } = await checkEvents(pretended, 'perf', event, { asRoot: false });
  expect(status).toBe(missing === null ? 'ok' : 'failed');
  if (missing !== null) expect(found).toMatch(missing);
});

test('leaves a tracepoint that only root sees to perf if perf becomes root', async () => {
  const hidden: Target = { ...pretended, listDirectory: () => Promise.reject(new Error('EACCES')) };
  expect(await checkEvents(hidden, 'perf', 'sched:sched_switch', { asRoot: true })).toMatchObject({ status: 'ok' });
  const refused = await checkEvents(hidden, 'perf', 'sched:sched_switch', { asRoot: false });
  expect(refused).toMatchObject({ status: 'failed', found: expect.stringContaining('/sys/kernel/tracing') });
});
