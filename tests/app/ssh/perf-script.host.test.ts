import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordCallers } from '../../support/dwarf-recording.ts';
import { needing } from '../../support/needing.ts';
import { sshHosts, startSshHost, type SshHost } from '../../support/sshd.ts';
import { expectClean, runCliOn, startCli, until, type CliUnderWay } from './remote-recording.ts';

/** A perf that prints a sample and then runs until it is stopped. */
const ENDLESS_PERF = `#!/bin/sh
case $1 in
  --version) echo perf version 6.1.0 ;;
  script)
    cat /proc/self/fd/3 >/dev/null
    printf '# ========\\n#\\napp 7/7 1.0: 1 cycles: \\n\\t1 f+0x1 (/a)\\n\\n'
    sleep 1000
    ;;
esac
`;

needing(sshHosts, () => {
  const user = { folder: mkdtempSync(join(tmpdir(), 'ssh-script-')) };
  let file = '';
  let host: SshHost;
  let endless: SshHost;
  beforeAll(async () => {
    file = recordCallers(join(user.folder, 'app'));
    const slow = { home: { 'bin/perf': ENDLESS_PERF }, env: { PATH: '/home/fb-test/bin:/usr/bin:/bin' } };
    [host, endless] = await Promise.all([startSshHost(), startSshHost(slow)]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([host.dispose(), endless.dispose()]);
    rmSync(user.folder, { recursive: true });
  });

  test('reads a file on a host, and leaves nothing there', async () => {
    const output = join(user.folder, 'out.txt');
    const run = await runCliOn(user, host, 'perf-script', file, '--target', host.destination, '-o', output, '--json');
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('perf script -i /proc/self/fd/3') });
    const answer = JSON.parse(run.stdout) as { samples: number; recorded: number };
    expect(answer.samples).toBe(answer.recorded);
    const top = await runCliOn(user, host, 'top', output, '--json');
    expect(JSON.parse(top.stdout)).toMatchObject({ format: 'perf-script' });
    await expectClean(host);
  });

  /** Resolves when perf is running there and its text is arriving. */
  async function underWay(output: string): Promise<CliUnderWay> {
    const cli = startCli(user, endless, ['perf-script', file, '--target', endless.destination, '-o', output]);
    await until(() => endless.processes().some((line) => line.includes('sleep 1000')), 'perf on the host', 30_000);
    return cli;
  }

  const outputs = (): string[] => readdirSync(user.folder).filter((name) => /\.part$|never/.test(name));

  test('Ctrl-C cancels it there and here', async () => {
    const cli = await underWay(join(user.folder, 'never.txt'));
    cli.child.kill('SIGINT');
    const { code, stderr } = await cli.ended;
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/Cancelled; nothing was kept/);
    expect(outputs()).toEqual([]);
    await expectClean(endless);
  });

  test('leaves nothing on the host if it is killed', async () => {
    const cli = await underWay(join(user.folder, 'killed.txt'));
    cli.child.kill('SIGKILL');
    await cli.ended;
    await expectClean(endless);
  });
});
