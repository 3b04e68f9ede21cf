import { afterAll, expect, test } from 'vitest';
import type { NodeOptions } from '#core/contract/node.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { nodeCollector } from '#collectors/node/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { endNodePrograms, startNodeProgram } from '../../support/node-program.ts';
import { NODE_MAJORS, nodeOf, nodeVersions } from '../../support/node-versions.ts';
import { isRunning } from '../../support/process-state.ts';

const target = createLocalTarget();
afterAll(() => target.dispose());
endNodePrograms();

/** Works, and keeps what it allocates, in the main thread and in a worker. */
const PROGRAM = `
import { Worker } from 'node:worker_threads';
const half = (name) => \`const kept = []; let sum = 0;
function busy\${name}() { const end = Date.now() + 15; while (Date.now() < end) sum = (sum + 1) % 1000003; }
function keep\${name}() { for (let i = 0; i < 5; i++) kept.push(new Array(2000).fill(i)); }
setInterval(() => { busy\${name}(); keep\${name}(); }, 20);\`;
new Worker(half('There'), { eval: true });
(0, eval)(half('Here'));`;

async function record(pid: number, more: Partial<NodeOptions>): Promise<{ profile: Profile; files: string[] }> {
  const scope = { kind: 'pid', pid, startTicks: null } as const;
  const options: NodeOptions = { collector: 'node', scope, profile: 'cpu', seconds: 3, withHeap: true, ...more };
  const { plan, checks } = await nodeCollector.preflight(target, options);
  expect(plan, JSON.stringify(checks)).not.toBeNull();
  const sink = new MemorySink();
  const outcome = await nodeCollector.start(target, plan!, sink, SYSTEM_CLOCK).outcome;
  expect(outcome).toMatchObject({ state: 'finished', error: null });
  const { primaryFile } = outcome;
  const source = { fileName: primaryFile, size: null, chunks: () => sink.read(primaryFile) };
  return { profile: await importProfile(source), files: [...sink.files.keys()] };
}

/** Returns the share of a value type, of a thread, that a function has by its own. */
function shareOf(profile: Profile, type: string, thread: RegExp, name: string): number {
  const { samples, threads, valueTypes, stacks, frames, functions, strings } = profile;
  const weights = sampleWeights(profile, valueTypes.findIndex((one) => one.type === type) as ValueTypeIndex);
  let [own, all] = [0, 0];
  for (const [row, weight] of weights.entries()) {
    const stack = samples.stack[row]!;
    if (stack < 0 || !thread.test(strings[threads.name[samples.thread[row]!]!]!)) continue;
    all += weight;
    if (strings[functions.name[frames.func[stacks.frame[stack]!]!]!] === name) own += weight;
  }
  return own / all;
}

const typesOf = ({ valueTypes, events }: Profile): string[] =>
  valueTypes.map(({ type, event }) => `${events[event]} ${type}`);

needing(nodeVersions, () => {
  test.each(NODE_MAJORS)('Node %i: time and memory in use are value types of one capture', async (major) => {
    const running = await startNodeProgram(nodeOf(major), PROGRAM);
    const { profile, files } = await record(running.pid, {});
    expect(files).toEqual(['raw.cpuprofile']);
    expect(typesOf(profile)).toEqual(['cpu time', 'cpu samples', 'cpu hits', 'heap inuse_space']);
    expect(profile.metadata).toMatchObject({ defaultValueType: 0, rateHz: 1000 });
    for (const [thread, where] of [
      [/^main$/, 'Here'],
      [/worker/, 'There'],
    ] as const) {
      expect(shareOf(profile, 'time', thread, `busy${where}`)).toBeGreaterThan(0.4);
      expect(shareOf(profile, 'inuse_space', thread, `keep${where}`)).toBeGreaterThan(0.4);
    }
    expect(isRunning(running.pid)).toBe(true);
  });

  test('with perf, the native code is one more', async () => {
    const running = await startNodeProgram(nodeOf(24), PROGRAM);
    const { profile } = await record(running.pid, { withPerf: true });
    expect(typesOf(profile).slice(0, 4)).toEqual(['cpu time', 'cpu samples', 'cpu hits', 'heap inuse_space']);
    expect(typesOf(profile)).toContainEqual(expect.stringMatching(/cpu-clock$/));
    expect(shareOf(profile, 'inuse_space', /^main$/, 'keepHere')).toBeGreaterThan(0.4);
  });
});
