import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { needing } from '../../support/needing.ts';
import { runCli } from '../../support/run-cli.ts';
import { sshHosts, startSshHost, type SshHost } from '../../support/sshd.ts';

needing(sshHosts, () => {
  const folder = mkdtempSync(join(tmpdir(), 'load-sources-'));
  const hosts: SshHost[] = [];
  /** Connections that are open at a time, at most. */
  let most = 0;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    let open = 0;
    server = createServer((_, answer) => void answer.end('ok'));
    server.on('connection', (socket) => {
      most = Math.max(most, (open += 1));
      socket.on('close', () => (open -= 1));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    hosts.push(...(await Promise.all([startSshHost(), startSshHost(), startSshHost({ without: ['wrk'] })])));
    writeFileSync(join(folder, 'ssh_config'), hosts.map(({ clientConfigText }) => clientConfigText).join('\n'));
    vi.stubEnv('FLAMEBENCH_SSH_CONFIG', join(folder, 'ssh_config'));
    vi.stubEnv('FLAMEBENCH_CONFIG', join(folder, 'config'));
    vi.stubEnv('FLAMEBENCH_LIBRARY', join(folder, 'library'));
  }, 180_000);

  afterAll(async () => {
    vi.unstubAllEnvs();
    server.close();
    for (const host of hosts) await host.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const SHORT = ['--seconds', '1', '--repeat', '1', '--warm-up', '0', '--threads', '1', '--no-pid'];
  const load = (...words: string[]) => runCli(['load', 'run', url, ...SHORT, ...words]);

  test('two hosts send at one moment; connections are divided, and latencies merged', async () => {
    const [one, other] = hosts as [SshHost, SshHost];
    const words = ['--target', one.alias, '--source', other.alias, '--concurrency', '1,5'];
    const planned = await load(...words, '--dry-run');
    expect(planned.stdout).toMatch(/ together sends .*\n(?: +\S+wrk -t 1 -c [123] .* -s latencies\.lua http.*\n){3}$/);
    const { code, stdout, stderr } = await load(...words, '--json');
    expect(code, stderr).toBe(0);
    const { steps } = JSON.parse(stdout) as {
      steps: {
        runs: { concurrency: number; requests: number; latency: { buckets: { count: number }[] }; notes: string[] }[];
      }[];
    };
    const [first, second] = steps.map(({ runs: [run] }) => run!);
    expect([first!.concurrency, second!.concurrency]).toEqual([1, 5]);
    expect(second!.requests).toBeGreaterThan(0);
    // wrk may add latencies that it assumes.
    const counted = second!.latency.buckets.reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBeGreaterThanOrEqual(second!.requests);
    expect(second!.notes[0]).toMatch(/ sent the load together; /);
    expect(most).toBeGreaterThanOrEqual(5);
  }, 180_000);

  test('both sides of an experiment are loaded by this machine and a host at one moment', async () => {
    const { alias } = hosts[0]!;
    const sides = ['--before-url', url, '--after-url', `${url}?after`, '--source', alias, '--no-pid'];
    const short = ['--repeat', '1', '--seconds', '1', '--warm-up', '0', '--concurrency', '4', '--threads', '1'];
    const { code, stdout, stderr } = await runCli(['experiment', 'run', ...sides, ...short, '--json']);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/with 4 connections, divided among this machine and \S+, for 1 s each/);
    const { loads } = JSON.parse(stdout) as { loads: { before: string; after: string } };
    const shown = await runCli(['load', 'show', loads.after]);
    expect(shown.stdout).toMatch(/note: \S+, \S+ sent the load together; /);
    const twice = await runCli(['experiment', 'run', ...sides, '--source', alias]);
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringMatching(/--source names a machine twice/)]);
  }, 180_000);

  test('a host without wrk, a tool whose latencies can’t be merged and a host that is named twice are refused', async () => {
    const [one, , without] = hosts.map(({ alias }) => alias) as [string, string, string];
    const missing = await load('--target', one, '--source', without);
    expect([missing.code, missing.stderr]).toEqual([4, expect.stringMatching(/wrk is not installed on /)]);
    const hey = await load('--tool', 'hey', '--source', one);
    expect([hey.code, hey.stderr]).toEqual([2, expect.stringMatching(/need wrk: .*CSV lacks failed requests/)]);
    const twice = await load('--target', one, '--source', one);
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringMatching(/--source names a machine twice/)]);
  }, 180_000);
});
