import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chooseSuccessor, SuccessorSearch } from '#app/engine/live/successor.ts';
import { parseListeningPorts, parseSockets, readListeningPorts } from '#collectors/target/listening-ports.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { findProcess } from '#collectors/target/processes.ts';
import { processSchema, type ProcessRow } from '#core/contract/schemas.ts';
import { endStartedProcesses, startForTest } from '../../../support/busy-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'successor-'));
const target = createLocalTarget();
const clock = { now: Date.now, monotonic: () => performance.now() };
endStartedProcesses();
afterAll(async () => {
  await target.dispose();
  rmSync(folder, { recursive: true });
});

const row = (change: Partial<ProcessRow>): ProcessRow =>
  processSchema.parse({
    pid: 7,
    startTicks: '1',
    user: 'www',
    cpuPercent: null,
    rssBytes: 0,
    threads: 1,
    startedAt: 100,
    name: 'app',
    command: 'app --port 80',
    container: null,
    executable: '/srv/1/app',
    runtime: null,
    cgroup: '/system.slice/app.service',
    unit: 'app.service',
    ...change,
  });

test('a successor has the same executable and command, or belongs to the same service', () => {
  const ended = row({});
  const old = row({ pid: 3, startedAt: 50 });
  const deployed = row({ pid: 8, startedAt: 200, executable: '/srv/2/app' });
  const worker = row({ pid: 9, startedAt: 201, executable: '/srv/2/app' });
  const same = row({ pid: 10, startedAt: 300, command: 'app --port 81' });
  const exact = row({ pid: 11, startedAt: 301 });
  expect(chooseSuccessor([old, worker, deployed, same, exact], ended)?.process.pid).toBe(11);
  expect(chooseSuccessor([old, worker, deployed, same], ended)?.process.pid).toBe(10);
  expect(chooseSuccessor([old, worker, deployed], ended)).toEqual({ process: deployed, by: 'of app.service' });
  expect(chooseSuccessor([old], ended)).toBeNull();
  const session = { cgroup: '/user.slice/session-1.scope', unit: 'session-1.scope' };
  expect(chooseSuccessor([{ ...deployed, ...session }], { ...ended, ...session })).toBeNull();
});

test('a successor is the main process of the same container, or of one with its name', () => {
  const none = { unit: null, executable: '/old', cgroup: '/docker/a', innerPid: 1 };
  const ended = row({ ...none, container: 'docker:a', containerName: 'web' });
  const other = row({ ...none, pid: 8, startedAt: 200, executable: '/sh', container: 'docker:a', innerPid: 30 });
  const recreated = { container: 'docker:b', cgroup: '/docker/b', startedAt: 200, executable: '/new' };
  const main = row({ ...none, ...recreated, pid: 9, containerName: 'web' });
  expect(chooseSuccessor([other], ended)).toBeNull();
  expect(chooseSuccessor([other, main], ended)).toEqual({ process: main, by: 'of the container web' });
  expect(chooseSuccessor([{ ...main, containerName: 'db' }], ended)).toBeNull();
  expect(chooseSuccessor([{ ...main, pod: 'shop/web-2' }], ended)).toBeNull();
});

test('a control group of its own names the successor; shared groups do not', () => {
  const custom = { unit: null, cgroup: '/jobs/app' };
  const next = row({ ...custom, pid: 8, startedAt: 200, executable: '/new' });
  expect(chooseSuccessor([next], row(custom))?.by).toBe('of the control group /jobs/app');
  for (const cgroup of ['/', '/user.slice', '/user.slice/session-3.scope', '/init.scope']) {
    expect(chooseSuccessor([{ ...next, cgroup }], row({ ...custom, cgroup }))).toBeNull();
  }
});

/** Listens on the given port, or any, and prints it. */
const SERVER = `#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
  int on = 1, server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in at = {AF_INET, htons(atoi(words[count - 1])), {htonl(INADDR_LOOPBACK)}};
  socklen_t length = sizeof at;
  setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(server, (struct sockaddr *)&at, length) || listen(server, 1)) return 1;
  getsockname(server, (struct sockaddr *)&at, &length);
  printf("%d\\n", ntohs(at.sin_port));
  fflush(stdout);
  pause();
}
`;

test('a process that listens on the port of the one that has ended is its successor', { timeout: 60_000 }, async () => {
  const source = join(folder, 'server.c');
  writeFileSync(source, SERVER);
  const serve = async (
    name: string,
    port: number,
  ): Promise<{ child: ReturnType<typeof startForTest>; port: number }> => {
    const program = join(folder, name);
    execFileSync('cc', ['-o', program, source]);
    const child = startForTest(program, [String(port)], 'pipe');
    const [said] = (await once(child.stdout!, 'data')) as [Buffer];
    return { child, port: Number(said.toString()) };
  };
  const { child, port } = await serve('one', 0);
  const watched = (await findProcess(target, child.pid))!;
  expect([...(await readListeningPorts(target, [child.pid])).get(child.pid)!]).toEqual([port]);
  const search = new SuccessorSearch(target, { ...watched, cgroup: '/', container: null }, clock);
  await search.readPorts();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const second = await serve('two', port);
  const found = await search.find(() => false);
  search.end();
  expect(found).toMatchObject({ process: { pid: second.child.pid }, by: `listening on port ${port}` });
});

test('sockets and tables that are not what they seem name no port', () => {
  expect(parseSockets('lrwx 1 root -> socket:[7]\n/proc/8/fd:\nx -> socket:[9]\n', [8, 9])).toEqual(
    new Map([[8, new Set(['9'])]]),
  );
  const line = '0: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 77 1';
  expect(parseListeningPorts(`sl local\n  ${line}\n${line.replace('0A', '01').replace('77', '78')}\n`)).toEqual(
    new Map([['77', 0x1f90]]),
  );
});
