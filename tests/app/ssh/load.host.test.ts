import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needing } from '../../support/needing.ts';
import { sshHosts, startSshHost, type SshHost } from '../../support/sshd.ts';
import { expectClean, runCliOn, startBusyOn, startCli } from './remote-recording.ts';

interface Run {
  readonly host: string;
  readonly steps: readonly {
    readonly concurrency: number;
    readonly runs: readonly { readonly qps: number; readonly notes: readonly string[] }[];
  }[];
  readonly observed: readonly {
    readonly captures: readonly { readonly id: string; readonly pid: number }[];
    readonly vitals: readonly {
      readonly name: string;
      readonly pid: number;
      readonly series: readonly { readonly id: string }[];
    }[];
  }[];
}

needing(sshHosts, () => {
  test(
    'sends load from a host, watches and records root’s processes there and on another with sudo, and leaves nothing',
    { timeout: 300_000 },
    async () => {
      const user = { folder: mkdtempSync(join(tmpdir(), 'ssh-load-')) };
      // The host shares the network of this machine.
      const server = createServer((_, response) => void response.end('ok\n'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const [host, gateway] = [
        await startSshHost({ sudo: 'without password' }),
        await startSshHost({ sudo: 'without password' }),
      ];
      onTestFinished(async () => {
        server.closeAllConnections();
        server.close();
        await host.dispose();
        await gateway.dispose();
        rmSync(user.folder, { recursive: true });
      });
      const clientConfigFile = join(user.folder, 'ssh_config');
      writeFileSync(clientConfigFile, `${host.clientConfigText}\n${gateway.clientConfigText}`);
      const busy = await startBusyOn(host, { user: false });
      const other = await startBusyOn(gateway, { user: false });
      const load = (...args: string[]) =>
        startCli(user, { clientConfigFile }, ['load', ...args, '--target', host.destination]).ended;
      const short = ['--concurrency', '2', '--repeat', '1', '--warm-up', '0', '--threads', '1', '--seconds', '20'];
      const watched = ['--pid', `${busy.pid},${gateway.destination}=${other.pid}`, '--profile', 'perf', '--sudo'];
      const run = await load('run', url, ...short, ...watched, '--json');
      expect(run.code, run.stderr).toBe(0);
      const found = JSON.parse(run.stdout) as Run;
      expect(found.steps[0]!.runs[0]!.notes.filter((note) => note.startsWith('No profile'))).toEqual([]);
      expect(found.steps).toMatchObject([{ concurrency: 2, runs: [{}] }]);
      expect(found.steps[0]!.runs[0]!.qps).toBeGreaterThan(0);
      const [{ captures, vitals }] = found.observed as [Run['observed'][number]];
      expect(captures.map(({ pid }) => pid)).toEqual([busy.pid, other.pid]);
      const nameOn = ({ destination }: SshHost): string => `sh on ${destination.replace('ssh://', '')}`;
      expect(vitals).toMatchObject([
        { name: nameOn(host), pid: busy.pid },
        { name: nameOn(gateway), pid: other.pid },
      ]);
      for (const { series } of vitals)
        expect(series.map(({ id }) => id)).toEqual(expect.arrayContaining(['cpu', 'rss', 'threads']));
      const probe = await load('probe', url, '--repeat', '2');
      expect(probe.code, probe.stderr).toBe(0);
      expect(probe.stdout).toContain('2 probes · status 200');
      const without = await load('run', url, ...short, '--tool', 'hey');
      expect(without.stderr).toMatch(/hey is not installed on \S+; install it there .*--tool wrk/i);
      await expectClean(host);
      await expectClean(gateway);
    },
  );

  test('refuses to record with a sudo that asks for a password, before any load', { timeout: 120_000 }, async () => {
    const user = { folder: mkdtempSync(join(tmpdir(), 'ssh-load-')) };
    const host = await startSshHost({ sudo: 'with password' });
    onTestFinished(async () => {
      await host.dispose();
      rmSync(user.folder, { recursive: true });
    });
    const busy = await startBusyOn(host);
    const watched = ['--pid', `${busy.pid}`, '--profile', 'perf', '--sudo', '--target', host.destination];
    const run = await runCliOn(user, host, 'load', 'run', 'http://127.0.0.1:1/', '--concurrency', '2', ...watched);
    expect(run).toMatchObject({ code: 4, stdout: '' });
    expect(run.stderr).toMatch(
      /^flamebench: sudo on \S+ does not work without a password \(.*\)[.;] allow it in sudoers/im,
    );
  });
});
