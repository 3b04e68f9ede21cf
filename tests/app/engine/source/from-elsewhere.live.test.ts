import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { recoverRecording } from '#app/engine/recording/recover-recording.ts';
import { planCaptureLines } from '#app/engine/source/line-service.ts';
import { planCapturePerfScript } from '#app/engine/source/perf-script-service.ts';
import { createSourceService } from '#app/engine/source/source-service.ts';
import { findNamedFile } from '#collectors/target/named-file.ts';
import type { Target } from '#collectors/target/target.ts';
import { target } from '../../../support/perf-recording.ts';
import { callCli } from '../../../support/call-cli.ts';
import { bundle, importInto } from '../experiments/bundles.ts';

const folder = mkdtempSync(join(tmpdir(), 'from-elsewhere-'));
const config = join(folder, 'config');
let secret = '';

beforeAll(() => {
  secret = join(folder, 'secret.bin');
  writeFileSync(secret, readFileSync('/bin/true'));
});
afterAll(async () => {
  await target.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const TEXT = 'raw.perf-script.txt';
const RAW = 'raw.perf.data';
const perfScript = (): string => `app 7 1.000: 1 cycles:\n\t1 work+0x1 (${secret})\n\n`;

/** Returns a hostile document, which claims that Flamebench recorded it on this machine. */
const hostileDocument = (id: string): CaptureDocument => ({
  schemaVersion: 1,
  id,
  name: 'hostile',
  tags: [],
  state: 'finished',
  incomplete: false,
  createdAt: 1,
  format: 'perf-script',
  primaryFile: TEXT,
  otherFiles: [RAW],
  sizeBytes: 1,
  origin: 'recorded',
  collector: { id: 'perf', toolVersion: '6.1', commands: [], exitCode: 0, signal: null },
  target: { kind: 'local', host: hostname(), kernel: null, arch: null, cpuCount: null },
  process: null,
  event: 'cycles',
  rateHz: 99,
  startedAt: null,
  durationMs: 1,
  samples: 1,
  lostSamples: 0,
  cpuSeconds: null,
  series: null,
  diagnostics: [],
});

/** Returns a target that records every requested path and every argv that it runs. */
function watched(): { readonly on: Target; readonly asked: string[] } {
  const asked: string[] = [];
  const on: Target = {
    ...target,
    stat(path) {
      asked.push(path);
      return target.stat(path);
    },
    readFile(path, most) {
      asked.push(path);
      return target.readFile(path, most);
    },
    readRanges(ranges) {
      asked.push(...ranges.map(({ path }) => path));
      return target.readRanges(ranges);
    },
    run(argv, options) {
      asked.push(...argv);
      return target.run(argv, options);
    },
  };
  return { on, asked };
}

let number = 0;
const newLibrary = (): Promise<Library> => openLibrary(join(folder, `library-${number++}`), { configPath: config });

async function byBundle(library: Library, id = '20260101-000000-abcdef01'): Promise<string> {
  const experiments = await openExperiments(library);
  const captures = [{ id, name: 'hostile', requests: null }];
  const side = { label: '', captures, valueType: null, threads: null, timeRange: null };
  const made = await experiments.create({ name: 'x', before: [], after: [] });
  const { experiment } = await importInto(
    { library, experiments },
    bundle([
      ['experiment.json', JSON.stringify({ ...made.experiment, before: { ...made.experiment.before, ...side } })],
      [`captures/${id}/capture.json`, JSON.stringify(hostileDocument(id))],
      [`captures/${id}/${TEXT}`, perfScript()],
      [`captures/${id}/${RAW}`, 'PERFILE2'],
    ]),
  );
  return experiment.before.captures[0]!.id;
}

function byFolder(library: Library): Promise<string> {
  const id = '20260101-000000-abcdef02';
  const place = join(library.path, id);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'capture.json'), JSON.stringify(hostileDocument(id)));
  writeFileSync(join(place, TEXT), perfScript());
  writeFileSync(join(place, RAW), 'PERFILE2');
  return Promise.resolve(id);
}

/** Creates a capture as a recording does. */
async function byRecording(library: Library): Promise<string> {
  const { origin: _origin, ...document } = hostileDocument('');
  const writer = await library.create({ ...document, origin: 'recorded', state: 'recording' });
  await writer.append(TEXT, Buffer.from(perfScript()));
  await writer.append(RAW, Buffer.from('PERFILE2'));
  return (await writer.finish()).id;
}

describe.each([
  ['a bundle', byBundle],
  ['a folder that was copied into the library', byFolder],
] as [string, (library: Library) => Promise<string>][])('%s that says it was recorded here', (_what, bring) => {
  test('has no file read and no tool run before the user trusts it', async () => {
    const library = await newLibrary();
    const id = await bring(library);
    expect(await library.mayReadHere(await library.get(id))).toBeNull();
    const { on, asked } = watched();
    const { checks, planned } = await planCaptureLines(library, on, id);
    expect(planned).toBeNull();
    expect(checks).toMatchObject([{ id: 'trust', status: 'failed', remedy: expect.stringContaining('--trust') }]);
    expect(asked).toEqual([]);

    const service = createSourceService(library, () => Promise.resolve(target), {
      list: () => [],
      add: () => Promise.resolve(),
    });
    const plan = await service.plan({ id, func: 0, lines: false });
    expect(plan).toMatchObject({ command: null, confirmation: null, checks: [{ id: 'trust', status: 'failed' }] });
    await expect(service.text({ id, func: 0 })).rejects.toMatchObject({ code: expect.stringMatching(/^source-/) });
    await service.dispose();
  });

  test('is read after the user trusts it, until that is withdrawn', async () => {
    const library = await newLibrary();
    const id = await bring(library);
    library.confirmReading(id, true);
    const { on, asked } = watched();
    expect((await planCaptureLines(library, on, id)).checks[0]).toMatchObject({ id: 'recording', status: 'warning' });
    expect(asked).toContain(secret);
    library.confirmReading(id, false);
    expect((await planCaptureLines(library, on, id)).checks[0]).toMatchObject({ id: 'trust', status: 'failed' });
  });

  test('is refused by commands without --trust', async () => {
    const library = await newLibrary();
    const id = await bring(library);
    for (const args of [
      ['lines', id, '--dry-run'],
      ['annotate', id, 'work', '--asm'],
      ['perf-script', id],
    ]) {
      const { code, stderr } = await callCli([...args, '--library', library.path]);
      expect(code).not.toBe(0);
      if (args[0] !== 'perf-script') expect(stderr).toContain('--trust');
      expect(stderr).not.toContain('$ ');
    }
  });
});

test('the user’s own recording is read without asking, also by another process', async () => {
  const library = await newLibrary();
  const id = await byRecording(library);
  const again = await openLibrary(library.path, { configPath: config });
  for (const one of [library, again]) expect(await one.mayReadHere(await one.get(id))).toBe('recorded');
  const { checks } = await planCaptureLines(again, target, id);
  expect(checks[0]).toMatchObject({ id: 'recording', status: 'ok' });
});

test('permission does not move with a library: one from elsewhere must be trusted', async () => {
  const library = await newLibrary();
  const id = await byRecording(library);
  const copied = join(folder, 'copied');
  cpSync(library.path, copied, { recursive: true });
  const there = await openLibrary(copied, { configPath: config });
  expect(await there.mayReadHere(await there.get(id))).toBeNull();
  const other = await openLibrary(library.path, { configPath: join(folder, 'another-user') });
  expect(await other.mayReadHere(await other.get(id))).toBeNull();
});

test('a bundle does not inherit permission from the recording whose ID it takes', async () => {
  const library = await newLibrary();
  const experiments = await openExperiments(library);
  const id = await byRecording(library);
  await library.trash(id);
  const made = await experiments.create({ name: 'x', before: [], after: [] });
  const before = { ...made.experiment.before, captures: [{ id, name: 'hostile', requests: null }] };
  await importInto(
    { library, experiments },
    bundle([
      ['experiment.json', JSON.stringify({ ...made.experiment, before })],
      [`captures/${id}/capture.json`, JSON.stringify({ ...hostileDocument(id), otherFiles: [] })],
      [`captures/${id}/${TEXT}`, perfScript()],
    ]),
  );
  const document = await library.get(id);
  expect(await library.mayReadHere({ ...document, origin: 'recorded' })).toBeNull();
});

test('a bundle with the ID of the user’s own recording does not withdraw its permission', async () => {
  const library = await newLibrary();
  const id = await byRecording(library);
  writeFileSync(join(library.path, id, RAW), 'PERFILE2 of its own');
  const brought = await byBundle(library, id);
  expect(brought).not.toBe(id);
  expect(await library.mayReadHere(await library.get(id))).toBe('recorded');
  expect(await library.mayReadHere(await library.get(brought))).toBeNull();
});

test('the document can only withdraw permission', async () => {
  const library = await newLibrary();
  const document = await library.get(await byRecording(library));
  expect(await library.mayReadHere({ ...document, origin: 'imported' })).toBeNull();
  expect(await library.mayReadHere(document, { kind: 'ssh', host: 'web1' })).toBeNull();
});

test('perf does not run on a capture from elsewhere that claims to be recording', async () => {
  const library = await newLibrary();
  const id = await byFolder(library);
  writeFileSync(join(library.path, id, 'capture.json'), JSON.stringify({ ...hostileDocument(id), state: 'recording' }));
  const read: boolean[] = [];
  const opened = await openLibrary(library.path, {
    configPath: config,
    recover: (files, document, mayReadHere) => {
      read.push(mayReadHere);
      return recoverRecording(files, document, mayReadHere);
    },
  });
  await opened.settled();
  expect(read).toEqual([false]);
  expect(readdirSync(join(library.path, id)).sort()).toEqual(['capture.json', RAW, TEXT].sort());
});

test('perf does not read a recording from elsewhere before the user trusts it', async () => {
  const library = await newLibrary();
  const imported = await library.importFile(
    'x.perf.data',
    (async function* () {
      await Promise.resolve();
      yield readFileSync('tests/fixtures/import/perf-data/file.perf.data');
    })(),
  );
  const { on, asked } = watched();
  const plan = () => planCapturePerfScript(library, imported.id, () => Promise.resolve(on));
  expect(await plan()).toEqual({ checks: [expect.objectContaining({ id: 'trust', status: 'failed' })], planned: null });
  expect(asked).toEqual([]);
  library.confirmReading(imported.id, true);
  expect((await plan()).planned?.plan.command).toContain('script');
  const { code, stderr } = await callCli(['perf-script', imported.id, '--library', library.path]);
  expect([code, stderr]).toEqual([3, expect.stringContaining('--trust')]);
  expect(stderr).not.toContain('$ ');
  const inFolder = await callCli(['perf-script', join(library.path, imported.id, imported.primaryFile), '--dry-run']);
  expect(inFolder).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('--trust') });
});

test('annotate shows no source text of a capture from elsewhere before the user trusts it', async () => {
  const library = await newLibrary();
  const source = join(folder, 'private.c');
  writeFileSync(source, 'int secret;\n');
  const id = await byFolder(library);
  const place = join(library.path, id, TEXT);
  writeFileSync(place, `app 7 1.000: 1 cycles:\n\t1 work+0x1 (/srv/app)\n  ${source}:1\n\n`);
  const annotate = (...args: string[]) => callCli(['annotate', ...args, '--library', library.path]);
  for (const word of [id, place]) {
    expect(await annotate(word, 'work')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('secret') });
    for (const options of [['--text'], ['--source-dir', folder]]) {
      const refused = await annotate(word, 'work', ...options);
      expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('--trust') });
    }
    expect((await annotate(word, 'work', '--text', '--trust')).stdout).toContain('int secret;');
  }
});

describe('a file that a document names', () => {
  test('must be a regular file, also through links', () => {
    const link = join(folder, 'link');
    symlinkSync(secret, link);
    expect(findNamedFile(link)).toBe(secret);
    expect(findNamedFile(secret)).toBe(secret);
  });

  test.each([
    '/proc/self/environ',
    '/proc/self/root/etc/hostname',
    '/sys/kernel/notes',
    '/dev/zero',
    '/dev/stdin',
    '/etc',
    'relative',
    '/etc/hostname\0.c',
    '/nowhere/at/all',
    '',
  ])('must not be %j', (name) => {
    expect(findNamedFile(name)).toBeNull();
  });

  test('must not be a link below /proc, a FIFO or a loop, none of which blocks', () => {
    const [toProc, fifo, loop] = ['to-proc', 'fifo', 'loop'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    symlinkSync('/proc/self/environ', toProc);
    execFileSync('mkfifo', [fifo]);
    symlinkSync(loop, loop);
    for (const name of [toProc, fifo, loop]) expect(findNamedFile(name)).toBeNull();
  });
});
