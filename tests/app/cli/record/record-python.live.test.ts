import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openLibrary } from '#app/engine/library/library.ts';
import { inTerminal } from '../../../support/in-terminal.ts';
import { needing } from '../../../support/needing.ts';
import { HOT_PYTHON, PY_SPY_FOLDER, pySpy } from '../../../support/py-spy.ts';
import { endPythonPrograms, startPythonProgram } from '../../../support/python-program.ts';
import { LAUNCHER, runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-python-'));
const library = join(folder, 'library');
const env = {
  ...process.env,
  FLAMEBENCH_CONFIG: join(folder, 'config'),
  PATH: `${PY_SPY_FOLDER}:${process.env['PATH']}`,
};

endPythonPrograms();
afterAll(() => rmSync(folder, { recursive: true }));

const capturesIn = async (path: string) => {
  const kept = await openLibrary(path);
  const { captures } = await kept.list();
  kept.close();
  return captures;
};

needing(pySpy, () => {
  test('shows the plan, records, and lists the functions', async () => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    const words = ['--pid', String(pid), '--seconds', '2', '--gil', '--library', library];
    const dry = await runCli(['record', 'python', ...words, '--dry-run'], { env });
    expect(dry.stdout).toMatch(/^# py-spy pauses the process .*\n\/bin\/sh -c .* --duration 2 --gil /);
    const file = join(folder, 'out.speedscope.json');
    const { code, stderr } = await runCli(['record', 'python', ...words, '-o', file], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: dry.stdout });
    const [capture] = await capturesIn(library);
    expect(capture).toMatchObject({
      state: 'finished',
      primaryFile: 'raw.speedscope.json',
      collector: { id: 'python', toolVersion: '0.4.3' },
      process: { pid, runtime: 'python' },
    });
    const top = await runCli(['top', file]);
    expect(top.stdout.split('\n').find((line) => /^ +\S+ +\d+\.?\d*% /.test(line))).toMatch(/ hot$/);
  });

  test('is proposed for CPython: the command without a terminal, a question in one', async () => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    const words = ['--pid', String(pid), '--seconds', '1', '--library', join(folder, 'asked')];
    const plain = await runCli(['record', ...words], { env });
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toContain(`process ${pid} is Python: python samples its functions`);
    expect(plain.stderr).toContain(`flamebench record python --pid ${pid} --seconds 1`);
    const asked = inTerminal(env, [LAUNCHER, 'record', ...words]);
    await asked.said(/pauses the process while it reads each sample\.\s+Record it with python\? \[Y\/n\] /);
    asked.pty.write('y\r');
    expect(await asked.ended, asked.shown()).toBe(0);
    expect(await capturesIn(join(folder, 'asked'))).toMatchObject([{ options: { collector: 'python' } }]);
  });

  test.each([
    [[], 2, /no process given; give --pid N/],
    [['--pid', '1', '--seconds', '601'], 2, /whole number from 1 to 600/],
    [['--pid', '1', '--rate', '0'], 2, /whole number from 1 to 1000/],
    [['--pid', '1', '--gil', '--idle'], 2, /--gil and --idle exclude each other/],
    [['--pid', '1', '--native', '--nonblocking'], 2, /--native needs pauses/],
    [['--pid', '1', '--py-spy', '/nowhere'], 3, /can't read \/nowhere/],
    [['--pid', '1', '--py-spy', '/etc/passwd'], 3, /\/etc\/passwd is not the py-spy that is sent/],
    [['--', 'python3', 'a.py'], 2, /too many arguments/],
    [['--pid', '4194303'], 4, /there is no process/],
  ])('record python %j exits with %i', async (args, code, message) => {
    const run = await runCli(['record', 'python', ...args], { env });
    expect(run.stderr).toMatch(message);
    expect(run.code).toBe(code);
  });
});
