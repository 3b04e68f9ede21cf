import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkRuntimeTool } from '#collectors/doctor.ts';
import { endStartedProcesses, startForTest, startIdle } from '../../../support/busy-process.ts';
import { target } from '../../../support/perf-recording.ts';
import { runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-runtimes-'));
endStartedProcesses();
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a process whose executable has the name of a runtime. */
function startNamed(name: string): number {
  const path = join(folder, name);
  if (!existsSync(path)) copyFileSync('/usr/bin/sleep', path);
  return startForTest(path, ['60']).pid;
}

test.each([
  ['php8.2', 'PHP: phpspy samples its functions', 'phpspy --pid=PID --time-limit-ms=10000 | stackcollapse-phpspy.pl'],
  ['php-fpm8.2', 'PHP: phpspy samples', 'open php.folded, which this command writes there: phpspy'],
  ['ruby3.1', 'Ruby: rbspy samples its functions', 'rbspy record --pid PID --duration 10 --format speedscope'],
  ['dotnet', '.NET: dotnet-trace samples its methods', 'dotnet-trace collect --process-id PID --duration 00:00:00:10'],
  ['beam.smp', 'Erlang: perf samples its native code', '; flamebench record perf --pid PID\n'],
])('%s: names the tool that samples its functions, and proposes perf', async (name, sees, command) => {
  const pid = startNamed(name);
  const { code, stdout, stderr } = await runCli(['record', '--pid', String(pid)]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`process ${pid} is ${sees}`);
  expect(stderr).toContain(`flamebench record perf --pid ${pid}`);
  expect(stderr).toContain(command.replace('PID', String(pid)));
  expect(stderr.trimEnd()).not.toContain('\n');
});

test('doctor says whether the tool is there, and nothing for other processes', async () => {
  const pid = startNamed('ruby3.1');
  const having = (path: string | null) => ({ ...target, findExecutable: () => Promise.resolve(path) });
  expect(await checkRuntimeTool(having('/opt/rbspy'), pid)).toMatchObject({
    id: 'rbspy',
    status: 'ok',
    found: expect.stringContaining(`/opt/rbspy: run rbspy record --pid ${pid} `),
  });
  expect(await checkRuntimeTool(having(null), pid)).toMatchObject({ id: 'rbspy', status: 'absent' });
  expect(await checkRuntimeTool(target, startNamed('beam.smp'))).toBeNull();
  expect(await checkRuntimeTool(target, startIdle().pid)).toBeNull();
  expect(await checkRuntimeTool(target, 4_194_303)).toBeNull();
});
