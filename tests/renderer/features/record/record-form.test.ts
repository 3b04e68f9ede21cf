import { describe, expect, it } from 'vitest';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { collectorPages, EMPTY_FORM } from '../../../../renderer/features/record/collector-pages.ts';
import { recentCommands } from '../../../../renderer/features/record/perf/launch-fields.tsx';
import { readForm } from '../../../../renderer/features/record/record-form.ts';
import { isSameProcess, processColumns } from '../../../../renderer/features/targets/process-picker.tsx';

const process: ProcessRow = {
  pid: 812,
  startTicks: '1000',
  user: 'root',
  cpuPercent: 12.5,
  rssBytes: 1 << 20,
  threads: 4,
  startedAt: 0,
  name: 'server',
  command: './server --port 80',
  container: null,
  containerName: null,
  image: null,
  pod: null,
  unit: null,
  cgroup: null,
  innerPid: null,
  executable: null,
  buildId: null,
  runtime: 'go',
};

const perf = {
  collector: 'perf' as const,
  rateHz: 99,
  event: null,
  callGraph: 'fp' as const,
  seconds: null,
};

const processes = new Map([['local', process]]);

describe('the purpose of a recording', () => {
  const command = { ...EMPTY_FORM, scope: 'command', command: './server --cache off', repeat: '3' } as const;
  const inTurn = { kind: 'in-turn', experimentId: null } as const;

  it('keeps the folder and environment of a command, and refuses what is neither', () => {
    const form = { ...command, repeat: '1', cwd: ' /srv/app ', env: `MODE=bench NAME='two words'` } as const;
    const result = readForm(form);
    if (!result.ok) throw new Error(result.message);
    const { options } = result.params;
    expect(options.scope).toMatchObject({ cwd: '/srv/app', env: ['MODE=bench', 'NAME=two words'] });
    expect(readForm({ ...form, ...collectorPages.perf.fieldsOf(options) })).toEqual(result);
    expect(readForm({ ...form, cwd: 'app' })).toMatchObject({ field: 'cwd' });
    expect(readForm({ ...form, env: 'MODE' })).toMatchObject({ field: 'env' });
    expect(readForm({ ...form, env: 'TOKEN=‹redacted›' })).toMatchObject({ field: 'env' });
  });

  it('offers the commands of captures again, the newest first and each once', () => {
    const capture = (createdAt: number, argv: string[], env?: string[]) => ({
      createdAt,
      options: { ...perf, scope: { kind: 'command' as const, argv, ...(env === undefined ? {} : { env }) } },
    });
    const recent = recentCommands([capture(1, ['a']), capture(3, ['b'], ['X=1']), capture(2, ['a'])]);
    expect([...recent.keys()]).toEqual(['env X=1 b', 'a']);
    expect(recentCommands([capture(1, ['a'], ['TOKEN=‹redacted›'])]).size).toBe(0);
  });

  it('shares all other options between two alternating commands', () => {
    const result = readForm({ ...command, purpose: inTurn, afterCommand: './server --cache on' });
    if (!result.ok) throw new Error(result.message);
    const { options, after, into, repeat } = result.params;
    expect(options.scope).toEqual({ kind: 'command', argv: ['./server', '--cache', 'off'] });
    expect(after).toEqual({ ...options, scope: { kind: 'command', argv: ['./server', '--cache', 'on'] } });
    expect({ into, repeat }).toEqual({ into: undefined, repeat: 3 });
  });

  it('takes a snapshot of Java threads without a duration', () => {
    const java = { ...EMPTY_FORM, collector: 'java', processes, seconds: '' } as const;
    expect(readForm(java)).toMatchObject({ ok: false, field: 'seconds' });
    const result = readForm({ ...java, javaProfile: 'threads' });
    if (!result.ok) throw new Error(result.message);
    const { options } = result.params;
    expect(options).toMatchObject({ collector: 'java', profile: 'threads' });
    expect(collectorPages.java.fieldsOf(options)).toEqual({ javaProfile: 'threads' });
  });

  it('asks for a missing side by name, and allows the whole system for one side only', () => {
    expect(readForm({ ...command, purpose: inTurn })).toMatchObject({ field: 'afterCommand' });
    expect(readForm({ ...EMPTY_FORM, purpose: inTurn, processes })).toMatchObject({ field: 'afterProcesses' });
    expect(readForm({ ...EMPTY_FORM, purpose: inTurn, afterProcesses: processes })).toMatchObject({
      field: 'processes',
    });
    expect(readForm({ ...EMPTY_FORM, purpose: inTurn, scope: 'system' })).toMatchObject({ field: 'scope' });
  });

  it('adds captures to a side of an experiment, or each to its own', () => {
    const experimentId = 'experiment-1';
    const after = readForm({ ...command, purpose: { kind: 'side', experimentId, side: 'after' } });
    expect(after).toMatchObject({ params: { into: { experimentId, side: 'after' } } });
    const both = readForm({ ...command, purpose: { kind: 'in-turn', experimentId }, afterCommand: 'b' });
    expect(both).toMatchObject({ params: { into: { experimentId }, after: { scope: { argv: ['b'] } } } });
  });
});

describe('readForm', () => {
  it('identifies a process by PID and start time, so that a reused PID is noticed', () => {
    expect(readForm({ ...EMPTY_FORM, processes })).toEqual({
      ok: true,
      params: {
        targets: [{ target: 'local' }],
        options: {
          collector: 'perf',
          scope: { kind: 'pid', pid: 812, startTicks: '1000' },
          rateHz: 99,
          event: null,
          callGraph: 'fp',
          seconds: 10,
        },
        repeat: 1,
        pauseSeconds: 0,
        name: null,
      },
      limits: { maxCpus: 0.5 },
    });
  });

  it.each([
    [{ processes: new Map<string, ProcessRow>() }, 'processes'],
    [{ targets: [] }, 'targets'],
    [{ rate: '0' }, 'rate'],
    [{ rate: '1.5' }, 'rate'],
    [{ rate: '' }, 'rate'],
    [{ seconds: '-1' }, 'seconds'],
    [{ seconds: '0' }, 'seconds'],
    [{ seconds: '', repeat: '3' }, 'seconds'],
    [{ repeat: '101' }, 'repeat'],
    [{ pause: 'x' }, 'pause'],
    [{ scope: 'command', command: '' }, 'command'],
    [{ scope: 'command', command: 'a | b' }, 'command'],
  ] as const)('%j is refused at its field', (change, field) => {
    expect(readForm({ ...EMPTY_FORM, processes, ...change })).toMatchObject({ ok: false, field });
  });

  it('records until stopped if the duration is empty', () => {
    const result = readForm({ ...EMPTY_FORM, scope: 'system', seconds: ' ' });
    expect(result.ok && result.params.options).toMatchObject({ scope: { kind: 'system' }, seconds: null });
  });
});

describe('several hosts', () => {
  const targets = ['local', 'ssh://root@web-1'];
  it('take turns and have a budget of overhead if both are given', () => {
    const many = { ...EMPTY_FORM, scope: 'system', targets, wave: '1', maxOverhead: '0.5' } as const;
    expect(readForm(many)).toMatchObject({ ok: true, params: { wave: 1, maxOverhead: 0.005 } });
    expect(readForm({ ...many, wave: '0' })).toMatchObject({ ok: false, field: 'wave' });
    expect(readForm({ ...many, maxOverhead: '0' })).toMatchObject({ ok: false, field: 'maxOverhead' });
    const alone = readForm({ ...many, targets: ['local'], wave: 'x' });
    expect(alone.ok && Object.keys(alone.params)).not.toContain('wave');
  });
  const there = { ...process, pid: 77, startTicks: '3' };

  it('each have their own process', () => {
    expect(readForm({ ...EMPTY_FORM, targets, processes })).toMatchObject({
      field: 'processes',
      message: 'Choose a process on root@web-1.',
    });
    const both = new Map([...processes, ['ssh://root@web-1', there]]);
    expect(readForm({ ...EMPTY_FORM, targets, processes: both })).toMatchObject({
      params: {
        options: { scope: { kind: 'pid', pid: 812 } },
        targets: [{ target: 'local' }, { target: 'ssh://root@web-1', options: { scope: { kind: 'pid', pid: 77 } } }],
      },
    });
    const inTurn = { kind: 'in-turn', experimentId: null } as const;
    expect(readForm({ ...EMPTY_FORM, targets, purpose: inTurn, processes: both, afterProcesses: both })).toMatchObject({
      params: { targets: [{}, { after: { scope: { pid: 77 } } }] },
    });
  });

  it('run one command', () => {
    const result = readForm({ ...EMPTY_FORM, targets, scope: 'command', command: './server' });
    expect(result).toMatchObject({ params: { targets: targets.map((target) => ({ target })) } });
  });
});

describe('recipes', () => {
  it('compile on another target for SystemTap, which the fields of a further recording keep', () => {
    const form = { ...EMPTY_FORM, processes, buildOn: 'ssh://build1' } as const;
    const stap = readForm({ ...form, collector: 'stap' });
    if (!stap.ok) throw new Error(stap.message);
    expect(stap.params.options).toMatchObject({ collector: 'stap', buildOn: 'ssh://build1' });
    expect(collectorPages.stap.fieldsOf(stap.params.options)).toMatchObject({ buildOn: 'ssh://build1' });
    expect(readForm({ ...form, collector: 'bpftrace' })).not.toHaveProperty('params.options.buildOn');
  });
});

describe('process picker', () => {
  it('distinguishes a reused PID from the selected process', () => {
    expect(isSameProcess(process, { ...process, cpuPercent: 1 })).toBe(true);
    expect(isSameProcess(process, { ...process, startTicks: '1001' })).toBe(false);
  });

  it('sorts PIDs numerically although they can be filtered as text', () => {
    const [small, large] = [process, { ...process, pid: 10_000 }].map((row) => {
      const column = processColumns([row]).find(({ id }) => id === 'pid')!;
      return column.kind === 'text' ? column.text(0) : '';
    });
    expect(small! < large!).toBe(true);
    expect(large).toContain('10000');
  });
});
