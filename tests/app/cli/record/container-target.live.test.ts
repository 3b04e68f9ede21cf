import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runCli, type CliRun } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'container-target-'));
const server = createServer((_request, response) =>
  response.end('goroutine profile: total 3\n3 @ 0x1\n#\t0x1\tmain.main+0x1\t/a.go:1\n'),
);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const port = (server.address() as AddressInfo).port;
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Runs `record` with a stand-in for kubectl that logs its arguments and runs `body`; the real one needs a cluster. */
async function record(body: string, ...args: string[]): Promise<CliRun & { readonly asked: string }> {
  const log = join(folder, 'asked');
  writeFileSync(log, '');
  const kubectl = join(folder, 'kubectl');
  writeFileSync(kubectl, `#!/bin/sh\necho "$@" >>'${log}'\n${body}\n`);
  chmodSync(kubectl, 0o755);
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  const run = await runCli(['record', ...args, '--library', join(folder, 'library')], { env });
  return { ...run, asked: readFileSync(log, 'utf8') };
}

const forward = `echo "Forwarding from 127.0.0.1:${port} -> 6060"; exec sleep 600`;
const pod = ['--target', 'kubectl://prod/web-0'];

describe('a pod as the target', () => {
  test('pprof connects through kubectl port-forward', async () => {
    const { code, stderr, asked } = await record(
      forward,
      'pprof',
      'http://localhost:6060',
      '--kind',
      'goroutine',
      ...pod,
    );
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`GET http://127.0.0.1:${port}/debug/pprof/goroutine`) as unknown,
    });
    expect(asked).toBe('port-forward --namespace prod --address 127.0.0.1 pod/web-0 :6060\n');
  });

  test('a dry run forwards nothing', async () => {
    const { code, stdout, asked } = await record(forward, 'pprof', 'http://localhost:6060', '--dry-run', ...pod);
    expect({ code, asked }).toEqual({ code: 0, asked: '' });
    expect(stdout).toContain('GET http://localhost:6060/debug/pprof/profile?seconds=30');
  });

  test('perf names the node on which it must run', async () => {
    const { code, stderr } = await record('printf node-7.example', 'perf', '--seconds', '1', ...pod);
    expect(code).toBe(4);
    expect(stderr).toContain('pod prod/web-0 runs on node node-7.example, where perf must run');
    expect(stderr).toContain('flamebench record perf --target ssh://node-7.example --pod prod/web-0');
  });

  test.each([
    [
      'kubectl’s own reason',
      'echo "error: pods \\"web-0\\" not found" >&2; exit 1',
      'kubectl: error: pods "web-0" not found',
    ],
    ['Flamebench’s own reason', 'exit 1', 'kubectl does not forward port 6060 of pod prod/web-0'],
  ])('fails with %s', async (_what, body, message) => {
    const { code, stderr } = await record(body, 'pprof', 'http://localhost:6060', ...pod);
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining(message) as unknown });
  });
});

test.each<[code: number, message: string, ...args: string[]]>([
  [2, '--target says that container web is recorded', 'perf', '--target', 'docker://web', '--pid', '1'],
  [2, 'can’t be combined with other targets', 'perf', '--target', 'docker://web', '--target', 'local'],
  [2, 'not the name of a container: give docker://NAME', 'perf', '--target', 'docker://-x'],
  [2, 'are for perf and pprof', 'bpftrace', '--recipe', 'off-cpu', '--target', 'docker://web', '--pid', '1'],
  [2, 'takes a URL', 'pprof', '--target', 'docker://web', '--pid', '1'],
  [4, 'no process runs in container "web"', 'perf', '--target', 'docker://web', '--seconds', '1'],
  [4, 'no process runs in container web', 'pprof', '--target', 'docker://web', 'http://localhost:1'],
  [4, 'other:1 is not an address of pod prod/web-0 itself', 'pprof', ...pod, 'http://other:1'],
])('exits with %i: %s', async (code, message, ...args) => {
  const run = await record('exit 1', ...args);
  expect({ code: run.code, stderr: run.stderr }).toMatchObject({
    code,
    stderr: expect.stringContaining(message) as unknown,
  });
});
