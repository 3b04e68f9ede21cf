import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needing } from '../../../support/needing.ts';
import { runCli } from '../../../support/run-cli.ts';
import { sshHosts, startSshHost } from '../../../support/sshd.ts';

needing(sshHosts, () => {
  test('a login shell that takes 4 s is named, and paid about twice by ps and thrice by a recording', async () => {
    const host = await startSshHost({ shell: 'bash', home: { '.bashrc': 'sleep 4\n' } });
    onTestFinished(() => host.dispose());
    const folder = mkdtempSync(join(tmpdir(), 'cli-slow-login-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'ssh_config'), host.clientConfigText);
    const env = {
      FLAMEBENCH_SSH_CONFIG: join(folder, 'ssh_config'),
      FLAMEBENCH_CONFIG: join(folder, 'config'),
      FLAMEBENCH_LIBRARY: join(folder, 'library'),
    };
    const timed = async (command: readonly string[], ...rest: readonly string[]) => {
      const started = performance.now();
      const { code, stderr } = await runCli([...command, '--target', host.alias, ...rest], { env });
      expect(stderr).toMatch(/^note: \S+: its login shell takes \d+ s to start a command\. Shorten .*~\/\.bashrc/m);
      return { code, seconds: (performance.now() - started) / 1000 };
    };
    const ps = await timed(['ps']);
    expect(ps.code).toBe(0);
    // Each of its 12 channels used to wait for a login, about 30 s together; those of a recording 75 s.
    expect(ps.seconds).toBeLessThan(18);
    const recorded = await timed(['record', 'perf'], '--seconds', '1', '--', 'sh', '-c', 'while :; do :; done');
    expect(recorded.code).toBe(130);
    expect(recorded.seconds).toBeLessThan(35);
  });
});
