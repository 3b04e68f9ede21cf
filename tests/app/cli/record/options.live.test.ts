import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { CliError } from '#app/cli/errors.ts';
import { perfRow, readPerfRequest, type PerfRequest } from '#app/cli/record/perf/options.ts';
import type { Target } from '#collectors/target/target.ts';
import { outputName } from '#app/cli/record/report.ts';

function read(...args: string[]): PerfRequest {
  const command = new Command().exitOverride();
  perfRow.declare(command);
  command.parse(args, { from: 'user' });
  return readPerfRequest(command);
}

describe('--interleave', () => {
  test('takes two commands, with three runs of each by default', () => {
    const request = read('--interleave', '--', 'old', '-v', '--', 'new', '--fast');
    expect([...request.scopes[0]!, request.repeat, request.into]).toEqual([
      { kind: 'command', argv: ['old', '-v'] },
      { kind: 'command', argv: ['new', '--fast'] },
      3,
      undefined,
    ]);
    expect(read('--interleave', '--repeat', '1', '--', 'a', '--', 'b').repeat).toBe(1);
  });

  test('takes two processes, and may add to an experiment', () => {
    const request = read(
      '--interleave',
      '--before-pid',
      '10',
      '--after-pid',
      '11',
      '--seconds',
      '5',
      '--into',
      'cache',
    );
    expect(request.scopes).toMatchObject([[{ pid: 10 }, { pid: 11 }]]);
    expect(request.options.seconds).toBe(5);
    expect(request.into?.experimentId).toBe('cache');
  });
});

test('takes one process for all targets or one for each', () => {
  const pids = read('--target', 'a', '--pid', '1', '--target', 'b', '--pid', '2');
  expect([pids.targets, pids.scopes]).toMatchObject([
    ['a', 'b'],
    [[{ pid: 1 }], [{ pid: 2 }]],
  ]);
  const named = read('--target', 'a', '--target', 'b', '--process', 'nginx');
  expect(named.scopes).toEqual([[{ kind: 'process', name: 'nginx' }], [{ kind: 'process', name: 'nginx' }]]);
  expect(read('--system').targets).toEqual(['local']);
});

test('takes a process’s start, of one process only', () => {
  expect(read('--pid', '7', '--start-ticks', '4242').scopes).toEqual([[{ kind: 'pid', pid: 7, startTicks: '4242' }]]);
});

test('leaves a second -- to the command if it is not given', () => {
  const request = read('--', 'npm', 'run', 'x', '--', 'y');
  expect(request.scopes).toEqual([[{ kind: 'command', argv: ['npm', 'run', 'x', '--', 'y'] }]]);
  expect(request.repeat).toBe(1);
  expect(read('--into', 'cache', '--side', 'after', '--', 'a').into).toEqual({ experimentId: 'cache', side: 'after' });
});

test.each([
  [['--interleave', '--', 'a'], /needs two commands/],
  [['--interleave', '--', 'a', '--', 'b', '--', 'c'], /three or more commands/],
  [['--interleave', '--', 'a', '--'], /the command of the after side is empty/],
  [['--interleave'], /the before side is missing/],
  [['--interleave', '--before-pid', '1'], /the after side is missing/],
  [['--interleave', '--before-pid', '1', '--after-pid', '2'], /--interleave needs an end for each run/],
  [['--interleave', '--before-pid', '1', '--after-pid', '1', '--seconds', '1'], /both sides are process 1/],
  [['--interleave', '--before-pid', '1', '--', 'a', '--', 'b'], /processes and commands can’t be combined/],
  [['--interleave', '--system', '--seconds', '1'], /--interleave records two sides/],
  [['--pid', '1', '--after-pid', '2'], /--before-pid and --after-pid name the sides of --interleave/],
  [['--system', '--start-ticks', '1'], /--start-ticks belongs to one process/],
  [['--target', 'a', '--target', 'b', '--pid', '1', '--pid', '2', '--start-ticks', '1'], /belongs to one process/],
  [['--side', 'before', '--', 'a'], /give --into EXPERIMENT/],
  [['--into', 'x', '--', 'a'], /--into x needs a side/],
  [['--pid', '1', '--pid', '2'], /--pid is given 2 times for 1 target; name one process/],
  [['--target', 'a', '--target', 'b', '--pid', '1'], /once for 2 targets; PIDs differ between hosts/],
  [['--process', 'nginx', '--system'], /can’t be combined/],
  [['--interleave', '--process', 'nginx', '--seconds', '1'], /--interleave records two sides/],
  [['--into', 'x', '--side', 'after', '--interleave', '--', 'a', '--', 'b'], /--interleave records both sides/],
])('refuses %j', (args, line) => {
  let error: unknown;
  try {
    read(...args);
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(CliError);
  const { message, remedy } = error as CliError;
  expect(`${message}; ${remedy}`).toMatch(line);
});

test('numbers the files of a series, by side if there are two', () => {
  expect(outputName('out.txt', null, null)).toBe('out.txt');
  expect(outputName('a.b/out', { id: 's', run: 1, of: 3 }, null)).toBe('a.b/out-2');
  const names = [0, 1, 2, 3].map((run) =>
    outputName('out.txt', { id: 's', run, of: 4, side: run % 2 === 0 ? 'before' : 'after' }, null),
  );
  expect(names).toEqual(['out-before-1.txt', 'out-after-1.txt', 'out-before-2.txt', 'out-after-2.txt']);
  expect(outputName('out.txt', null, 'web1')).toBe('out-web1.txt');
  expect(outputName('out.txt', { id: 's', run: 0, of: 2 }, '../[::1]:22')).toBe('out-.._1_22-1.txt');
});

test('a command has its own folder and environment', async () => {
  const request = read('--cwd', '/srv/app', '--env', 'MODE=bench', '--env', 'EMPTY=', '--', './server');
  const [{ scope }] = await request.sides(0, { kind: 'ssh' } as Target, '');
  expect(scope).toEqual({ kind: 'command', argv: ['./server'], cwd: '/srv/app', env: ['MODE=bench', 'EMPTY='] });
  const relative = read('--cwd', 'app', '--', './server');
  const [{ scope: local }] = await relative.sides(0, { kind: 'local' } as Target, '');
  expect(local).toMatchObject({ cwd: join(process.cwd(), 'app') });
  await expect(relative.sides(0, { kind: 'ssh' } as Target, '')).rejects.toThrow('--cwd app: not an absolute path');
  expect(() => read('--cwd', '/srv', '--pid', '1')).toThrow(CliError);
  expect(() => read('--env', '1=x', '--', './server')).toThrow('Give NAME=VALUE.');
});
