import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needing } from '../../support/needing.ts';
import { sshHosts, startSshHost } from '../../support/sshd.ts';
import { expectClean, runCliOn, startBusyOn, startCli, until } from './remote-recording.ts';

interface Line {
  readonly events: readonly { readonly kind: string; readonly text: string }[];
  readonly state: string;
  readonly samples: number;
  readonly latencyMs: number | null;
  readonly window: { readonly samples: number };
  readonly functions: readonly { readonly name: string }[];
}

needing(sshHosts, () => {
  test('watches a process on a host, and leaves nothing there', { timeout: 300_000 }, async () => {
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
    // Some samples arrive before the end, so they are streamed.
    expect(lines.some(({ state, samples }) => state === 'running' && samples > 0)).toBe(true);
    await expectClean(host);
  });

  test('continues with a gap after the link was cut', { timeout: 300_000 }, async () => {
    const user = { folder: mkdtempSync(join(tmpdir(), 'ssh-live-')) };
    const host = await startSshHost({ link: true });
    onTestFinished(async () => {
      await host.dispose();
      rmSync(user.folder, { recursive: true });
    });
    const busy = await startBusyOn(host);
    const cli = startCli(user, host, ['live', '--target', host.destination, '--pid', `${busy.pid}`, '--json']);
    let printed = '';
    cli.child.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const lines = (): Line[] =>
      printed
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line);
    const last = (): Line | undefined => lines().at(-1);
    await until(() => (last()?.samples ?? 0) > 50, 'samples', 90_000);
    await host.cutLink();
    const said = (text: string): boolean =>
      lines().some(({ events }) => events.some((event) => event.kind === 'gap' && event.text.includes(text)));
    await until(() => said('was lost'), 'the loss', 90_000);
    await host.restoreLink();
    await until(() => said('no samples for'), 'the end of the gap', 90_000);
    const before = last()!.samples;
    await until(() => last()!.samples > before + 50, 'more samples', 90_000);
    cli.child.kill('SIGINT');
    expect(await cli.ended).toMatchObject({ code: 0 });
    await expectClean(host);
  });
});
