import { execFileSync } from 'node:child_process';
import { chmodSync, createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Check } from '#core/contract/schemas.ts';
import { planDataScript, startDataScript, type DataScriptRequest } from '#collectors/perf/data-script.ts';
import { explainScriptFailure } from '#collectors/perf/explain-script.ts';
import { readPerfData } from '#collectors/perf/read-perf-data.ts';
import { ScriptFailure } from '#collectors/perf/script-run.ts';
import type { Target } from '#collectors/target/target.ts';
import { recordCallers } from '../../support/dwarf-recording.ts';
import { checkPerfEnds, target } from '../../support/perf-recording.ts';

checkPerfEnds();

const folder = mkdtempSync(join(tmpdir(), 'data-script-'));
let file = '';
let stream = '';
beforeAll(() => {
  file = recordCallers(join(folder, 'file'));
  stream = recordCallers(join(folder, 'stream'), { stream: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string): Promise<DataScriptRequest> => readPerfData(path, () => createReadStream(path));

interface Read {
  readonly text: string;
  readonly command: readonly string[];
}

async function readByPerf(
  on: Target,
  request: DataScriptRequest,
  signal = new AbortController().signal,
): Promise<Read> {
  const plan = await planDataScript(on, request);
  const run = startDataScript(on, request, plan, { signal });
  let text = '';
  for await (const chunk of run.text) text += Buffer.from(chunk).toString();
  return { text, command: plan.command ?? [] };
}

/** Runs the command as a user would type it. */
function byHand(path: string, command: readonly string[]): string {
  const argv = command.map((word, at) => (command[at - 1] === '-i' ? path : word));
  return execFileSync(argv[0]!, argv.slice(1), { env: { ...process.env, PERF_CONFIG: '/dev/null' } }).toString();
}

/** Removes the header, which contains the time of writing and is shorter for a stream than for a file. */
const samplesOf = (text: string): string => text.replaceAll(/^#.*\n/gm, '').trim();

/** Returns a target whose perf runs this script, except when it is asked for its version. */
function withPerf(script: string): Target {
  const path = join(folder, `perf-${readdirSync(folder).length}`);
  const answers =
    'case $1 in --version) echo perf version 4.9; exit ;; version) echo "libunwind: [ OFF ]"; exit ;; esac';
  writeFileSync(path, `#!/bin/sh\n${answers}\n${script}\n`);
  chmodSync(path, 0o755);
  return { ...target, findExecutable: () => Promise.resolve(path) };
}

const checkOf = (checks: readonly Check[], id: string): Check | undefined => checks.find((check) => check.id === id);

test('reads a file in place, with the same result as by hand', async () => {
  const request = await read(file);
  expect(request.facts).toMatchObject({ isStream: false, hasUserStacks: true, hasCpus: false, isCut: false });
  const { text, command } = await readByPerf(target, request);
  expect(command).toContain(file);
  expect(text).toMatch(/^# read by : perf \S+ on \S+: \/\S*perf script -i /);
  expect(text).not.toContain('# captured on');
  expect(text).toContain('# cmdline : ');
  expect(samplesOf(text)).toBe(samplesOf(byHand(file, command)));
  expect(text).toMatch(/hot\+0x\w+ \(.*\n.*middle\+0x\w+ \(.*\n.*outer\+0x\w+ \(.*\n.*main\+0x/);
});

test('reads a stream on perf’s input, with the same result as by hand', async () => {
  const request = await read(stream);
  expect(request.facts).toMatchObject({ isStream: true, hasUserStacks: true });
  const { text, command } = await readByPerf(target, request);
  expect(command.slice(1, 4)).toEqual(['script', '-i', '-']);
  expect(samplesOf(text)).toBe(samplesOf(byHand(stream, command)));
});

test('unpacks compressed data into a nameless file', async () => {
  const zipped = join(folder, 'file.gz');
  writeFileSync(zipped, gzipSync(readFileSync(file)));
  const request = await read(zipped);
  expect(request).toMatchObject({ path: null, bytes: readFileSync(file).length });
  const before = readdirSync(tmpdir());
  const { text, command } = await readByPerf(target, request);
  expect(command).toContain('/proc/self/fd/3');
  expect(samplesOf(text)).toBe(samplesOf(byHand(file, command)));
  const left = readdirSync(tmpdir()).filter((name) => /^flamebench-[0-9a-f]{32}$/.test(name) && !before.includes(name));
  expect(left).toEqual([]);
});

test('reports the bytes sent to perf, and the samples received', async () => {
  const request = await read(stream);
  const plan = await planDataScript(target, request);
  const steps: { sentBytes: number; samples: number }[] = [];
  const { signal } = new AbortController();
  const run = startDataScript(target, request, plan, { signal, onProgress: (step) => steps.push(step) });
  for await (const chunk of run.text) void chunk;
  expect(steps.at(-1)).toEqual({ sentBytes: request.bytes, samples: request.facts.samples });
  expect(run.stats()).toMatchObject({ samples: request.facts.samples, lost: 0 });
});

test('does not run perf on a truncated file, which would crash it; reads what a stream contains', async () => {
  const cut = join(folder, 'cut');
  writeFileSync(cut, readFileSync(file).subarray(0, 60_000));
  const plan = await planDataScript(target, await read(cut));
  expect(plan.command).toBeNull();
  expect(checkOf(plan.checks, 'recording')).toMatchObject({ status: 'failed', remedy: expect.stringMatching(/^copy/) });

  writeFileSync(cut, readFileSync(stream).subarray(0, 200_000));
  const request = await read(cut);
  const checks = (await planDataScript(target, request)).checks;
  expect(checkOf(checks, 'recording')).toMatchObject({
    status: 'warning',
    found: expect.stringContaining('is truncated'),
  });
  const { text } = await readByPerf(target, request);
  expect(text.match(/^app +\d/gm)).toHaveLength(request.facts.samples ?? 0);
});

test('refuses what is not perf.data before anything runs', async () => {
  const text = join(folder, 'text');
  writeFileSync(text, 'app 7 1.000: 1 cycles:\n');
  await expect(read(text)).rejects.toMatchObject({ failure: 'malformed', location: { byte: 0 } });
  writeFileSync(text, '');
  await expect(read(text)).rejects.toMatchObject({ failure: 'malformed' });
});

test('leaves kinds that Flamebench does not read to perf', async () => {
  const old = join(folder, 'old');
  writeFileSync(old, `PERFFILE${'\0'.repeat(200)}`);
  const request = await read(old);
  expect(request.facts).toMatchObject({ samples: null, perfVersion: null });
  const failure = await readByPerf(target, request).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ScriptFailure);
});

test('names a missing perf, an older one, and one that can’t unwind', async () => {
  const request = await read(file);
  const none = await planDataScript({ ...target, findExecutable: () => Promise.resolve(null) }, request);
  expect(none.command).toBeNull();
  expect(checkOf(none.checks, 'perf')).toMatchObject({
    status: 'failed',
    found: expect.stringContaining('not installed'),
  });

  const old = await planDataScript(withPerf('exit 0'), request);
  expect(checkOf(old.checks, 'perf')).toMatchObject({
    status: 'warning',
    found: expect.stringContaining('older than'),
  });
  expect(checkOf(old.checks, 'dwarf-unwinding')).toMatchObject({ status: 'warning' });
  expect(old.command).not.toContain('--show-lost-events');

  const here = await planDataScript(target, request);
  expect(here.checks.map(({ id, status }) => [id, status])).toEqual([
    ['recording', 'ok'],
    ['perf', 'ok'],
    ['binaries', 'ok'],
    ['dwarf-unwinding', 'ok'],
  ]);
});

test('warns of names from other builds if builds can’t be distinguished', async () => {
  const request = await read(stream);
  const elsewhere = { ...request, facts: { ...request.facts, hostName: 'web1', buildIds: 0 } };
  const { checks } = await planDataScript(target, elsewhere);
  expect(checkOf(checks, 'binaries')).toMatchObject({ status: 'warning', remedy: expect.stringContaining('web1') });
  const foreign = { ...request, facts: { ...request.facts, arch: 'aarch64' } };
  const other = await planDataScript(target, foreign);
  expect(checkOf(other.checks, 'binaries')).toMatchObject({ found: expect.stringContaining('recorded on aarch64') });
});

async function failureOf(script: string) {
  const failure = await readByPerf(withPerf(script), await read(file)).catch((error: unknown) => error);
  if (!(failure instanceof ScriptFailure)) throw new Error('perf did not fail', { cause: failure });
  return explainScriptFailure(failure);
}

test('explains why perf failed, with the remedy', async () => {
  expect(await failureOf('echo "incompatible file format (rerun with -v)" >&2; exit 255')).toMatchObject({
    code: 'perf-script-too-old',
    message: 'this perf doesn’t know the file (incompatible file format (rerun with -v))',
    remedy: expect.stringContaining('newer perf'),
  });
  expect(await failureOf('kill -BUS $$')).toMatchObject({ code: 'perf-script-crashed' });
  expect(await failureOf('echo "write: No space left on device" >&2; exit 1')).toMatchObject({ code: 'no-space' });
  expect(await failureOf('printf "\\033[31mno\\n" >&2; exit 3')).toEqual({
    code: 'perf-script-failed',
    message: 'perf script ended early (exit code 3): no',
    remedy: null,
  });
});

test('leaves no perf or child behind when cancelled', async () => {
  const cancel = new AbortController();
  const endless = withPerf('while echo "app 7/7 1.0: 1 cycles: "; do sleep 0.05; done');
  const request = await read(file);
  const plan = await planDataScript(endless, request);
  const run = startDataScript(endless, request, plan, {
    signal: cancel.signal,
    onProgress: ({ samples }) => {
      if (samples > 2) cancel.abort();
    },
  });
  const all = (async () => {
    for await (const chunk of run.text) void chunk;
  })();
  await expect(all).rejects.toThrow(/abort/i);
  const left = execFileSync('ps', ['-eo', 'args']).toString();
  expect(left).not.toContain((plan.command ?? [''])[0]);
});

test('removes perf’s copy of the vdso when cancelled', async () => {
  const copies = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('perf-vdso.so-'));
  const before = copies();
  const cancel = new AbortController();
  const request = await read(stream);
  const run = startDataScript(target, request, await planDataScript(target, request), {
    signal: cancel.signal,
    onProgress: ({ samples }) => {
      if (samples > 0) cancel.abort();
    },
  });
  const all = (async () => {
    for await (const chunk of run.text) void chunk;
  })();
  await expect(all).rejects.toThrow(/abort/i);
  // Other recordings on this machine may have copies for a moment.
  await expect.poll(() => copies().filter((name) => !before.includes(name))).toEqual([]);
});
