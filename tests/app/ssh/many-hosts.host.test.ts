import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { busyAtTimes } from '../../support/busy-loop.ts';
import { needing } from '../../support/needing.ts';
import { sshHosts, startSshHost, type SshHost } from '../../support/sshd.ts';
import type { MachineProcess } from '../../support/test-machine.ts';
import { captureFolders, captureIn, expectClean, libraryOf, startCli, textIn, until } from './remote-recording.ts';

const HOSTS = 20;

/** Starts a process that is busy part of the time, because many of them share two processors. */
const startSomewhatBusy = (host: SshHost): Promise<MachineProcess> =>
  host.start(busyAtTimes(0.5, 5000), { user: true });

needing(sshHosts, () => {
  test(
    `records ${HOSTS} hosts at once, one of which cannot record and one of which is lost`,
    { timeout: 300_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'ssh-many-'));
      const hosts: SshHost[] = [];
      onTestFinished(async () => {
        await Promise.all(hosts.map((host) => host.dispose()));
        rmSync(folder, { recursive: true });
      });
      for (let at = 0; at < HOSTS; at += 5) {
        hosts.push(...(await Promise.all(Array.from({ length: 5 }, () => startSshHost()))));
      }
      const busy = await Promise.all(hosts.map(startSomewhatBusy));
      const [left, lost] = [hosts[7]!, hosts[3]!];
      busy[7]!.kill('SIGKILL');
      const user = { folder };
      const configs = hosts.map(({ clientConfigText }) => clientConfigText).join('\n');
      const clientConfigFile = join(folder, 'ssh_config');
      writeFileSync(clientConfigFile, configs);
      const targets = hosts.flatMap(({ destination }, index) => [
        '--target',
        destination,
        '--pid',
        `${busy[index]!.pid}`,
      ]);
      const cli = startCli(user, { clientConfigFile }, ['record', 'perf', ...targets, '--rate', '499']);
      const recorded = (): number => captureFolders(user).filter((capture) => textIn(capture).length > 0).length;
      await until(
        () => recorded() === HOSTS - 1,
        () => `text of all hosts; ${recorded()} have some; it said:\n${cli.said()}`,
        240_000,
      );
      lost.killServer();
      const captures = (): CaptureDocument[] => captureFolders(user).map(captureIn);
      await until(() => captures().some(({ state }) => state === 'finished'), 'the end of the lost one', 60_000);
      cli.child.kill('SIGINT');
      const { code, stderr } = await cli.ended;
      expect(code).toBe(4);
      expect(stderr).toMatch(new RegExp(`^${left.destination} is left out: there is no process ${busy[7]!.pid}`, 'm'));
      expect(captures().every(({ state }) => state === 'finished')).toBe(true);
      const incomplete = captures().filter((capture) => capture.incomplete);
      expect(incomplete.map(({ diagnostics }) => diagnostics[0])).toMatchObject([
        { code: 'link-lost', message: expect.stringContaining(lost.address) },
      ]);
      for (const host of hosts) await expectClean(host);

      const library = await openLibrary(libraryOf(user));
      const { experiments } = await (await openExperiments(library)).list();
      library.close();
      expect(experiments.map(({ experiment }) => experiment.before.captures.length)).toEqual([HOSTS - 1]);
    },
  );
});
