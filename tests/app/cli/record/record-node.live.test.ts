import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openLibrary } from '#app/engine/library/library.ts';
import { NODE_CONSENT } from '#core/contract/node.ts';
import { endStartedProcesses, startIdle } from '../../../support/busy-process.ts';
import { inTerminal } from '../../../support/in-terminal.ts';
import { endNodePrograms, startNodeProgram } from '../../../support/node-program.ts';
import { HOT_PROGRAM } from '../../../support/node-program-source.ts';
import { LAUNCHER, runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-node-'));
const library = join(folder, 'library');
const env = { ...process.env, FLAMEBENCH_CONFIG: join(folder, 'config') };

endNodePrograms();
endStartedProcesses();
afterAll(() => rmSync(folder, { recursive: true }));

const capturesIn = async (path: string) => {
  const kept = await openLibrary(path);
  const { captures } = await kept.list();
  kept.close();
  return captures;
};

test('shows consent and the plan, records, and lists the functions', async () => {
  const { pid } = await startNodeProgram(process.execPath, HOT_PROGRAM);
  const words = ['--pid', String(pid), '--seconds', '2', '--library', library];
  const dry = await runCli(['record', 'node', ...words, '--dry-run']);
  expect(dry.stdout).toBe(`# ${NODE_CONSENT}\nsleep 62\nkill -s USR1 ${pid}\nGET http://127.0.0.1:<port>/json/list\n`);
  const { code, stderr } = await runCli(['record', 'node', ...words, '-o', join(folder, 'out.cpuprofile')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: dry.stdout });
  const [capture] = await capturesIn(library);
  expect(capture).toMatchObject({ state: 'finished', primaryFile: 'raw.cpuprofile', collector: { id: 'node' } });
  const shown = await runCli(['captures', 'show', capture!.id, '--library', library]);
  expect(shown.stdout).toMatch(/comment +event loop: used \d+ % of the time; delay p50/);
  expect((await runCli(['top', join(folder, 'out.cpuprofile')])).stdout).toMatch(/ hot$/m);
});

test('without a collector, names the one for the process: the command without a terminal, a question in one', async () => {
  const { pid } = await startNodeProgram(process.execPath, HOT_PROGRAM);
  const words = ['--pid', String(pid), '--seconds', '1', '--library', join(folder, 'asked')];
  const plain = await runCli(['record', ...words]);
  expect(plain).toMatchObject({ code: 2, stdout: '' });
  expect(plain.stderr).toContain(`process ${pid} is Node: node samples its JavaScript functions`);
  expect(plain.stderr).toContain(`flamebench record node --pid ${pid} --seconds 1`);
  const idle = await runCli(['record', 'node', '--pid', String(startIdle().pid)]);
  expect(idle).toMatchObject({ code: 4, stdout: '' });
  expect(idle.stderr).toMatch(/can't record: process \d+ runs sleep, not node; record it with perf/);
  const declined = inTerminal(env, [LAUNCHER, 'record', ...words]);
  await declined.said(
    /local users can run code in the process\.\s+Record it with node, or with both \(b\)\? \[Y\/n\/b\] /,
  );
  declined.pty.write('n\r');
  expect(await declined.ended).toBe(0);
  expect(declined.shown()).not.toContain('USR1');
  for (const answer of ['y', 'b']) {
    const asked = inTerminal(env, [LAUNCHER, 'record', ...words]);
    await asked.said(/Record it with node, or with both/);
    asked.pty.write(`${answer}\r`);
    expect(await asked.ended, asked.shown()).toBe(0);
  }
  const [both, alone] = await capturesIn(join(folder, 'asked'));
  expect(alone).toMatchObject({ options: { collector: 'node' }, primaryFile: 'raw.cpuprofile' });
  expect(both).toMatchObject({ options: { collector: 'node', withPerf: true }, primaryFile: 'raw.joined.flamebench' });
  expect(both!.collector!.commands.map(([program]) => program!.split('/').at(-1))).toEqual([
    'sleep',
    'kill',
    'perf',
    'perf',
  ]);
});

test.each([
  [['node'], 2, /no process given; give --pid N/],
  [['node', '--pid', '1', '--seconds', '4000'], 2, /whole number from 1 to 3600/],
  [['node', '--pid', '1', '--profile', 'wall'], 2, /Allowed choices are cpu, heap, async/],
  [['node', '--pid', '1', '--with', 'gdb'], 2, /Allowed choices are heap, perf/],
  [
    ['node', '--pid', '1', '--with', 'heap', 'perf', '--profile', 'async'],
    2,
    /--with heap perf is for --profile cpu, not async/,
  ],
  [['node', '--pid', '1', '--with', 'perf', '--profile', 'heap'], 2, /--with perf is for --profile cpu, not heap/],
  [['node', '--', 'node', 'a.js'], 2, /too many arguments/],
  [['--pid', 'x'], 2, /whole number/],
  [['--pid', '4194303'], 4, /there is no process/],
])('record %j exits with %i', async (args, code, message) => {
  const run = await runCli(['record', ...args]);
  expect(run.stderr).toMatch(message);
  expect(run.code).toBe(code);
});
