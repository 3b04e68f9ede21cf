import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { CaptureDocument, PerfOptions } from '#core/contract/schemas.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { startRecording } from '#app/engine/recording.ts';

/**
 * Builds samples/programs and records samples/profiles anew: `npm run samples`. Needs perf, gcc and Go; takes about two minutes. On a
 * quiet machine the captures are better.
 */
const SAMPLES = import.meta.dirname;
const PROGRAMS = join(SAMPLES, 'programs');
const PROFILES = join(SAMPLES, 'profiles', 'perf-script');
/** Programs run from here, so that no path of the machine gets into the captures. */
const BUILD = '/tmp/flamebench-samples';

const CAPTURES_A_SIDE = 5;
const WARM_UP_MS = 1000;

/** Frame pointers; and each function under its own name, once. */
const C_FLAGS = [
  '-O2',
  '-g',
  '-pthread',
  '-fno-omit-frame-pointer',
  '-fno-optimize-sibling-calls',
  '-fno-ipa-sra',
  '-fno-ipa-cp',
];

interface Sample {
  /** Its folder. */
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly series: CaptureDocument['series'];
  readonly build: string;
  readonly rateHz: number;
  readonly seconds: number;
}

async function main(): Promise<void> {
  buildPrograms();
  rmSync(PROFILES, { recursive: true, force: true });
  for (const sample of listSamples()) {
    const document = await recordSample(sample);
    process.stdout.write(`${sample.id}: ${document.samples} samples, ${document.sizeBytes} bytes\n`);
  }
  rmSync(BUILD, { recursive: true });
}

/** Both sides run from the same path, as a deployed program does. */
function buildPrograms(): void {
  rmSync(BUILD, { recursive: true, force: true });
  mkdirSync(join(BUILD, 'builds'), { recursive: true });
  cpSync(PROGRAMS, join(BUILD, 'source'), { recursive: true });
  const compile = (build: string, flags: readonly string[]): void => {
    const argv = [...C_FLAGS, ...flags, 'page-server.c', '-o', join(BUILD, 'builds', build)];
    execFileSync('gcc', argv, { cwd: join(BUILD, 'source'), stdio: 'inherit' });
  };
  compile('page-server-before', []);
  compile('page-server-after', ['-DROUTE_HASH']);
  execFileSync('go', ['build', '-trimpath', '-o', join(BUILD, 'builds', 'catalog-service'), '.'], {
    cwd: join(BUILD, 'source', 'catalog-service'),
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: 'inherit',
  });
}

/** The two sides in turn, so that what changes on the machine meanwhile meets both. */
function listSamples(): Sample[] {
  const samples: Sample[] = [];
  for (let run = 0; run < CAPTURES_A_SIDE; run++) {
    for (const side of ['before', 'after']) {
      samples.push({
        id: `page-server-${side}-${run + 1}`,
        title: `page-server, ${side} (${run + 1}/${CAPTURES_A_SIDE})`,
        tags: ['page-server', side],
        series: { id: `page-server-${side}`, run, of: CAPTURES_A_SIDE },
        build: `page-server-${side}`,
        rateHz: 499,
        seconds: 6,
      });
    }
  }
  const title = 'catalog-service (Go)';
  const tags = ['catalog-service', 'go'];
  return [
    ...samples,
    { id: 'catalog-service', title, tags, series: null, build: 'catalog-service', rateHz: 199, seconds: 8 },
  ];
}

async function recordSample(sample: Sample): Promise<CaptureDocument> {
  const program = startProgram(sample.build);
  try {
    await sleep(WARM_UP_MS);
    return await recordProcess(sample, program.pid!);
  } finally {
    program.kill('SIGKILL');
  }
}

function startProgram(build: string): ChildProcess {
  const path = join(BUILD, build.replace(/-(?:before|after)$/, ''));
  rmSync(path, { force: true });
  cpSync(join(BUILD, 'builds', build), path);
  return spawn(path, { cwd: BUILD, stdio: 'ignore', env: { GOMAXPROCS: '2' } });
}

async function recordProcess(sample: Sample, pid: number): Promise<CaptureDocument> {
  const { rateHz, seconds } = sample;
  const options: PerfOptions = {
    scope: { kind: 'pid', pid, startTicks: null },
    rateHz,
    seconds,
    event: null,
    callGraph: 'fp',
  };
  const target = createLocalTarget();
  const libraryPath = mkdtempSync(join(tmpdir(), 'samples-library-'));
  const library = await openLibrary(libraryPath);
  try {
    const { plan } = await perfCollector.preflight(target, options);
    if (plan === null) throw new Error('perf does not work here: see flamebench doctor');
    const request = { plan, repeat: 1, pauseSeconds: 0, name: sample.title };
    const { captures, error } = await (await startRecording({ library, target }, request)).ended;
    const [document] = captures;
    if (document === undefined) throw error ?? new Error('nothing was recorded');
    return keepSample(sample, document, readFileSync(join(libraryPath, document.id, document.primaryFile)));
  } finally {
    library.close();
    await target.dispose();
    rmSync(libraryPath, { recursive: true });
  }
}

/** Keeps the text, compressed, and what is known of the capture without naming the machine. */
function keepSample(sample: Sample, document: CaptureDocument, text: Buffer): CaptureDocument {
  const folder = join(PROFILES, sample.id);
  const primaryFile = `${document.primaryFile}.gz`;
  const bytes = gzipSync(text, { level: 9 });
  const kept: CaptureDocument = {
    ...document,
    id: sample.id,
    tags: [...sample.tags],
    origin: 'sample',
    primaryFile,
    otherFiles: [],
    sizeBytes: bytes.length,
    series: sample.series,
    target: document.target && {
      ...document.target,
      host: 'sample',
      kernel: document.target.kernel?.replace(/^(\d+\.\d+).*$/, '$1') ?? null,
    },
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, primaryFile), bytes);
  writeFileSync(join(folder, 'capture.json'), `${JSON.stringify(kept, null, 2)}\n`);
  return kept;
}

await main();
