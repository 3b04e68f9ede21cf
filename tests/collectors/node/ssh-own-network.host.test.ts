import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { NodeOptions } from '#core/contract/node.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { describePlan } from '#collectors/describe-plan.ts';
import { nodeCollector } from '#collectors/node/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { listenersWithin } from '#collectors/target/listeners.ts';
import type { Target } from '#collectors/target/target.ts';
import { findCommand } from '../../../scripts/components.mjs';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { HOT_PROGRAM } from '../../support/node-program-source.ts';
import { openPodman } from '../../support/podman.ts';
import { sshHosts, type SshHost } from '../../support/sshd.ts';
import { ownHosts } from '../target/ssh-hosts.ts';

const PATIENCE = { timeout: 60_000 };

/** Runs `$2 -e $3` in a container that its user makes without being root; the PID is in /var/tmp/pid. */
const ROOTLESS = `cd "$(mktemp -d)" && mkdir -p rootfs/usr rootfs/lib rootfs/lib64 rootfs/proc rootfs/dev "rootfs$1"
runc spec --rootless
"$2" -e '
const { readFileSync, writeFileSync } = require("node:fs");
const [folder, ...args] = process.argv.slice(1);
const config = JSON.parse(readFileSync("config.json", "utf8"));
config.process = { ...config.process, terminal: false, args };
config.root.readonly = true;
config.linux.namespaces.push({ type: "network" });
for (const path of ["/usr", "/lib", "/lib64", folder])
  config.mounts.push({ destination: path, source: path, type: "bind", options: ["rbind", "ro"] });
writeFileSync("config.json", JSON.stringify(config));
' "$1" "$2" -e "$3"
XDG_RUNTIME_DIR=$PWD exec runc --root "$PWD/state" run --pid-file /var/tmp/pid flamebench-rootless`;

const optionsFor = (pid: number): NodeOptions => ({
  collector: 'node',
  scope: { kind: 'pid', pid, startTicks: null },
  profile: 'cpu',
  seconds: 2,
});

/** Records the process, and checks that it runs on and nothing of the recording is left. */
async function expectRecorded(target: Target, host: SshHost, pid: number, entry: string): Promise<void> {
  const before = host.processes();
  const planned = () => nodeCollector.preflight(target, optionsFor(pid));
  await expect.poll(() => planned().then(({ plan }) => plan), PATIENCE).not.toBeNull();
  const { plan } = await planned();
  expect(describePlan(plan!).join('\n')).toContain(`nsenter --target ${pid} ${entry} bash -c `);
  const sink = new MemorySink();
  const outcome = await nodeCollector.start(target, plan!, sink, SYSTEM_CLOCK).outcome;
  expect(outcome).toMatchObject({ state: 'finished', error: null, diagnostics: [] });
  const { primaryFile } = outcome;
  const source = { fileName: primaryFile, size: null, chunks: () => sink.read(primaryFile) };
  expect((await importProfile(source)).strings).toContain('hot');
  expect(await listenersWithin(target, pid)).toEqual([]);
  expect(await target.stat(`/proc/${pid}/fd`)).not.toBeNull();
  await target.dispose();
  await expect.poll(() => host.processes(), PATIENCE).toEqual(before);
}

needing(sshHosts, () => {
  const hosts = ownHosts();

  test('records a process of a container of a host as root', async () => {
    const containers = openPodman();
    onTestFinished(() => containers.close());
    const pid = containers.start('fb-node', [process.execPath, '-e', HOT_PROGRAM], [dirname(process.execPath)]);
    const host = await hosts.host({ files: 'shared' });
    await expectRecorded(hosts.target(host), host, pid, '--net');
  }, 240_000);

  const runc = { name: 'runc', present: () => findCommand('runc') !== null };
  needing(runc, () => {
    test('records a process of a rootless container of a host as its user', async () => {
      const host = await hosts.host();
      const argv = ['sh', '-c', ROOTLESS, 'sh', dirname(process.execPath), process.execPath, HOT_PROGRAM];
      await host.start(argv, { user: true });
      const pidOf = (): Promise<number> => host.execute(['cat', '/var/tmp/pid']).then(Number, () => 0);
      await expect.poll(pidOf, PATIENCE).toBeGreaterThan(0);
      await expectRecorded(hosts.target(host), host, await pidOf(), '--user --preserve-credentials --net');
    }, 240_000);
  });

  test('ends the relay if the connection is lost while it runs, and the process closes the port', async () => {
    const host = await hosts.host({ link: true, user: 'root' });
    const target = hosts.target(host);
    // Its event loop stands from when the inspector is open until the file is there: the relay runs meanwhile.
    const blocked = `${HOT_PROGRAM}
      const waiting = setInterval(() => {
        if (require('node:inspector').url() === undefined) return;
        clearInterval(waiting);
        require('node:child_process').execFileSync('sh', ['-c', 'until [ -e /var/tmp/go ]; do sleep 0.1; done']);
      }, 1);`;
    const up = 'ip link set lo up && exec "$@"';
    const { pid } = await host.start(['unshare', '--net', 'sh', '-c', up, 'sh', process.execPath, '-e', blocked]);
    const planned = () => nodeCollector.preflight(target, { ...optionsFor(pid), seconds: 600 });
    await expect.poll(() => planned().then(({ plan }) => plan), PATIENCE).not.toBeNull();
    const { plan } = await planned();
    const recording = nodeCollector.start(target, plan!, new MemorySink(), SYSTEM_CLOCK);
    const relays = (): string[] => host.processes().filter((line) => line.includes('/dev/tcp/'));
    const sockets = (): Promise<string> => host.execute(['cat', `/proc/${pid}/net/tcp`]);
    // The first connection asks for the list, and ends; the second one waits for the event loop.
    const seen = new Map<string, number>();
    const waited = async (): Promise<number> => {
      const port = /:240D \w+:(\w+) 01 /.exec(await sockets())?.[1] ?? '';
      seen.set(port, (seen.get(port) ?? 0) + 1);
      return port === '' || relays().length === 0 ? 0 : seen.get(port)!;
    };
    await expect.poll(waited, { ...PATIENCE, interval: 100 }).toBeGreaterThan(20);
    await host.cutLink();
    expect(await recording.outcome).toMatchObject({ state: 'failed' });
    await expect.poll(relays, PATIENCE).toEqual([]);
    await host.execute(['touch', '/var/tmp/go']);
    await expect.poll(sockets, PATIENCE).not.toMatch(/:240D \S+ 0[1A] /);
    expect(host.processes()).toEqual([]);
    expect(await host.execute(['cat', `/proc/${pid}/cmdline`])).toContain(process.execPath);
  }, 180_000);

  test('refuses one whose network only root may enter, with the reason', async () => {
    const host = await hosts.host();
    const target = hosts.target(host);
    const uid = (await host.execute(['id', '-u', host.user])).trim();
    const argv = [
      'unshare',
      '--net',
      'setpriv',
      '--reuid',
      uid,
      '--regid',
      uid,
      '--clear-groups',
      process.execPath,
      '-e',
      HOT_PROGRAM,
    ];
    const { pid } = await host.start(argv);
    const comm = (): Promise<string> => host.execute(['cat', `/proc/${pid}/comm`]);
    await expect.poll(comm, PATIENCE).not.toMatch(/unshare|setpriv|sh/);
    const { checks, plan } = await nodeCollector.preflight(target, optionsFor(pid));
    expect(plan).toBeNull();
    expect(checks[0]!.found).toMatch(/has its own network, .*: nsenter: .*: Operation not permitted$/);
  }, 120_000);
});
