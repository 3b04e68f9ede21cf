import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandsOf } from '#collectors/collector.ts';
import { PERF_ENVIRONMENT } from '#collectors/perf/perf-environment.ts';
import { endStartedProcesses, startForTest } from '../../support/busy-process.ts';
import { compileHot } from '../../support/hot-program.ts';
import { needing, type Need } from '../../support/needing.ts';
import { checkPerfEnds, pidScope, planFor, start, untilSamples } from '../../support/perf-recording.ts';

/** perf script runs only after the recording; until then, files that the recorded processes map are held open. */
const folder = mkdtempSync(join(tmpdir(), 'held-code-'));
let hot = '';
beforeAll(() => {
  hot = compileHot(folder).program;
});
endStartedProcesses();
checkPerfEnds();
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the paths of the files that this process has open; that of a deleted file has a suffix. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return [];
    }
  });
}

const isHeld = (path: string): boolean => openFiles().some((open) => open.startsWith(path));

test('writes the text of perf script for the same stream, and leaves no file open', async () => {
  const busy = startForTest(hot, ['4000000000']);
  const plan = await planFor(pidScope(busy.pid));
  const { recording, sink } = start(plan);
  await untilSamples(recording, 30);
  await recording.stop();
  const { primaryFile, otherFiles } = await recording.outcome;
  const [program = '', ...args] = commandsOf(plan)[1] ?? [];
  const printed = execFileSync(program, args, {
    input: sink.files.get(otherFiles[0]!)!,
    env: { ...process.env, ...PERF_ENVIRONMENT },
  });
  expect(sink.text(primaryFile)).toBe(printed.toString());
  expect(isHeld(hot)).toBe(false);
});

test.each(['deleted', 'replaced'])(
  'resolves the symbols of a program that is %s while it is recorded',
  async (fate) => {
    const program = join(folder, fate);
    copyFileSync(hot, program);
    const busy = startForTest(program, ['4000000000']);
    const { recording, sink } = start(await planFor(pidScope(busy.pid)));
    await untilSamples(recording, 30);
    await expect.poll(() => isHeld(program)).toBe(true);
    rmSync(program);
    if (fate === 'replaced') copyFileSync('/bin/true', program);
    busy.kill('SIGKILL');
    const { primaryFile, diagnostics } = await recording.outcome;
    const text = sink.text(primaryFile);
    expect(text.split('\n').some((line) => / mix\+0x/.test(line) && line.endsWith(`(${program})`))).toBe(true);
    expect(text).not.toContain('/proc/');
    expect(diagnostics.map(({ code }) => code)).toEqual(['target-ended']);
  },
);

const CONTAINER = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const containers: Need = {
  name: 'the right to make a container (root has it)',
  present: () => spawnSync('unshare', [...CONTAINER, 'true']).status === 0,
};

needing(containers, () => {
  test('resolves binary and JIT symbols of a container that ends while it is recorded', async () => {
    const source = 'function handleAll() { for (;;) Math.sqrt(1); } handleAll();';
    const inside = 'mount -t tmpfs tmpfs /tmp && cp "$0" /tmp/app && exec /tmp/app --perf-basic-prof -e "$1"';
    const container = startForTest('unshare', [...CONTAINER, 'sh', '-c', inside, process.execPath, source]);
    const childOf = (pid: number): number =>
      Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
    await expect.poll(() => childOf(container.pid), { timeout: 15_000 }).toBeGreaterThan(0);
    const pid = childOf(container.pid);
    await expect.poll(() => existsSync(`/proc/${pid}/root/tmp/perf-1.map`), { timeout: 15_000 }).toBe(true);
    const { recording, sink } = start(await planFor(pidScope(pid)));
    await untilSamples(recording, 60);
    await expect.poll(() => isHeld('/tmp/perf-1.map') && isHeld('/tmp/app'), { timeout: 15_000 }).toBe(true);
    process.kill(pid, 'SIGKILL');
    const { primaryFile } = await recording.outcome;
    const text = sink.text(primaryFile);
    expect(text).toMatch(/ JS:\S*handleAll .*\(\/tmp\/perf-\d+\.map\)$/m);
    expect(text).toMatch(/ node::\S.* \(\/tmp\/app\)$/m);
    expect(existsSync(`/tmp/perf-${pid}.map`)).toBe(false);
    expect(isHeld('/tmp/app')).toBe(false);
  });
});
