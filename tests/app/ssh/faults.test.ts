import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { needing } from '../../support/needing.ts';
import { countSamples } from '../../support/perf-recording.ts';
import { sshHosts, startSshHost, type SshHost, type SshHostOptions } from '../../support/sshd.ts';
import {
  captureFolders,
  captureIn,
  expectClean,
  libraryOf,
  reopened,
  runCliOn,
  startBusyOn,
  startRecording,
  textIn,
  until,
  untilText,
  type UserFolder,
} from './remote-recording.ts';

const folder = mkdtempSync(join(tmpdir(), 'ssh-faults-'));
const hosts: SshHost[] = [];
let users = 0;

afterAll(async () => {
  await Promise.all(hosts.map((host) => host.dispose()));
  rmSync(folder, { recursive: true });
});

async function newHost(options: SshHostOptions = {}): Promise<SshHost> {
  const host = await startSshHost(options);
  hosts.push(host);
  return host;
}

const newUser = (): UserFolder => ({ folder: join(folder, `user-${users++}`) });

/** What is kept of a recording that was cut off opens, and says so. */
async function expectIncomplete(user: UserFolder, ...codes: string[]): Promise<void> {
  const capture = await reopened(user);
  expect(capture).toMatchObject({ state: 'finished', incomplete: true });
  expect(capture.diagnostics.map(({ code }) => code)).toEqual(expect.arrayContaining(codes));
  const text = textIn(captureFolders(user)[0]!);
  expect(capture.samples).toBeGreaterThan(10);
  expect(capture.samples).toBe(countSamples(text));
}

needing(sshHosts, () => {
  describe.concurrent('the end of a recording over ssh leaves nothing on the host', { timeout: 120_000 }, () => {
    test('the link is cut: what had arrived is kept; once it is back the host is recorded again', async () => {
      const host = await newHost({ link: true });
      const busy = await startBusyOn(host);
      const user = newUser();
      const cli = startRecording(user, host, busy.pid);
      await untilText(user, cli);
      await host.cutLink();
      await expectClean(host);
      const { code, stderr } = await cli.ended;
      expect(code).toBe(4);
      expect(stderr).toMatch(/^flamebench: .*connection.*$/m);
      await expectIncomplete(user);

      await host.restoreLink();
      const again = await runCliOn(user, host, 'ps', '--target', host.destination);
      expect(again.code).toBe(0);
    });

    test('the link stalls for less than 8 s: nothing is lost', async () => {
      const host = await newHost({ link: true });
      const busy = await startBusyOn(host);
      const user = newUser();
      const cli = startRecording(user, host, busy.pid);
      const capture = await untilText(user, cli);
      await host.cutLink();
      await host.restoreLink();
      const before = textIn(capture).length;
      await until(() => textIn(capture).length > before + 5000, 'more text', 60_000);
      cli.child.kill('SIGINT');
      expect(await cli.ended).toMatchObject({ code: 0 });
      expect(captureIn(capture)).toMatchObject({ incomplete: false, lostSamples: 0 });
      await expectClean(host);
    });

    test('the server and its sessions are killed', async () => {
      const host = await newHost();
      const busy = await startBusyOn(host);
      const user = newUser();
      const cli = startRecording(user, host, busy.pid);
      await untilText(user, cli);
      host.killServer();
      const { code, stderr } = await cli.ended;
      expect(code).toBe(4);
      expect(stderr).toMatch(/^flamebench: .*connection.*$/m);
      await expectClean(host);
      await expectIncomplete(user);
    });

    test('kill -9 of Flamebench: the next start keeps what had arrived', async () => {
      const host = await newHost();
      const busy = await startBusyOn(host);
      const user = newUser();
      const cli = startRecording(user, host, busy.pid);
      await untilText(user, cli);
      cli.child.kill('SIGKILL');
      await cli.ended;
      await expectClean(host);
      await expectIncomplete(user);
    });

    test('stop keeps, cancel discards', async () => {
      const host = await newHost();
      const busy = await startBusyOn(host);
      const user = newUser();
      const stopped = startRecording(user, host, busy.pid);
      const capture = await untilText(user, stopped);
      stopped.child.kill('SIGINT');
      expect(await stopped.ended).toMatchObject({ code: 0 });
      await expectClean(host);
      expect(captureIn(capture)).toMatchObject({ state: 'finished', incomplete: false });

      const other = newUser();
      const cancelled = startRecording(other, host, busy.pid);
      await untilText(other, cancelled);
      cancelled.child.kill('SIGINT');
      cancelled.child.kill('SIGTERM');
      expect(await cancelled.ended).toMatchObject({ code: 4 });
      expect(readdirSync(libraryOf(other)).filter((name) => !name.startsWith('.'))).toEqual([]);
      await expectClean(host);
    });

    test('the process that is recorded ends', async () => {
      const host = await newHost();
      const busy = await startBusyOn(host);
      const user = newUser();
      const cli = startRecording(user, host, busy.pid);
      const capture = await untilText(user, cli);
      busy.kill('SIGKILL');
      const { code, stdout } = await cli.ended;
      expect(code).toBe(0);
      expect(stdout).toMatch(/ended/);
      expect(captureIn(capture)).toMatchObject({ state: 'finished' });
      await expectClean(host);
    });
  });
});
