import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { needing } from '../../support/needing.ts';
import { countSamples } from '../../support/perf-recording.ts';
import { sshHosts, startSshHost, type SshHost, type SshHostOptions } from '../../support/sshd.ts';
import {
  captureFolders,
  captureIn,
  expectClean,
  reopened,
  runCliOn,
  startBusyOn,
  startCli,
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

/** Ends the host, so that other tests get the processor. */
async function end(host: SshHost): Promise<void> {
  await expectClean(host);
  await host.dispose();
}

const newUser = (): UserFolder => ({ folder: join(folder, `user-${users++}`) });

const lost = (host: SshHost): RegExp =>
  new RegExp(
    `^flamebench: the capture is incomplete: The connection to ${host.user}@${host.address}:${host.port} was lost after [\\d.]+ s; data received until then is kept\\.`,
    'm',
  );

/** Checks that the data kept of a recording that was cut off opens and reports it. */
async function expectIncomplete(user: UserFolder, code: 'link-lost' | 'cut-off'): Promise<void> {
  const capture = await reopened(user);
  expect(capture).toMatchObject({ state: 'finished', incomplete: true });
  expect(capture.diagnostics[0]).toMatchObject({ code });
  const text = textIn(captureFolders(user)[0]!);
  expect(capture.samples).toBeGreaterThan(10);
  expect(capture.samples).toBe(countSamples(text));
  // It ends with a complete sample.
  expect(text.endsWith('\n\n')).toBe(true);
}

needing(sshHosts, () => {
  describe.concurrent('the end of a recording over ssh leaves nothing on the host', { timeout: 240_000 }, () => {
    test('a cut link keeps what had arrived; the host records again when it is back', async () => {
      const host = await newHost({ link: true });
      const busy = await startBusyOn(host);
      const user = newUser();
      const cli = startRecording(user, host, busy.pid);
      await untilText(user, cli);
      await host.cutLink();
      await expectClean(host);
      const { code, stderr } = await cli.ended;
      expect(code).toBe(4);
      expect(stderr).toMatch(lost(host));
      await expectIncomplete(user, 'link-lost');

      await host.restoreLink();
      const again = await runCliOn(user, host, 'ps', '--target', host.destination);
      expect(again.code).toBe(0);
      await end(host);
    });

    test('a link that stalls for less than 8 s loses nothing', async () => {
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
      await end(host);
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
      expect(stderr).toMatch(lost(host));
      await end(host);
      await expectIncomplete(user, 'link-lost');
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
      const { code, stderr } = await runCliOn(user, host, 'ps', '--target', host.destination);
      expect(code).toBe(0);
      expect(stderr).toMatch(/^note: .*: the recording of .* was interrupted; nothing was left running$/m);
      await end(host);
      await expectIncomplete(user, 'cut-off');
    });

    test('as root with sudo: cut link; kill -9', async () => {
      const host = await newHost({ link: true, sudo: 'without password' });
      const busy = await startBusyOn(host, { user: false });
      const [cut, killed] = [newUser(), newUser()];
      const cli = startRecording(killed, host, busy.pid, '--sudo');
      await untilText(killed, cli);
      cli.child.kill('SIGKILL');
      await expectClean(host);
      await expectIncomplete(killed, 'cut-off');

      const second = startRecording(cut, host, busy.pid, '--sudo');
      await untilText(cut, second);
      await host.cutLink();
      await expectClean(host);
      expect(await second.ended).toMatchObject({ code: 4 });
      await expectIncomplete(cut, 'link-lost');
      await end(host);
    });

    test('stop keeps; a second signal leaves at once, and loses nothing', async () => {
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
      const left = startRecording(other, host, busy.pid);
      await untilText(other, left);
      const perf = host.processes().find((line) => /^\d+ \S*perf record /.test(line));
      // Otherwise it could end before the second signal.
      await host.execute(['kill', '-STOP', perf!.split(' ')[0]!]);
      left.child.kill('SIGINT');
      await sleep(1500);
      left.child.kill('SIGTERM');
      const { code, stderr } = await left.ended;
      expect(code).toBe(143);
      expect(stderr).toMatch(/^exited at once: .* are kept/m);
      await expectClean(host);
      await expectIncomplete(other, 'cut-off');
      await end(host);
    });

    test('the recorded process ends', async () => {
      const host = await newHost();
      const busy = await startBusyOn(host);
      const user = newUser();
      const cli = startRecording(user, host, busy.pid);
      const capture = await untilText(user, cli);
      busy.kill('SIGKILL');
      expect(await cli.ended).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`note: Process ${busy.pid} ended after`),
      });
      expect(captureIn(capture)).toMatchObject({ state: 'finished', incomplete: false });
      await end(host);
    });

    test('one of two concurrent recordings ends, the other continues', async () => {
      const host = await newHost();
      const busy = await startBusyOn(host);
      const [one, other] = [newUser(), newUser()];
      const [first, second] = [startRecording(one, host, busy.pid), startRecording(other, host, busy.pid)];
      await untilText(one, first);
      const capture = await untilText(other, second);
      first.child.kill('SIGINT');
      expect(await first.ended).toMatchObject({ code: 0 });
      const before = textIn(capture).length;
      await until(() => textIn(capture).length > before + 5000, 'more text', 60_000);
      second.child.kill('SIGINT');
      expect(await second.ended).toMatchObject({ code: 0 });
      await end(host);
    });
  });

  describe.concurrent('odd hosts', { timeout: 240_000 }, () => {
    const forShortTime = ['--seconds', '2'];

    test('without perf: reports it, and how to install it', async () => {
      const host = await newHost({ without: ['perf'] });
      const { code, stderr } = await startRecording(newUser(), host, 1).ended;
      expect(code).toBe(4);
      expect(stderr).toBe(
        "flamebench: can't record: perf is not installed; run: sudo apt install linux-perf (more: flamebench help perf)\n",
      );
      await end(host);
    });

    test('with a full disk: nothing is written there', async () => {
      const host = await newHost({ tmpBytes: 16_384, sudo: 'without password' });
      await host.execute(['sh', '-c', 'head -c 20000 /dev/zero >/tmp/full; chmod 600 /tmp/full']);
      const user = newUser();
      const busy = await startBusyOn(host);
      expect(await startRecording(user, host, busy.pid, ...forShortTime).ended).toMatchObject({ code: 0 });
      expect(await reopened(user)).toMatchObject({ state: 'finished', incomplete: false });
      const launched = newUser();
      const program = ['--', 'sh', '-c', 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; exit 3'];
      const run = await runCliOn(launched, host, 'record', 'perf', '--target', host.destination, ...program);
      expect(run).toMatchObject({ code: 3, stdout: 'done\n' });
      expect(await reopened(launched)).toMatchObject({ state: 'finished', incomplete: false });
      const asRoot = newUser();
      const sudo = await startRecording(asRoot, host, busy.pid, ...forShortTime, '--sudo').ended;
      expect(sudo).toMatchObject({ code: 0 });
      expect(await reopened(asRoot)).toMatchObject({ state: 'finished', incomplete: false });
      const { stdout } = await runCliOn(user, host, 'doctor', '--target', host.destination);
      expect(stdout).toMatch(/^warning +disk-space: 0\.0 GiB free in \/tmp\n +→ free some space/m);
      await host.execute(['mount', '-t', 'tmpfs', '-o', 'nr_inodes=1,mode=1777', 'tmpfs', '/tmp']);
      const refused = await startRecording(newUser(), host, busy.pid, ...forShortTime, '--sudo').ended;
      expect(refused.code).toBe(4);
      expect(refused.stderr).toMatch(
        /^flamebench: can't start "\/bin\/sh" on \S+: can’t create a temporary folder: .*\/tmp\/flamebench-.*: No space left on device$/m,
      );
      await host.execute(['umount', '/tmp']);
      await host.execute(['rm', '/tmp/full']);
      await end(host);
    });

    test.each<SshHostOptions>([{ locale: 'de_DE' }, { tools: 'busybox' }])('with %o', async (options) => {
      const host = await newHost(options);
      const user = newUser();
      const busy = await startBusyOn(host);
      const cli = startRecording(user, host, busy.pid);
      const capture = await untilText(user, cli);
      cli.child.kill('SIGINT');
      expect(await cli.ended).toMatchObject({ code: 0 });
      expect(captureIn(capture)).toMatchObject({ incomplete: false, samples: countSamples(textIn(capture)) });
      expect((await startRecording(newUser(), host, 99_999).ended).stderr).toMatch(/there is no process 99999/);
      await end(host);
    });

    test('paths with spaces and quotes', async () => {
      const folder = `/home/it's a "dir"`;
      const program = `${folder}/pro g'ram`;
      const host = await newHost({
        env: { TMPDIR: '/home/fb-test/temp files' },
        home: { 'temp files/.keep': '' },
        root: {
          [program]:
            '#!/bin/sh\ni=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; sed s/^/out-/; echo "<$1>" >&2; exit 9\n',
        },
      });
      const user = newUser();
      const words = ['--', program, `a 'b' "c" $HOME`];
      const args = ['record', 'perf', '--target', host.destination, ...words];
      const run = await startCli(user, host, args, Buffer.from('one\ntwo\n')).ended;
      // Its three streams and its exit code come through the link.
      expect(run).toMatchObject({
        code: 9,
        stdout: 'out-one\nout-two\n',
        stderr: expect.stringContaining(`<${words[2]}>\n`),
      });
      expect(await reopened(user)).toMatchObject({ incomplete: false });
      await end(host);
    });
  });
});
