import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openFleet, openFleetToPush } from '#app/engine/fleet/open-fleet.ts';
import { hash64, PushBatch } from '#app/engine/fleet/push.ts';
import { serverTables } from '#app/engine/fleet/clickhouse-tables.ts';
import { captureRows, type CaptureRows } from '#core/fleet/capture-rows.ts';
import { profilesOver } from '#core/fleet/merged-profile.ts';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { chdb, clickHouseData } from '../../tests/support/clickhouse.ts';
import { captureNamed, random, realProfile } from '../../tests/support/generated-fleet.ts';
import { flamebench } from '../run-command.ts';
import { measureProcess } from './measure-process.ts';
import { absentRow, median, numberRow, secondsRow, type BenchRow } from './table.ts';

/** Captures of a fleet: two sizes, so that what grows with it can be extrapolated. */
const SIZES = [10_000, 100_000];
const RELEASES = Array.from({ length: 20 }, (_, place) => `1.${String(place).padStart(2, '0')}`);
/** Of each release on each host, one an hour. */
const CAPTURES = 10;
const HOUR = 3_600_000;
/** Mean samples of a capture. */
const SAMPLES = 20_000;
/** In one release, stacks with this function are so much heavier on 3 % of the hosts. */
const PLANTED = { func: 'checksum', release: '1.12', factor: 3, share: 0.03 };
const TYPE = { type: 'cpu-clock', unit: 'nanoseconds' };
const RUNS = 3;

/**
 * Pushes generated fleets to DuckDB and to ClickHouse's engine, and measures the commands that ask them. `--fleet
 * CAPTURES,…` gives other sizes. Captures are drawn from one recording; each host and each capture has its own weights.
 */
export async function benchFleet(): Promise<BenchRow[]> {
  const given = process.argv[process.argv.indexOf('--fleet') + 1];
  const sizes = given === undefined ? SIZES : given.split(',').map(Number);
  const rows: BenchRow[] = [];
  for (const captures of sizes) {
    const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-bench-fleet-'));
    try {
      const file = path.join(folder, 'fleet.duckdb');
      rows.push(...(await benchStore('DuckDB', file, captures, folder, () => statSync(file).size)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    rows.push(...(await benchClickHouse(captures)));
  }
  return rows;
}

async function benchClickHouse(captures: number): Promise<BenchRow[]> {
  if (!chdb.present()) return [absentRow('ClickHouse', `no ${chdb.name}`)];
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-bench-fleet-'));
  const data = clickHouseData();
  try {
    const { port } = await data.start();
    const client = createClient({ url: `http://127.0.0.1:${port}`, log: { level: ClickHouseLogLevel.OFF } });
    for (const query of serverTables({ database: 'fleet', cluster: null, ttlDays: null, byTeam: false }))
      await client.command({ query });
    const size = async (): Promise<number> => {
      const query = `SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = 'fleet'`;
      const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ bytes: string }>();
      return Number(row?.bytes);
    };
    const rows = await benchStore('ClickHouse', `clickhouse://127.0.0.1:${port}/fleet`, captures, folder, size);
    await client.close();
    return rows;
  } finally {
    await data.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchStore(
  engine: string,
  store: string,
  captures: number,
  folder: string,
  size: () => number | Promise<number>,
): Promise<BenchRow[]> {
  const what = (of: string): string => `${engine}, ${captures.toLocaleString('en')} captures: ${of}`;
  const pushed = await generate(store, captures);
  process.stderr.write(`${what('pushed')} in ${pushed.seconds.toFixed(0)} s\n`);
  const bytes = await size();
  const ask = async (name: string, limit: number | null, ...args: string[]): Promise<BenchRow> => {
    const wall: number[] = [];
    const cpu: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const used = await measureProcess(flamebench('fleet', ...args, '--in', store), path.join(folder, 'output'));
      wall.push(used.wallSeconds);
      cpu.push(used.cpuSeconds);
    }
    process.stderr.write(`${what(name)}: ${median(wall).toFixed(2)} s\n`);
    return secondsRow(what(name), median(wall), limit, `median of ${RUNS}; CPU ${median(cpu).toFixed(2)} s`);
  };
  const sides = (before: string, after: string): string[] =>
    `--before release=${before} --after release=${after} --normalize share`.split(' ');
  const planted = RELEASES.indexOf(PLANTED.release);
  const regression = sides(RELEASES[planted - 1]!, PLANTED.release);
  const rows = [
    numberRow(what('push'), captures / pushed.seconds, null, 'captures/s', 'hashing, merging and writing; no reading'),
    {
      what: what('size'),
      found: `${(bytes / pushed.samples).toFixed(3)} B a sample`,
      limit: '≤ 4 B',
      holds: bytes / pushed.samples <= 4,
      note: `${(bytes / 1e6).toFixed(1)} MB, ${pushed.samples.toExponential(2)} samples, ${pushed.rows} merged rows of ${(bytes / pushed.rows).toFixed(1)} B`,
    },
    await ask('fleet diff of two releases', 2, 'diff', ...regression),
    await ask('fleet search', 1, 'search', 'check'),
    await ask('fleet list', null, 'list'),
    await ask('captures that carry a change', null, 'diff', ...regression, '--captures', PLANTED.func),
  ];
  const jsonOf = async (...args: string[]): Promise<never> => {
    const output = path.join(folder, 'output');
    await measureProcess(flamebench('fleet', ...args, '--json', '--in', store), output);
    return JSON.parse(readFileSync(output, 'utf8')) as never;
  };
  const verdictOf = async (...args: string[]): Promise<string> => {
    const { functions }: { functions: { name: string; verdict: { total: string } }[] } = await jsonOf('diff', ...args);
    return functions.find(({ name }) => name === PLANTED.func)?.verdict.total ?? 'absent';
  };
  const carriers: { captures: { side: string; host: string }[] } = await jsonOf(
    'diff',
    ...regression,
    '--captures',
    PLANTED.func,
  );
  const slowed = slowedHosts(captures);
  const first = carriers.captures.slice(0, slowed * CAPTURES);
  const hits = first.filter(({ side, host }) => side === 'after' && Number(host.slice(4)) <= slowed).length;
  const onHosts = Array.from({ length: slowed }, (_, host) => ['--host', `web-${host + 1}`]).flat();
  rows.push({
    what: what('planted regression'),
    found: await verdictOf(...regression),
    limit: null,
    holds: null,
    note: `over ${hostsOf(captures)} hosts, ${slowed} of them slowed; first ${first.length} of --captures: ${hits} of these hosts; these hosts alone: ${await verdictOf(...regression, ...onHosts)}; release before: ${await verdictOf(...sides(RELEASES[planted - 2]!, RELEASES[planted - 1]!))}`,
  });
  return rows;
}

const hostsOf = (captures: number): number => Math.ceil(captures / RELEASES.length / CAPTURES);
const slowedHosts = (captures: number): number => Math.ceil(hostsOf(captures) * PLANTED.share);

/** Pushes the captures; returns the seconds of that alone, the samples that they stand for and their merged rows. */
async function generate(
  store: string,
  captures: number,
): Promise<{ readonly seconds: number; readonly samples: number; readonly rows: number }> {
  const base = captureRows(await realProfile(), hash64);
  const drawn = drawing(base);
  const profileOf = profilesOver(base);
  const next = random(1);
  const fleet = await openFleetToPush(store);
  const batch = new PushBatch(fleet);
  let [milliseconds, samples, written] = [0, 0, 0];
  for (let host = 0; host < hostsOf(captures); host++) {
    const ofHost = drawn.bias(next, 0.2);
    for (const [order, release] of RELEASES.entries()) {
      const isSlowed = release === PLANTED.release && host < slowedHosts(captures);
      for (let run = 0; run < CAPTURES; run++) {
        const profile = profileOf(drawn.draw(next, ofHost, isSlowed), { ...TYPE, period: drawn.period, metadata: {} });
        const capture = captureNamed(`${host} ${release} ${run}`, `web-${host + 1}`, release, order);
        const start = performance.now();
        const rows = captureRows(profile, hash64);
        await batch.add({ ...capture, time: capture.time + run * HOUR }, rows);
        milliseconds += performance.now() - start;
        samples += rows.totals.find(({ type, unit }) => type === TYPE.type && unit === TYPE.unit)!.samples;
        written += rows.samples.length;
      }
    }
  }
  const start = performance.now();
  await batch.flush();
  fleet.close();
  // A file is complete once it can be read.
  (await openFleet(store)).close();
  return { seconds: (milliseconds + performance.now() - start) / 1000, samples, rows: written };
}

/** Draws captures of independent Poisson counts by thread and stack. */
function drawing({ stacks, frames, samples, totals }: CaptureRows) {
  const own = samples.filter(({ type, unit }) => type === TYPE.type && unit === TYPE.unit);
  const total = totals.find(({ type, unit }) => type === TYPE.type && unit === TYPE.unit)!;
  const planted = new Set(frames.filter(({ func }) => func === PLANTED.func).map(({ id }) => id));
  const isPlanted = new Set(stacks.filter((one) => one.frames.some((id) => planted.has(id))).map(({ id }) => id));
  const period = total.weight / total.samples;
  const bias = (next: () => number, spread: number): Float64Array =>
    Float64Array.from(own, () => 1 + spread * (2 * next() - 1));
  return {
    period,
    bias,
    draw: (next: () => number, ofHost: Float64Array, isSlowed: boolean) =>
      own.flatMap(({ thread, stack, samples: count }, row) => {
        const mean = (count / total.samples) * SAMPLES * ofHost[row]! * (1 + 0.05 * (2 * next() - 1));
        const drawn = poisson(mean * (isSlowed && isPlanted.has(stack) ? PLANTED.factor : 1), next);
        return drawn === 0 ? [] : [{ thread, stack, weight: drawn * period, samples: drawn }];
      }),
  };
}

/** Draws a Poisson count: by Knuth's products, beyond a mean of 30 by a normal approximation. */
function poisson(mean: number, next: () => number): number {
  if (mean > 30) {
    const normal = Math.sqrt(-2 * Math.log(next() || 1e-9)) * Math.cos(2 * Math.PI * next());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = next(); product > limit; product *= next()) count++;
  return count;
}
