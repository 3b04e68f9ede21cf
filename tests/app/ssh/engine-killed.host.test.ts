import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Method, Params, Result } from '#core/contract/contract.ts';
import { PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import { startEngineProcess } from '../../e2e/engine-process.ts';
import { sendRequest } from '../engine/support/test-engine.ts';
import { needing } from '../../support/needing.ts';
import { processesIn } from '../../support/process-list.ts';
import { sshHosts, startSshHost, type SshHost } from '../../support/sshd.ts';
import {
  captureFolders,
  expectClean,
  libraryOf,
  reopened,
  runCliOn,
  startBusyOn,
  textIn,
  until,
} from './remote-recording.ts';

/** Calls the engine as its page does; `url` is the link that it printed. */
async function openSession(
  url: string,
): Promise<<M extends Method>(method: M, params: Params<M>) => Promise<Result<M>>> {
  const { origin, hash, host, port } = new URL(url);
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> => {
    const { text } = await sendRequest(Number(port), path, {
      method: 'POST',
      headers: { host, origin, ...headers },
      body: JSON.stringify(body),
    });
    return JSON.parse(text);
  };
  const fragmentToken = new URLSearchParams(hash.slice(1)).get('token');
  const { sessionToken } = (await post(PATHS.session, { fragmentToken })) as { sessionToken: string };
  return async <M extends Method>(method: M, params: Params<M>) => {
    const answer = await post(PATHS.rpc + method, params, { [TOKEN_HEADER]: sessionToken });
    const { ok, result } = answer as { ok: boolean; result: Result<M> };
    if (!ok) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return result;
  };
}

/** Lists ssh clients on this machine. */
const sshClientsOf = (host: SshHost): string[] =>
  processesIn(process.pid)
    .filter(({ name, command }) => name === 'ssh' && command.includes(host.address))
    .map(({ command }) => command);

needing(sshHosts, () => {
  test(
    'kill -9 of the engine leaves host and machine clean, and keeps what had arrived',
    { timeout: 180_000 },
    async () => {
      const user = { folder: mkdtempSync(join(tmpdir(), 'ssh-engine-')) };
      const host = await startSshHost();
      onTestFinished(async () => {
        await host.dispose();
        rmSync(user.folder, { recursive: true });
      });
      const busy = await startBusyOn(host);
      // Connected before, so that no confirmation is needed.
      expect(await runCliOn(user, host, 'ps', '--target', host.destination)).toMatchObject({ code: 0 });
      const engine = await startEngineProcess({
        library: libraryOf(user),
        config: join(user.folder, 'config'),
        env: { FLAMEBENCH_SSH_CONFIG: host.clientConfigFile },
      });
      onTestFinished(() => engine.close());
      const call = await openSession(engine.url);
      const { confirmation, hosts } = await call('record.plan', {
        targets: [{ target: host.destination }],
        options: {
          collector: 'perf',
          scope: { kind: 'pid', pid: busy.pid, startTicks: null },
          rateHz: 997,
          event: null,
          callGraph: 'fp',
          seconds: null,
        },
        repeat: 1,
        pauseSeconds: 0,
        name: null,
      });
      if (confirmation === null) throw new Error(`nothing to record: ${JSON.stringify(hosts)}`);
      await call('record.start', { confirmation });
      await until(() => textIn(captureFolders(user)[0] ?? '').length > 0, 'text of the recording', 60_000);
      expect(sshClientsOf(host)).not.toEqual([]);

      engine.process.kill('SIGKILL');
      await expectClean(host);
      await until(() => sshClientsOf(host).length === 0, 'the end of ssh', 30_000);
      expect(await reopened(user)).toMatchObject({ state: 'finished', incomplete: true, collector: { id: 'perf' } });
    },
  );
});
