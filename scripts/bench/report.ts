import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright';
import { fileSource } from '#app/engine/files/file-source.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { Profile } from '#core/model/profile.ts';
import { numbers } from '../../tests/renderer/harness/million-nodes.ts';
import { runCli } from '../../tests/support/run-cli.ts';
import { buildStale } from '../build.ts';
import { findChromium } from '../components.mjs';
import { root } from '../run-command.ts';
import { startRawBrowser } from './raw-browser.ts';
import { benchRecording } from './recording.ts';
import { absentRow, benchTable, median, msRow, secondsRow, type BenchRow } from './table.ts';
import { taskOf, type Task, type TraceEvent } from './tasks.ts';
import { inPage, VIEWPORT } from './viewers.ts';

const LIMIT = { withoutTimesMegabytes: 2, withTimesMegabytes: 3, paintedSeconds: 1, taskMs: 50 };
const SAMPLES = 200_000;
/** A recording of one service, from whose samples larger profiles are drawn. */
const SERVICE = 'samples/profiles/perf-script/catalog-service/raw.perf-script.txt.gz';
const RUNS = 5;
const OPEN_TIMEOUT_MS = 120_000;
const AT_REST_MS = 1000;

/** Measures reports opened from disk: their size, when they are painted, and their longest tasks. */
export async function benchReport(): Promise<BenchRow[]> {
  const chromium = findChromium();
  if (chromium === null) return [absentRow('report', 'chromium is absent')];
  await buildStale(['renderer']);
  const { path, reason } = benchRecording();
  const service = await importProfile(fileSource(join(root, SERVICE)));
  return [
    ...(await rowsOf(chromium, 'of a service', drawn(service, SAMPLES), true)),
    ...(path === null
      ? [absentRow('report of a build', reason)]
      : await rowsOf(chromium, 'of a build', await importProfile(fileSource(path)), false)),
  ];
}

/** Returns a profile of `count` samples drawn from another, about 0.5 ms apart. */
function drawn(profile: Profile, count: number): Profile {
  const next = numbers(1);
  let at = 0;
  const time = Float64Array.from({ length: count }, () => (at += 450_000 + Math.floor(next() * 100_000)));
  const rows = Int32Array.from(time, () => Math.floor(next() * profile.samples.length));
  const picked = picks(profile, rows);
  return { ...picked, samples: { ...picked.samples, time } };
}

/** Returns a profile with the given samples only. */
function picks(profile: Profile, rows: Int32Array): Profile {
  const { stack, thread, event, time, cpu, labelSet, weights, labelSets } = profile.samples;
  const samples: Profile['samples'] = {
    length: rows.length,
    stack: rows.map((row) => stack[row]!),
    thread: rows.map((row) => thread[row]!),
    event: event && Uint8Array.from(rows, (row) => event[row]!),
    time: time && Float64Array.from(rows, (row) => time[row]!),
    cpu: cpu && Int16Array.from(rows, (row) => cpu[row]!),
    labelSet: labelSet && rows.map((row) => labelSet[row]!),
    weights: weights.map((column) => Float64Array.from(rows, (row) => column[row]!)),
    labelSets,
  };
  return { ...profile, samples };
}

async function rowsOf(chromium: string, what: string, profile: Profile, isLimited: boolean): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-bench-'));
  const at = (name: string): string => join(folder, name);
  const save = (name: string, saved: Profile): string => {
    writeFileSync(at(name), Buffer.concat(writeNative(saved)));
    return at(name);
  };
  try {
    const { length } = profile.samples;
    const half = length >> 1;
    const range = (first: number, last: number) => Int32Array.from({ length: last - first }, (_, row) => first + row);
    const all = save('all.flamebench', profile);
    const before = save('before.flamebench', picks(profile, range(0, half)));
    const after = save('after.flamebench', picks(profile, range(half, length)));
    await report(all, '-o', at('timed.html'));
    await report(all, '--no-times', '-o', at('bare.html'));
    await report(before, after, '--compare', '-o', at('both.html'));
    const how = `${length.toLocaleString('en')} samples, ${profile.stacks.length.toLocaleString('en')} stack rows`;
    const size = (name: string, times: string, limit: number): BenchRow => {
      const found = statSync(at(name)).size / 1e6;
      const note = `${how}, ${times}`;
      return {
        what: `report ${what}, size`,
        found: `${found.toFixed(2)} MB`,
        limit: isLimited ? `≤ ${limit} MB` : null,
        holds: isLimited ? found <= limit : null,
        note,
      };
    };
    return [
      size('timed.html', 'with times', LIMIT.withTimesMegabytes),
      size('bare.html', 'without times', LIMIT.withoutTimesMegabytes),
      ...(await openRows(chromium, `report ${what}`, at('timed.html'), isLimited)),
      ...(await openRows(chromium, `comparison ${what}`, at('both.html'), isLimited)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function report(...args: readonly string[]): Promise<void> {
  const { code, stderr } = await runCli(['report', ...args]);
  if (code !== 0) throw new Error(stderr);
}

interface Opened {
  readonly paintedSeconds: number;
  readonly usableSeconds: number;
}

async function openRows(chromium: string, what: string, path: string, isLimited: boolean): Promise<BenchRow[]> {
  const runs: Opened[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await inPage(chromium, (page) => open(page, path)));
  const restMs = Math.max(...runs.map(({ usableSeconds }) => usableSeconds)) * 1500 + AT_REST_MS;
  const traced: (readonly Task[])[] = [];
  for (let run = 0; run < RUNS; run++) traced.push(await tasksOf(chromium, path, restMs));
  const how = `from disk, median of ${RUNS}`;
  const longest = (kind: keyof Task): number[] =>
    traced.map((tasks) => Math.max(0, ...tasks.map((task) => task[kind])));
  const spread = longest('wall').map(Math.round).join(', ');
  return [
    secondsRow(
      `${what}, to painted`,
      median(runs.map(({ paintedSeconds }) => paintedSeconds)),
      isLimited ? LIMIT.paintedSeconds : null,
      how,
    ),
    secondsRow(`${what}, to usable`, median(runs.map(({ usableSeconds }) => usableSeconds)), null, how),
    msRow(
      `${what}, longest task`,
      median(longest('processor')),
      LIMIT.taskMs,
      `processor time, median of ${RUNS}; by the clock ${spread} ms`,
    ),
  ];
}

async function open(page: Page, path: string): Promise<Opened> {
  await page.goto(pathToFileURL(path).href, { waitUntil: 'commit' });
  const places = `[...document.querySelectorAll('[data-live]')]`;
  const usable = `${places}.length > 0 && ${places}.every((place) => place.childElementCount > 0)`;
  await page.waitForFunction(usable, null, { polling: 100, timeout: OPEN_TIMEOUT_MS });
  const [usableSeconds, paintedSeconds] = await page.evaluate<[number, number]>(
    `[performance.now(), performance.getEntriesByName('first-contentful-paint')[0].startTime].map((ms) => ms / 1000)`,
  );
  return { paintedSeconds, usableSeconds };
}

/**
 * Returns the tasks of the page's thread within `restMs` of its creation. No session is attached to the page: with one, V8
 * collects the positions of sources, which takes longer than running the script.
 */
async function tasksOf(chromium: string, path: string, restMs: number): Promise<readonly Task[]> {
  const browser = await startRawBrowser(chromium, VIEWPORT);
  try {
    const traceConfig = { includedCategories: ['toplevel', 'devtools.timeline'] };
    await browser.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
    const url = pathToFileURL(path).href;
    await browser.send('Target.createTarget', { url });
    await sleep(restMs);
    const complete = browser.once('Tracing.tracingComplete');
    await browser.send('Tracing.end', {});
    await complete;
    const events = browser.events('Tracing.dataCollected').flatMap(({ value }) => value as TraceEvent[]);
    const script = events.find(({ name, args }) => name === 'EvaluateScript' && args?.data?.url === url)!;
    return events
      .filter(
        ({ name, ph, pid, tid }) => pid === script.pid && tid === script.tid && ph === 'X' && name.endsWith('RunTask'),
      )
      .map(taskOf);
  } finally {
    await browser.close();
  }
}

if (import.meta.main) process.stdout.write(`\n${benchTable(await benchReport())}\n`);
