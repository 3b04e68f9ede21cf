import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { preflightPerf } from '#collectors/perf/collector.ts';
import { hostPrefix } from '#collectors/perf/perf-memory.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { openHostMemory } from '#app/engine/recording/host-memory.ts';

const folder = mkdtempSync(join(tmpdir(), 'host-memory-'));
const local = createLocalTarget();
const trials: string[] = [];
/** This machine; records each trial run of perf. */
const target: Target = {
  ...local,
  run(argv, options) {
    if (argv.includes('record')) trials.push(argv.join(' '));
    return local.run(argv, options);
  },
};
const options: PerfOptions = {
  collector: 'perf',
  scope: { kind: 'system' },
  rateHz: 99,
  event: null,
  callGraph: 'fp',
  seconds: 1,
};

afterAll(async () => {
  await local.dispose();
  rmSync(folder, { recursive: true });
});

test('tries once what perf can do, also across restarts, until a recording fails', async () => {
  const first = await openHostMemory(folder);
  const tried = await preflightPerf(target, options, first);
  expect(trials.length).toBeGreaterThan(1);
  const file = join(folder, 'perf-hosts.json');
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('system fp');
  trials.length = 0;
  await first.close();

  const second = await openHostMemory(folder);
  const known = await preflightPerf(target, options, second);
  expect(trials).toEqual([]);
  expect(known.plan?.steps).toEqual(tried.plan?.steps);
  expect(known.checks).toEqual(tried.checks);

  await second.forget(hostPrefix(target));
  await preflightPerf(target, options, second);
  expect(trials.length).toBeGreaterThan(1);
  await second.close();
});

test('finds nothing under another key or in a damaged file', async () => {
  const own = join(folder, 'damaged');
  const memory = await openHostMemory(own);
  await memory.remember('local a 1', { version: '6.1', event: 'cycles', kernelSamples: true, scopes: [] });
  expect(memory.find('local a 2')).toBeNull();
  expect(memory.find('local a 1')).toMatchObject({ event: 'cycles' });
  await memory.close();
  writeFileSync(
    join(own, 'perf-hosts.json'),
    '{"schemaVersion":1,"hosts":[{"key":"local a 1","event":"__proto__"},7]}',
  );
  const again = await openHostMemory(own);
  expect(again.find('local a 1')).toBeNull();
  await again.close();
});
