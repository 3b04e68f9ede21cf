import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { forgetHost, PERF_HOSTS } from '#collectors/perf/perf-memory.ts';
import { collectorsWith } from '#collectors/registry.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { openCollectorMemory } from '#app/engine/recording/collector-memory.ts';

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
  const first = openCollectorMemory(folder);
  const tried = await collectorsWith({ memory: first })('perf').preflight(target, options);
  expect(trials.length).toBeGreaterThan(1);
  const file = join(folder, 'perf-hosts.json');
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('system fp');
  trials.length = 0;
  await first.close();

  const second = openCollectorMemory(folder);
  const known = await collectorsWith({ memory: second })('perf').preflight(target, options);
  expect(trials).toEqual([]);
  expect(known.plan?.steps).toEqual(tried.plan?.steps);
  expect(known.checks).toEqual(tried.checks);
  await collectorsWith({ memory: second })('perf').preflight({ ...target, host: 'other' }, options);
  expect(trials.length).toBeGreaterThan(1);
  trials.length = 0;

  await forgetHost(await second.table(PERF_HOSTS), target);
  await collectorsWith({ memory: second })('perf').preflight(target, options);
  expect(trials.length).toBeGreaterThan(1);
  await second.close();
});

test('keeps rows, and finds none in a damaged file', async () => {
  const own = join(folder, 'damaged');
  const memory = openCollectorMemory(own);
  const row = { key: 'local a 1', version: '6.1', event: 'cycles', kernelSamples: true, scopes: [] } as const;
  const hosts = await memory.table(PERF_HOSTS);
  await hosts.edit(() => [{ ...row, scopes: [] }]);
  expect(hosts.get()).toEqual([row]);
  await memory.close();
  writeFileSync(
    join(own, 'perf-hosts.json'),
    '{"schemaVersion":1,"hosts":[{"key":"local a 1","event":"__proto__"},7]}',
  );
  const again = openCollectorMemory(own);
  expect((await again.table(PERF_HOSTS)).get()).toEqual([]);
  await again.close();
});
