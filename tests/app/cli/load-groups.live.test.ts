import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { LoadResult } from '#core/contract/load/result.ts';
import { controlGroups, makeControlGroup } from '../../support/control-group.ts';
import { freePort } from '../../support/free-port.ts';
import { needing } from '../../support/needing.ts';
import { openPodman } from '../../support/podman.ts';
import { runCli } from '../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'load-groups-'));
const script = join(folder, 'hop.mjs');
const podman = openPodman();
afterAll(() => {
  podman.close();
  rmSync(folder, { recursive: true });
});

/** PORT, and the port to forward requests to or 0. */
const PROGRAM = `
import { Agent, createServer, request } from 'node:http';
const [port, behind] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true });
createServer((_, answer) => {
  if (behind === 0) return answer.end('ok');
  request({ port: behind, host: '127.0.0.1', agent }, (found) => found.pipe(answer))
    .on('error', () => answer.writeHead(502).end()).end();
}).listen(port, '127.0.0.1');
`;

const answers = async (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    ({ ok }) => ok,
    () => false,
  );

needing(controlGroups, () => {
  test('--component watches what runs in a container and in a systemd unit, under real load', async () => {
    writeFileSync(script, PROGRAM);
    const [port, behind] = [await freePort(), await freePort()];
    const unit = makeControlGroup(`flamebench-test-${process.pid}.service`);
    try {
      const argv = (...words: (string | number)[]): string[] => [script, ...words.map(String)];
      const app = podman.start(
        'app-under-test',
        [process.execPath, ...argv(behind, 0)],
        [folder, dirname(process.execPath)],
        ['--network', 'host'],
      );
      const gateway = spawn(process.execPath, argv(port, behind), { stdio: 'ignore' });
      unit.enter(gateway.pid!);
      await expect.poll(() => answers(port), { timeout: 30_000 }).toBe(true);
      const components = ['--component', 'app=app-under-test', '--component', `gateway=${unit.path.slice(1)}`];
      const load = ['--concurrency', '2', '--seconds', '2', '--repeat', '1', '--warm-up', '0', '--threads', '1'];
      const { code, stdout, stderr } = await runCli(
        [
          'load',
          'run',
          `http://127.0.0.1:${port}/`,
          ...components,
          ...load,
          '--json',
          '--library',
          join(folder, 'library'),
        ],
        { env: podman.env },
      );
      expect(code, stderr).toBe(0);
      const [step] = (JSON.parse(stdout) as { steps: { runs: LoadResult[] }[] }).steps;
      const server = step!.runs[0]!.server!;
      const watched = server.map(({ name, pid }) => [name, pid]);
      expect(watched).toEqual([
        ['app', app],
        ['gateway', gateway.pid],
      ]);
      for (const { cores } of server) expect(cores).toBeGreaterThan(0);
    } finally {
      unit.remove();
    }
  });
});
