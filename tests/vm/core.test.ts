import { afterAll, afterEach, expect, test } from 'vitest';
import { bpftraceOptionsSchema } from '#core/contract/bpftrace.ts';
import type { StapOptions } from '#core/contract/stap.ts';
import { bpftraceCollector } from '#collectors/bpftrace/collector.ts';
import { MemorySink } from '../support/memory-sink.ts';
import { clock } from '../support/perf-recording.ts';
import { endPrograms, LONG, shell, startDemo } from './machine.ts';
import {
  begun,
  codes,
  disconnect,
  expectSameFunctions,
  namesOf,
  nothingIsLeft,
  options,
  planned,
  profileOf,
  record,
  recordWith,
  root,
  stapCollector,
  statedTotal,
  totalOf,
  untilRows,
} from './recording.ts';

// What `npm test` runs each time: every recording uses one module, because compiling takes longest.

// Programs must not load the machine for other tests.
afterEach(() => endPrograms(), LONG);
afterAll(disconnect, LONG);

/** Options of a recording whose module the packaged SystemTap compiles, in a mended copy if `mend` is given. */
const stock = (pid: number, change: Partial<StapOptions> = {}): StapOptions =>
  options(pid, { buildOn: 'ssh://fbvm-stock', ...change });

test(
  'recognises the break of SystemTap as it is packaged; a mended copy of it, and bpftrace, record the same functions',
  async () => {
    const pid = await startDemo();
    const { checks } = await stapCollector.preflight(root, stock(pid));
    expect(checks).toContainEqual(
      expect.objectContaining({ status: 'warning', remedy: expect.stringContaining('--mend') as string }),
    );
    const { error } = await stapCollector.start(root, await planned(stock(pid)), new MemorySink(), clock).outcome;
    expect(error).toMatchObject({
      code: 'stap-older-than-kernel',
      remedy: expect.stringContaining('--mend') as string,
    });

    const recorded = await record(await planned(stock(pid, { mend: true })), 100);
    expect(recorded.outcome.incomplete).toBe(false);
    const profile = await profileOf(recorded);
    for (const name of ['main', 'fb_handle_request', 'fb_mid_a', 'fb_mid_b', 'fb_leaf_hash', 'fb_leaf_sqrt']) {
      expect(namesOf(profile)).toContain(name);
    }
    expect(totalOf(profile) + recorded.outcome.lost).toBe(statedTotal(recorded.sink));
    await nothingIsLeft();

    const given = bpftraceOptionsSchema.parse({ ...options(pid), collector: 'bpftrace' });
    const { plan } = await bpftraceCollector.preflight(root, given);
    const byBpftrace = await recordWith(bpftraceCollector, plan!, (recording) => untilRows(recording, 20));
    expectSameFunctions(profile, await profileOf(byBpftrace));
    await nothingIsLeft();
  },
  LONG,
);

test(
  'keeps what was recorded when stapio is killed, and unloads the module',
  async () => {
    const plan = await planned(stock(await startDemo(), { mend: true }));
    const recording = stapCollector.start(root, plan, new MemorySink(), clock);
    await begun(recording);
    await untilRows(recording, 5);
    await shell('pkill -KILL -x stapio');
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: true });
    expect(codes(outcome)).toContain('collector-failed');
    expect(outcome.samples).toBeGreaterThan(0);
    await nothingIsLeft();
  },
  LONG,
);
