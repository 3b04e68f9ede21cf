import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { captureDocumentSchema, type CaptureDocument } from '#core/contract/schemas.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { countSamples } from '#core/model/sample-counts.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { runCli } from '../support/run-cli.ts';

const PROFILES = join(import.meta.dirname, '../../samples/profiles/perf-script');
const FETCHED = join(import.meta.dirname, '../../samples/profiles/pprof');
const CREATED = join(import.meta.dirname, '../../samples/profiles/folded');
const MAX_BYTES = 3 * 1024 * 1024;
const ids = readdirSync(PROFILES);

const readDocument = (folder: string): CaptureDocument =>
  captureDocumentSchema.parse(JSON.parse(readFileSync(join(folder, 'capture.json'), 'utf8')));
const documentOf = (id: string): CaptureDocument => readDocument(join(PROFILES, id));

/** Returns the self and total share of each function in a sample, by name. */
async function sharesOf(id: string): Promise<Map<string, { self: number; total: number }>> {
  const profile = await importProfile(fileSource(join(PROFILES, id, documentOf(id).primaryFile)));
  const selection = { valueType: profile.metadata.defaultValueType, threads: null, timeRange: null };
  const view = buildStackView(profile, selection);
  const stats = functionStats(view);
  const shares = new Map<string, { self: number; total: number }>();
  for (let row = 0; row < stats.length; row++) {
    const name = profile.strings[profile.functions.name[stats.func[row]!]!]!;
    shares.set(name, { self: stats.self[row]! / view.total, total: stats.total[row]! / view.total });
  }
  return shares;
}

test('page-server has five captures a side, and catalog-service one', () => {
  const sides = ['before', 'after'].flatMap((side) => [1, 2, 3, 4, 5].map((run) => `page-server-${side}-${run}`));
  expect(ids.toSorted()).toEqual(['catalog-service', ...sides].toSorted());
});

test('the sides were recorded alternately', () => {
  const inOrder = ids
    .filter((id) => id.startsWith('page-server'))
    .map(documentOf)
    .sort((a, b) => a.createdAt - b.createdAt);
  expect(inOrder.map(({ tags }) => tags.at(-1))).toEqual(Array.from({ length: 5 }, () => ['before', 'after']).flat());
});

test('all samples together stay below the size limit', () => {
  const sizes = ids.flatMap((id) =>
    readdirSync(join(PROFILES, id)).map((name) => statSync(join(PROFILES, id, name)).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
});

describe.each(ids)('%s', (id) => {
  const document = documentOf(id);
  const path = join(PROFILES, id, document.primaryFile);

  test('has a complete document and names no machine', () => {
    expect(document).toMatchObject({ id, origin: 'sample', state: 'finished', incomplete: false, lostSamples: 0 });
    expect(document.target?.host).toBe('sample');
    expect(document.sizeBytes).toBe(statSync(path).size);
    const text = gunzipSync(readFileSync(path)).toString();
    const modules = new Set([...text.matchAll(/ \(([^()]+)\)$/gm)].map((match) => match[1]!));
    const foreign = [...modules].filter((name) => !/^(?:\/tmp\/flamebench-samples\/|\/usr\/lib\/|\[)/.test(name));
    expect(foreign).toEqual([]);
  });

  test('opens with the stated number of samples', async () => {
    const profile = await importProfile(fileSource(path));
    expect(profile.samples.length).toBe(document.samples);
  });
});

test.each([FETCHED, CREATED].flatMap((folder) => readdirSync(folder).map((id) => [id, join(folder, id)] as const)))(
  'the document of %s states its number of samples',
  async (id, folder) => {
    const document = readDocument(folder);
    expect(document).toMatchObject({ id, origin: 'sample', target: { host: 'sample' } });
    expect(countSamples(await importProfile(fileSource(join(folder, document.primaryFile))))).toBe(document.samples);
  },
);

test('the known change: route lookup by hash takes hardly any time', async () => {
  for (let run = 1; run <= 5; run++) {
    const before = await sharesOf(`page-server-before-${run}`);
    const after = await sharesOf(`page-server-after-${run}`);
    expect(before.get('route_lookup')?.total).toBeGreaterThan(0.1);
    expect(before.has('match_route')).toBe(true);
    expect(after.get('route_lookup')?.total ?? 0).toBeLessThan(0.03);
    expect(after.has('match_route')).toBe(false);
    expect(before.has('hash_path')).toBe(false);
    expect(after.get('render_template')!.total).toBeGreaterThan(before.get('render_template')!.total * 0.9);
  }
});

test('has named threads, and enough functions to explore', async () => {
  const document = documentOf('page-server-before-1');
  const profile = await importProfile(fileSource(join(PROFILES, document.id, document.primaryFile)));
  const names = Array.from(profile.threads.name, (name) => profile.strings[name]);
  expect(names).toEqual(expect.arrayContaining(['worker-1', 'worker-2', 'session-sweep']));
  const go = await sharesOf('catalog-service');
  expect(go.size).toBeGreaterThan(300);
  expect(go.get('net/http.(*conn).serve')!.total).toBeGreaterThan(0.5);
});

describe('lookup-service', () => {
  const sides = ['before', 'after'].map((side) =>
    [1, 2, 3, 4, 5].map((run) => join(CREATED, `lookup-service-${side}-${run}`, 'raw.folded.txt')),
  );

  test('has five captures a side that name no machine', () => {
    expect(readdirSync(CREATED).toSorted()).toEqual(
      sides
        .flat()
        .map((file) => basename(dirname(file)))
        .toSorted(),
    );
    for (const file of sides.flat()) {
      const places = [...readFileSync(file, 'utf8').matchAll(/file:\/\/([^:)]*)/g)].map((match) => match[1]);
      expect(new Set(places)).toEqual(new Set(['/tmp/flamebench-samples/lookup-service/service.mjs']));
    }
  });

  test('the known change: diff names the lookup for each message, and the line that makes it', async () => {
    const words = ['--before', ...sides[0]!, '--after', ...sides[1]!, '--normalize', 'raw'];
    const { code, stdout } = await runCli(['diff', ...words]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^GETADDRINFOREQWRAP is gone; .*total .*, no clear change\n/);
    const total = await runCli(['diff', ...words, '--cum']);
    expect(total.stdout).toMatch(/▼ shrank +lookup \(node:dns:\d+\)$/m);
    // Each of the 400 requests a second makes one, of one stack.
    for (const file of sides[0]!) {
      const found = /;sendMetric \([^;]*service\.mjs:29\);[^\n]*;GETADDRINFOREQWRAP (\d+)$/m.exec(
        readFileSync(file, 'utf8'),
      );
      expect(Number(found?.[1])).toBeGreaterThan(4 * 400 * 0.9);
      expect(Number(found?.[1])).toBeLessThan(4 * 400 * 1.2);
    }
  });
});

describe('apiserver', () => {
  const folder = join(import.meta.dirname, '../../samples/profiles/pprof');
  const names = ['before', 'after'].flatMap((side) => [1, 2, 3, 4, 5].map((run) => `apiserver-${side}-${run}`));

  test('has five captures a side, recorded alternately, that name no machine', () => {
    expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
    const documents = names
      .map((name) => captureDocumentSchema.parse(JSON.parse(readFileSync(join(folder, name, 'capture.json'), 'utf8'))))
      .sort((a, b) => a.createdAt - b.createdAt);
    expect(documents.map(({ tags }) => tags.at(-1))).toEqual(
      Array.from({ length: 5 }, () => ['before', 'after']).flat(),
    );
    for (const { target, origin, sizeBytes, id, primaryFile, requests, durationMs } of documents) {
      expect([target?.host, origin]).toEqual(['sample', 'sample']);
      expect(sizeBytes).toBe(statSync(join(folder, id, primaryFile)).size);
      expect(sizeBytes).toBeLessThan(30_000);
      // The driver sends 800 a second.
      expect(requests).toBe(Math.round((800 * durationMs!) / 1000));
    }
  });

  test.each(names)('%s: dumping bodies takes more than a third of the time before, and none after', async (name) => {
    const profile = await importProfile(fileSource(join(folder, name, 'raw.pprof')));
    const view = buildStackView(profile);
    const stats = functionStats(view);
    const row = stats.func.findIndex(
      (func) => profile.strings[profile.functions.name[func]!] === 'main.handler.dumpBodies.func1',
    );
    if (name.includes('after')) expect(row).toBe(-1);
    else expect(stats.total[row]! / view.total).toBeGreaterThan(1 / 3);
    expect(profile.samples.labelSets.flat()).toContainEqual({ key: 'endpoint', text: 'POST /v1/orders' });
  });
});
