import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needing } from '../../support/needing.ts';
import { sshHosts, startSshHost } from '../../support/sshd.ts';
import { expectClean, runCliOn, startBusyOn } from './remote-recording.ts';

interface Line {
  readonly state: string;
  readonly samples: number;
  readonly latencyMs: number | null;
  readonly window: { readonly samples: number };
  readonly functions: readonly { readonly name: string }[];
}

needing(sshHosts, () => {
  test('watches a process of a host, and leaves nothing there', { timeout: 300_000 }, async () => {
    const user = { folder: mkdtempSync(join(tmpdir(), 'ssh-live-')) };
    const host = await startSshHost();
    onTestFinished(async () => {
      await host.dispose();
      rmSync(user.folder, { recursive: true });
    });
    const busy = await startBusyOn(host);
    const watch = ['live', '--target', host.destination, '--pid', `${busy.pid}`, '--rate', '997', '--json'];
    const run = await runCliOn(user, host, ...watch, '--window', 'all', '--seconds', '8');
    expect(run.code, run.stderr).toBe(0);
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    const last = lines.at(-1)!;
    expect(last.state).toBe('ended');
    expect(last.samples).toBeGreaterThan(0);
    expect(last.window.samples).toBe(last.samples);
    expect(last.functions.length).toBeGreaterThan(0);
    // Some came before the end: it is a stream.
    expect(lines.some(({ state, samples }) => state === 'running' && samples > 0)).toBe(true);
    await expectClean(host);
  });
});
