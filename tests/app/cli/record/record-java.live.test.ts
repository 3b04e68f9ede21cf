import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { JAVA_CONSENT } from '#core/contract/java.ts';
import { inTerminal } from '../../../support/in-terminal.ts';
import { javaPrograms, jdk } from '../../../support/java-program.ts';
import { makeLockedFolder } from '../../../support/locked-folder.ts';
import { needing } from '../../../support/needing.ts';
import { LAUNCHER, runCli } from '../../../support/run-cli.ts';

const folder = makeLockedFolder('cli-java-');
const library = join(folder.path, 'library');
const env = { ...process.env, FLAMEBENCH_CONFIG: join(folder.path, 'config') };
afterAll(() => folder.remove());

needing(jdk, () => {
  const programs = javaPrograms();

  test('shows consent and the plan, records, and lists the methods', async () => {
    const { pid } = await programs.start();
    const words = ['--pid', String(pid), '--seconds', '2', '--library', library];
    const dry = await runCli(['record', 'java', ...words, '--dry-run']);
    expect(dry.stdout.replaceAll(/flamebench-[0-9a-f]{16}/g, 'NAME').replaceAll(/\/\S+\/jcmd/g, 'jcmd')).toBe(
      `# ${JAVA_CONSENT}\n` +
        `jcmd -J-XX:-UsePerfData ${pid} JFR.start 'name=NAME' 'settings=/tmp/flamebench-…/settings.jfc' 'filename=/tmp/flamebench-…/recording.jfr' 'duration=62s' 'maxsize=512M'\n` +
        `jcmd -J-XX:-UsePerfData ${pid} JFR.stop 'name=NAME'\n` +
        `cat '/tmp/flamebench-…/recording.jfr'\n`,
    );
    const out = join(folder.path, 'out.jfr');
    const { code, stdout } = await runCli(['record', 'java', ...words, '-o', out]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Java process \d+: [\d,]+ samples of jdk\.ExecutionSample/);
    expect((await runCli(['top', out])).stdout).toMatch(/^ +\d+ +\d+(?:\.\d+)?% .* Hot\.hot$/m);
  });

  test('without a collector, names it: the command without a terminal, a question in one', async () => {
    const { pid } = await programs.start({ idle: true });
    const plain = await runCli(['record', '--pid', String(pid)]);
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toContain(`process ${pid} is Java: java records its methods`);
    expect(plain.stderr).toContain(`flamebench record java --pid ${pid}`);
    const declined = inTerminal(env, [LAUNCHER, 'record', '--pid', String(pid)]);
    await declined.said(/until the JVM ends\.\s+Record it with java\? \[Y\/n\] /);
    declined.pty.write('n\r');
    expect(await declined.ended).toBe(0);
  });

  test.each([
    [['java'], 2, /no process given; give --pid N/],
    [['java', '--pid', '1', '--seconds', '4000'], 2, /whole number from 1 to 3600/],
    [['java', '--pid', '1', '--profile', 'heap'], 2, /flight-recorder, threads, async-profiler/],
    [['java', '--pid', '1', '--profile', 'threads', '--seconds', '3'], 2, /is a snapshot; leave out --seconds/],
    [['java', '--pid', '1', '--async-profiler', 'x'], 2, /is for --profile async-profiler; give both/],
    [['java', '--pid', String(process.pid)], 4, /runs node, not java; record it with perf/],
  ])('record %j exits with %i', async (args, code, message) => {
    const run = await runCli(['record', ...args]);
    expect(run.stderr).toMatch(message);
    expect(run.code).toBe(code);
  });
});
