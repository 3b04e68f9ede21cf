import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CaptureDocument, ProcessRow } from '#core/contract/schemas.ts';
import { endStartedProcesses, startBusy } from '../../../support/busy-process.ts';
import { controlGroups, makeContainerGroup } from '../../../support/control-group.ts';
import { needing } from '../../../support/needing.ts';
import { runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'record-group-'));

endStartedProcesses();
afterAll(() => rmSync(folder, { recursive: true }));

needing(controlGroups, () => {
  test('records a whole container, including nested groups and nothing else, and reports its limit', async () => {
    const group = makeContainerGroup();
    try {
      const [first, second, other] = [startBusy().pid, startBusy().pid, startBusy().pid];
      group.enter(first);
      group.enter(second, 'worker');
      const isLimited = group.limit();
      const ps = await runCli(['ps', '--filter', `docker:${group.id}`, '--json']);
      const { processes } = JSON.parse(ps.stdout) as { processes: ProcessRow[] };
      // Other processes match the filter too: the ID is in the command line of `ps` itself.
      const inside = processes.filter(({ container }) => container !== null);
      expect(new Set(inside.map(({ pid }) => pid))).toEqual(new Set([first, second]));

      const text = join(folder, 'out.txt');
      const options = ['--rate', '499', '--seconds', '3', '--library', join(folder, 'library'), '-o', text, '--json'];
      const { code, stdout } = await runCli(['record', 'perf', '--container', group.id, ...options]);
      expect(code).toBe(0);
      const [capture] = (JSON.parse(stdout) as { captures: CaptureDocument[] }).captures;
      expect(capture).toMatchObject({
        name: `container ${group.id}`,
        options: { scope: { kind: 'cgroup', path: group.path } },
      });
      const samples = [...readFileSync(text, 'utf8').matchAll(/^\S+\s+(\d+)\/\d+/gm)];
      const pids = new Set(samples.map(([, pid]) => Number(pid)));
      expect(pids).toContain(first);
      expect(pids).toContain(second);
      expect(pids).not.toContain(other);
      if (!isLimited) return;
      expect(capture!.circumstances?.cgroup?.cpus).toBeCloseTo(0.1);
      expect(capture!.circumstances?.throttled?.throttledPeriods).toBeGreaterThan(0);
      const said = capture!.diagnostics.map(({ message }) => message).join();
      expect(said).toMatch(/used up its limit of 0\.1 CPUs in \d+ of/);
    } finally {
      group.remove();
    }
  });

  test('refuses missing groups and invalid combinations in one line', async () => {
    const refused = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await runCli([
        'record',
        'perf',
        ...args,
        '--seconds',
        '1',
        '--library',
        join(folder, 'none'),
      ]);
      expect([2, 4]).toContain(code);
      return stderr.trim();
    };
    expect(await refused('--container', 'no-such')).toContain('no process runs in container "no-such"');
    expect(await refused('--unit', 'no such')).toContain('no process runs in unit "no such"');
    expect(await refused('--pod', 'a/b')).toContain('no process runs in pod "a/b"');
    expect(await refused('--cgroup', '/sys/fs/cgroup/no/such')).toContain('there is no control group "/no/such"');
    expect(await refused('--cgroup', '/a,b')).toContain('Give a path like');
    expect(await refused('--cgroup', '/../etc')).toContain('Give a path like');
    expect(await refused('--unit', 'x', '--system')).toContain('can’t be combined');
  });
});
