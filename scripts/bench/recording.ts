import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findCommand } from '../components.mjs';

/** Samples per second and CPU; a build yields about 200 MB of text. */
const RATE_HZ = 2999;
/** Size for which limits are set. A slower machine builds for longer and perf records more, so the rest is cut off. */
const MAX_TEXT_BYTES = 221e6;
/** Maximum size of each part of the large input. */
const MAX_PART_BYTES = 330e6;
/** Longer than the text of any sample. */
const SAMPLE_BYTES = 1 << 20;
/** Targets that make the recordings of the large input distinct: the same compiler building for other architectures. */
const ARCHITECTURES = ['amd64', 'arm64', 'riscv64', 'ppc64le', 's390x'] as const;

export interface BenchRecording {
  /** Path of the `perf script` text, or null with the reason. */
  readonly path: string | null;
  readonly reason: string;
}

/** Returns a folder outside the checkout, so that it outlives it. */
export function benchCacheFolder(): string {
  const cacheHome = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cacheHome, 'flamebench', 'bench');
}

/** Returns where a file of the cache is made before it is renamed: another run may be making the same file. */
export const unfinished = (path: string): string => `${path}.${randomUUID()}.new`;

/** Records `go build -a std` with perf, as text. Created once and kept. */
export function benchRecording(): BenchRecording {
  const recording = cached('go-build.perf-script.txt', (path) => record('amd64', path));
  if (recording.path !== null) cutAfterSample(recording.path, MAX_TEXT_BYTES);
  return recording;
}

/** Returns a recording's size as benchmarks state it. */
export function megabytesOf(path: string): string {
  return `${Math.round(statSync(path).size / 1e6).toLocaleString('en')} MB`;
}

/** Returns five such recordings for different architectures in one file of more than a gigabyte. */
export function largeBenchRecording(): BenchRecording {
  return cached('go-build-large.perf-script.txt', (path) => {
    const part = `${path}.part`;
    for (const architecture of ARCHITECTURES) {
      record(architecture, part);
      cutAfterSample(part, MAX_PART_BYTES);
      appendFile(path, part);
    }
    rmSync(part);
  });
}

/** Returns perf's own file, from a separate recording. */
export function benchPerfData(): BenchRecording {
  return cached('go-build.perf.data', (path) => recordData('amd64', path));
}

function cached(name: string, make: (path: string) => void): BenchRecording {
  const path = join(benchCacheFolder(), name);
  if (existsSync(path)) return { path, reason: '' };
  const missing = ['perf', 'go'].filter((command) => findCommand(command) === null);
  if (missing.length > 0) return { path: null, reason: `no data: ${missing.join(' and ')} absent` };
  mkdirSync(benchCacheFolder(), { recursive: true });
  process.stderr.write(`making ${path} (once)\n`);
  const made = unfinished(path);
  try {
    make(made);
    renameSync(made, path);
    return { path, reason: '' };
  } catch (error) {
    rmSync(made, { force: true });
    return { path: null, reason: `no data: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function record(architecture: string, textPath: string): void {
  const dataPath = `${textPath}.data`;
  try {
    recordData(architecture, dataPath);
    run(['perf', 'script', '--no-inline', '-i', dataPath], {}, textPath);
    if (statSync(textPath).size === 0) throw new Error('perf recorded nothing');
  } finally {
    rmSync(dataPath, { force: true });
  }
}

/** Cuts a text after a whole sample, each of which ends with a blank line, to at most `maxBytes`. */
function cutAfterSample(path: string, maxBytes: number): void {
  if (statSync(path).size <= maxBytes) return;
  const last = Buffer.alloc(SAMPLE_BYTES);
  const start = maxBytes - last.length;
  const file = openSync(path, 'r');
  readSync(file, last, 0, last.length, start);
  closeSync(file);
  const end = last.lastIndexOf('\n\n');
  if (end < 0) throw new Error(`${path}: no sample ends before byte ${maxBytes}`);
  truncateSync(path, start + end + 2);
}

function recordData(architecture: string, dataPath: string): void {
  const buildCache = `${dataPath}.go-cache`;
  const perf = ['perf', 'record', '-q', '-F', String(RATE_HZ), '-e', 'cpu-clock', '-g', '-o', dataPath];
  const environment = { GOCACHE: buildCache, GOARCH: architecture, CGO_ENABLED: architecture === 'amd64' ? '1' : '0' };
  try {
    run([...perf, 'go', 'build', '-a', 'std'], environment);
  } finally {
    rmSync(buildCache, { recursive: true, force: true });
  }
}

function run(argv: readonly string[], environment: Record<string, string>, outputPath?: string): void {
  const [command = '', ...args] = argv;
  const output = outputPath === undefined ? 'ignore' : openSync(outputPath, 'w');
  try {
    const { status, stderr } = spawnSync(command, args, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', output, 'pipe'],
      encoding: 'utf8',
    });
    if (status !== 0)
      throw new Error(`${argv.slice(0, 2).join(' ')} failed: ${stderr.trim().split('\n').at(-1) ?? ''}`);
  } finally {
    if (output !== 'ignore') closeSync(output);
  }
}

function appendFile(path: string, part: string): void {
  appendFileSync(path, readFileSync(part));
}
