import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { CaptureDocument, PerfOptions } from '#core/contract/schemas.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { startRecording } from '#app/engine/recording/recording.ts';

const PROGRAMS = join(import.meta.dirname, 'programs');
/** Programs run from here, so that the captures do not contain paths of this machine. */
const BUILD = '/tmp/flamebench-samples';
const WARM_UP_MS = 1000;

/** Frame pointers, and exactly one symbol per function. */
const C_FLAGS = [
  '-O2',
  '-g',
  '-pthread',
  '-fno-omit-frame-pointer',
  '-fno-optimize-sibling-calls',
  '-fno-ipa-sra',
  '-fno-ipa-cp',
];

export interface Sample {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly series: CaptureDocument['series'];
  readonly build: Build;
  readonly rateHz: number;
  readonly seconds: number;
}

export type Build = 'page-server-before' | 'page-server-after' | 'catalog-service';

/** The compressed output of perf script, and the capture's document. */
interface RecordedSample {
  readonly document: CaptureDocument;
  readonly bytes: Buffer;
}

/** Makes the folder from which programs run, until this process ends. Throws if anything has its name. */
export function makeBuildFolder(folder = BUILD): string {
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    throw new Error(`${folder} exists or cannot be made. If no other recording of samples runs, remove it`, {
      cause: error,
    });
  }
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Both sides run from the same path, like a deployed program. */
export function buildPrograms(builds: readonly Build[], folder = makeBuildFolder()): void {
  mkdirSync(join(folder, 'builds'));
  cpSync(PROGRAMS, join(BUILD, 'source'), { recursive: true });
  const compile = (build: Build, flags: readonly string[]): void => {
    if (!builds.includes(build)) return;
    const argv = [...C_FLAGS, ...flags, 'page-server.c', '-o', join(BUILD, 'builds', build)];
    execFileSync('gcc', argv, { cwd: join(BUILD, 'source'), stdio: 'inherit' });
  };
  compile('page-server-before', []);
  compile('page-server-after', ['-DROUTE_HASH']);
  if (!builds.includes('catalog-service')) return;
  execFileSync('go', ['build', '-trimpath', '-o', join(BUILD, 'builds', 'catalog-service'), '.'], {
    cwd: join(BUILD, 'source', 'catalog-service'),
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: 'inherit',
  });
}

/** Starts a new process of the program and records it. */
export async function recordSample(sample: Sample): Promise<RecordedSample> {
  const program = startProgram(sample.build);
  try {
    await sleep(WARM_UP_MS);
    return await recordProcess(sample, program.pid!);
  } finally {
    program.kill('SIGKILL');
  }
}

function startProgram(build: Build): ChildProcess {
  const path = join(BUILD, build.replace(/-(?:before|after)$/, ''));
  rmSync(path, { force: true });
  cpSync(join(BUILD, 'builds', build), path);
  return spawn(path, { cwd: BUILD, stdio: 'ignore', env: { GOMAXPROCS: '2' } });
}

async function recordProcess(sample: Sample, pid: number): Promise<RecordedSample> {
  const { rateHz, seconds } = sample;
  const options: PerfOptions = {
    collector: 'perf',
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
    const hosts = [{ targetId: LOCAL_TARGET, target, plan }];
    const request = { hosts, repeat: 1, pauseSeconds: 0, name: sample.title };
    const { captures, error } = await (await startRecording({ library }, request)).ended;
    const [document] = captures;
    if (document === undefined) throw error ?? new Error('nothing was recorded');
    return withoutMachine(sample, document, readFileSync(join(libraryPath, document.id, document.primaryFile)));
  } finally {
    library.close();
    await target.dispose();
    rmSync(libraryPath, { recursive: true });
  }
}

/** Removes the machine's name. */
function withoutMachine(sample: Sample, document: CaptureDocument, text: Buffer): RecordedSample {
  const bytes = gzipSync(text, { level: 9 });
  return {
    document: {
      ...document,
      id: sample.id,
      tags: [...sample.tags],
      origin: 'sample',
      primaryFile: `${document.primaryFile}.gz`,
      otherFiles: [],
      sizeBytes: bytes.length,
      series: sample.series,
      target: document.target && {
        ...document.target,
        host: 'sample',
        kernel: document.target.kernel?.replace(/^(\d+\.\d+).*$/, '$1') ?? null,
      },
    },
    bytes,
  };
}
