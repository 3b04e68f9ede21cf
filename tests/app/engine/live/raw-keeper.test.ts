import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTar } from '#app/engine/experiments/tar.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { RawKeeper } from '#app/engine/live/raw-keeper.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { AnyCollector } from '#collectors/collector.ts';
import { chunksOf } from '#collectors/live/chunks-of.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { pprofCollector } from '#collectors/pprof/collector.ts';

async function library(): Promise<Library> {
  const folder = mkdtempSync(join(tmpdir(), 'raw-'));
  const opened = await openLibrary(folder);
  onTestFinished(() => {
    opened.close();
    rmSync(folder, { recursive: true });
  });
  return opened;
}

const encoder = new TextEncoder();
const troubles: string[] = [];

const keeper = (into: Library, collector: unknown, maxBytes: number | null): RawKeeper =>
  new RawKeeper({
    collector: collector as AnyCollector,
    maxBytes,
    now: () => 5_000_000,
    create: (files) => into.create({ name: 'app, raw output', origin: 'recorded', state: 'recording', ...files }),
    onTrouble: (reason) => troubles.push(reason),
  });

const sample = (at: number): string =>
  `app 7/7 ${at}.000000: 10101010 cpu-clock:\n\t    55d2 work_${at}_${'x'.repeat(900)} (/srv/app)\n\n`;
const text = (bytes: string) => ({ head: null, chunks: [encoder.encode(bytes)] });
const FACTS = { newestAt: 4_000_000, lost: 0, merged: () => [] };

test('in full, everything is a capture that opens', async () => {
  const into = await library();
  const raw = keeper(into, perfCollector, null);
  for (const at of [1, 2, 3]) {
    await raw.add(text(sample(at)), 0);
    raw.count(1, Float64Array.of(at * 1e9), null);
  }
  expect(raw.status).toEqual({ bytes: sample(1).length * 3, maxBytes: null });
  const [kept] = await raw.finish(FACTS);
  expect(kept).toMatchObject({ state: 'finished', samples: 3, durationMs: 2000, startedAt: 3_998_000, lostSamples: 0 });
  const profile = await importProfile(fileSource((await into.openFile(kept!.id)).path));
  expect(profile.samples.length).toBe(3);
});

test('a ring drops its older half, at the end of a sample, and says so', async () => {
  const into = await library();
  const raw = keeper(into, perfCollector, 400_000);
  let most = 0;
  for (let at = 1; at <= 1000; at++) {
    await raw.add(text(sample(at)), at < 500 ? 0 : 1);
    most = Math.max(most, raw.status.bytes);
  }
  expect(most).toBeLessThanOrEqual(400_000 + 2000);
  const { bytes } = raw.status;
  expect(bytes).toBeGreaterThan(100_000);
  const [kept] = await raw.finish(FACTS);
  expect(kept).toMatchObject({ sizeBytes: bytes, lostSamples: null });
  expect(kept!.diagnostics.map(({ code }) => code)).toContain('live-ring');
  const profile = await importProfile(fileSource((await into.openFile(kept!.id)).path));
  expect(profile.samples.length).toBe(kept!.samples);
  expect(profile.samples.length).toBe(Math.round(bytes / sample(100).length));
  expect(profile.strings.some((name) => name.startsWith('work_1000_'))).toBe(true);
  expect(kept!.durationMs).toBe((kept!.samples! - 1) * 1000);
});

test('windows of a service are files of an archive next to their sum', async () => {
  const into = await library();
  const raw = keeper(into, pprofCollector, null);
  for (const window of ['one', 'other']) await raw.add({ head: null, chunks: [encoder.encode(window)] }, 0);
  raw.count(5, Float64Array.of(0, 1e9), { start: 0n, end: 2_000_000_000n });
  const [kept] = await raw.finish({ ...FACTS, merged: () => [encoder.encode('sum')] });
  expect(kept).toMatchObject({ primaryFile: 'live.flamebench', otherFiles: ['windows.tar'], durationMs: 2000 });
  const archive = await into.rawFile(kept!.id, 'windows.tar');
  const names: string[] = [];
  for await (const { name, body } of readTar(chunksOf([readFileSync(archive.path)]))) {
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    names.push(`${name} ${Buffer.concat(parts).toString()}`);
  }
  expect(names).toEqual(['000001.pprof one', '000002.pprof other']);
  expect(readFileSync((await into.rawFile(kept!.id, 'live.flamebench')).path, 'utf8')).toBe('sum');
});

test('another run with a header is another capture; a failure to write is said once', async () => {
  const into = await library();
  const recipe = { ...perfCollector, recover: () => Promise.resolve(RECOVERED) };
  const raw = keeper(into, recipe, null);
  const head = encoder.encode('# head\n');
  const part = { head, chunks: [encoder.encode('row\n')] };
  await raw.add(part, 0);
  await raw.add(part, 1);
  const kept = await raw.finish(FACTS);
  expect(kept.map(({ sizeBytes }) => sizeBytes)).toEqual([11, 11]);

  const broken = new RawKeeper({
    collector: perfCollector,
    maxBytes: null,
    now: () => 0,
    create: () => Promise.reject(new Error('the disk is full')),
    onTrouble: (reason) => troubles.push(reason),
  });
  await broken.add(part, 0);
  await broken.add(part, 0);
  expect(await broken.finish(FACTS)).toEqual([]);
  expect(troubles).toEqual(['the disk is full']);
});

test('a capture that can’t be written or completed is not left as one that is being recorded', async () => {
  const into = await library();
  const part = { head: encoder.encode('# head\n'), chunks: [encoder.encode('row\n')] };
  const broken = new RawKeeper({
    collector: perfCollector,
    maxBytes: null,
    now: () => 0,
    create: async (files) => ({
      ...(await into.create({ name: 'full', origin: 'recorded', state: 'recording', ...files })),
      append: () => Promise.reject(new Error('the disk is full')),
    }),
    onTrouble: () => undefined,
  });
  await broken.add(part, 0);
  await broken.finish(FACTS);
  const unread = keeper(into, { ...perfCollector, recover: () => Promise.reject(new Error('unreadable')) }, null);
  await unread.add(part, 0);
  await expect(unread.finish(FACTS)).rejects.toThrow('unreadable');
  const { captures } = await into.list();
  expect(captures.map(({ state, incomplete }) => ({ state, incomplete }))).toEqual(
    expect.arrayContaining([
      { state: 'finished', incomplete: false },
      { state: 'finished', incomplete: true },
    ]),
  );
});

const RECOVERED = { quality: null, samples: 1, lost: 0, durationMs: null, diagnostics: [] };
