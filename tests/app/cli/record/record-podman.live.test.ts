import { existsSync, globSync, mkdtempSync, readFileSync, statSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CaptureDocument, ProcessRow } from '#core/contract/schemas.ts';
import { openPodman } from '../../../support/podman.ts';
import { runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'record-podman-'));
const library = join(folder, 'library');
const podman = openPodman();

afterAll(() => {
  podman.close();
  rmSync(folder, { recursive: true });
});

/** Compiled code is named in the map that Node writes to its container's /tmp. */
const PROGRAM = `
function hotInContainer(n) { let sum = 0; for (let i = 0; i < n; i++) sum += Math.sqrt(i); return sum; }
function loop() { hotInContainer(1e6); setImmediate(loop); }
loop();
`;

function startNode(name: string): number {
  const script = join(folder, 'program.js');
  writeFileSync(script, PROGRAM);
  return podman.start(
    name,
    [process.execPath, '--perf-basic-prof', '--no-turbo-inlining', '--no-maglev-inlining', script],
    [folder, dirname(process.execPath)],
  );
}

test('records a podman container by name, with its image, digest and names of compiled code', async () => {
  const pid = startNode('web');
  const ps = await runCli(['ps', '--filter', 'flamebench-test', '--json'], { env: podman.env });
  const { processes } = JSON.parse(ps.stdout) as { processes: ProcessRow[] };
  const inside = processes.find((row) => row.pid === pid)!;
  expect(inside).toMatchObject({ containerName: 'web', image: podman.image, innerPid: 1, runtime: 'node' });
  expect(inside.container).toMatch(/^podman:[0-9a-f]{12}$/);

  const text = join(folder, 'out.txt');
  const { code, stdout } = await runCli(
    [
      'record',
      'perf',
      '--container',
      'web',
      '--rate',
      '299',
      '--seconds',
      '3',
      '--library',
      library,
      '-o',
      text,
      '--json',
    ],
    { env: podman.env },
  );
  expect(code).toBe(0);
  const [capture] = (JSON.parse(stdout) as { captures: CaptureDocument[] }).captures;
  expect(capture).toMatchObject({
    name: 'container web',
    container: { id: inside.container, name: 'web', image: podman.image, pod: null },
  });
  expect(capture!.container?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(readFileSync(text, 'utf8')).toContain('hotInContainer');
  const shown = await runCli(['captures', 'show', capture!.id, '--library', library]);
  expect(shown.stdout).toMatch(
    /^container +web · localhost\/flamebench-test:1 \([0-9a-f]{12}\) · podman:[0-9a-f]{12}$/m,
  );
});

/** Returns the bytes of perf's stream that the running recording has received so far. */
function bytesOfRunning(): number {
  const [file] = globSync(join(library, '*', 'capture.json')).filter(
    (path) => (JSON.parse(readFileSync(path, 'utf8')) as CaptureDocument).state === 'recording',
  );
  const stream = file === undefined ? '' : join(dirname(file), 'raw.perf.data');
  return existsSync(stream) ? statSync(stream).size : 0;
}

test('keeps the samples, names and image of a container that ends while it is recorded', async () => {
  const pid = startNode('short');
  const recorded = runCli(
    ['record', 'perf', '--pid', String(pid), '--rate', '299', '--seconds', '60', '--library', library, '--json'],
    { env: podman.env },
  );
  // Some hundred samples.
  await expect.poll(bytesOfRunning, { timeout: 40_000 }).toBeGreaterThan(200_000);
  podman.remove('short');
  const { code, stdout } = await recorded;
  expect(code).toBe(0);
  const [capture] = (JSON.parse(stdout) as { captures: (CaptureDocument & { file: string })[] }).captures;
  expect(capture).toMatchObject({ container: { name: 'short', image: podman.image } });
  expect(capture!.samples).toBeGreaterThan(0);
  expect(readFileSync(capture!.file, 'utf8')).toContain('hotInContainer');
});

test('podman:// makes a container the target; pprof explains a network without an address', async () => {
  podman.start('target', ['/usr/bin/sleep', '600']);
  const run = (...args: string[]): ReturnType<typeof runCli> =>
    runCli(['record', ...args, '--library', join(folder, 'none')], { env: podman.env });
  const planned = await run('perf', '--target', 'podman://target', '--seconds', '1', '--dry-run');
  expect(planned).toMatchObject({ code: 0, stdout: expect.stringMatching(/-a -G \S*libpod-[0-9a-f]{64}/) as unknown });
  const fetched = await run('pprof', 'http://localhost:6060', '--target', 'podman://target');
  expect(fetched).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('container target has a network without an address') as unknown,
  });
});
