import * as esbuild from 'esbuild';
import { expect, test } from 'vitest';
import type { NodeOptions } from '#core/contract/node.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { nodeCollector } from '#collectors/node/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { sshHosts } from '../../support/sshd.ts';
import { ownHosts } from '../target/ssh-hosts.ts';

const SOURCE = `
export function priceOf(order: number): number {
  let sum = order;
  for (let i = 0; i < 2_000_000; i++) sum = (sum + i * i) % 1000003;
  return sum;
}
const kept: number[][] = [];
setInterval(() => { for (let i = 0; i < 20; i++) kept.push(new Array(500).fill(priceOf(i))); }, 30);`;

needing(sshHosts, () => {
  const hosts = ownHosts();

  test('records time, memory and native code of a bundle’s sources by one connection, and leaves nothing', async () => {
    const host = await hosts.host({ link: true });
    const target = hosts.target(host);
    const { code } = esbuild.transformSync(SOURCE, {
      loader: 'ts',
      minify: true,
      sourcemap: 'inline',
      sourcefile: 'service.ts',
      format: 'esm',
    });
    const files = await host.files();
    await host.execute(['sh', '-c', 'printf %s "$1" >/run/bundle.mjs', 'sh', code]);
    const { pid } = await host.start([process.execPath, '/run/bundle.mjs'], { user: true });
    const options: NodeOptions = {
      collector: 'node',
      scope: { kind: 'pid', pid, startTicks: null },
      profile: 'cpu',
      seconds: 3,
      withHeap: true,
      withPerf: true,
      sourceMaps: true,
    };
    const planned = () => nodeCollector.preflight(target, options);
    await expect.poll(() => planned().then(({ plan }) => plan), { timeout: 60_000 }).not.toBeNull();
    const { plan } = await planned();
    const sink = new MemorySink();
    const outcome = await nodeCollector.start(target, plan!, sink, SYSTEM_CLOCK).outcome;
    expect(outcome).toMatchObject({ state: 'finished', error: null, primaryFile: 'raw.joined.flamebench' });
    const { functions, strings, events, valueTypes } = await importProfile({
      fileName: outcome.primaryFile,
      size: null,
      chunks: () => sink.read(outcome.primaryFile),
    });
    expect(valueTypes.map(({ type, event }) => `${events[event]} ${type}`)).toEqual(
      expect.arrayContaining(['cpu time', 'heap inuse_space', expect.stringMatching(/cpu-clock/)]),
    );
    const places = [...functions.name.keys()].map(
      (row) => `${strings[functions.name[row]!]} ${strings[functions.file[row]!]!.split('/').at(-1)}`,
    );
    expect(places).toContain('priceOf service.ts');
    await target.dispose();
    await expect.poll(() => host.processes(), { timeout: 60_000 }).toEqual([]);
    expect(await host.files()).toEqual(files);
    expect(await host.execute(['cat', `/proc/${pid}/net/tcp`])).not.toMatch(/:240D \S+ 0A /);
    expect(await host.execute(['cat', `/proc/${pid}/stat`])).toMatch(/^\d+ \(\S+\) [SR] /);
  }, 180_000);
});
