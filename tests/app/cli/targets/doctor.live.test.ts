import { expect, test } from 'vitest';
import { checkSchema } from '#core/contract/schemas.ts';
import * as z from 'zod';
import { endStartedProcesses, startBusy } from '../../../support/busy-process.ts';
import { runCli } from '../../../support/run-cli.ts';

endStartedProcesses();

const shape = z.strictObject({ target: z.literal('local'), checks: z.array(z.strictObject(checkSchema.shape)) });

test('prints a line for each check, followed by its remedy', async () => {
  const { code, stdout, stderr } = await runCli(['doctor']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const line of stdout.trimEnd().split('\n')) {
    expect(line).toMatch(/^(?:(?:ok|absent|warning|failed|unknown) +[a-z-]+: \S.*| {10}→ \S.*)$/);
  }
  expect(stdout).toMatch(/^ok +perf: perf \d/m);
});

test('--json has the documented shape, including the process with --pid', async () => {
  const { code, stdout } = await runCli(['doctor', '--json', '--pid', String(startBusy().pid)]);
  expect(code).toBe(0);
  const { checks } = shape.parse(JSON.parse(stdout));
  expect(checks.map(({ id }) => id).slice(-7)).toEqual([
    'process',
    'container',
    'process-limits',
    'process-access',
    'symbols',
    'jit-map',
    'stacks',
  ]);
});

test.each([
  [['--pid', 'x'], /process ID/],
  [['--target', 'nowhere'], /unknown target "nowhere"/],
  [['extra'], /too many arguments/],
])('refuses %j as a usage error', async (args, line) => {
  const { code, stderr } = await runCli(['doctor', ...args]);
  expect(code).toBe(2);
  expect(stderr).toMatch(line);
  expect(stderr.trimEnd()).not.toContain('\n');
});
