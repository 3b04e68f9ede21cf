import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { REDACTED } from '#core/redact/redact-argv.ts';
import { bundle, exported, importInto, makeExperiment, newPlace, partsOfBundle } from '../experiments/bundles.ts';

const SECRET = 'hunter2';
const argv = ['/opt/loader', '--pin', SECRET, '-v'];

/** As a version wrote it that recognised fewer forms of secrets. */
const earlier = (document: CaptureDocument): CaptureDocument => ({
  ...document,
  name: `${argv.join(' ')} (1/2)`,
  collector: {
    id: 'perf',
    toolVersion: '6.1',
    commands: [['perf', 'record', '-F', '99', '--', ...argv]],
    exitCode: 0,
    signal: null,
  },
  process: {
    pid: 7,
    startTicks: '1',
    user: 'me',
    cpuPercent: null,
    rssBytes: 1,
    threads: 1,
    startedAt: 1,
    name: 'loader',
    command: argv.join(' '),
    container: null,
    containerName: null,
    image: null,
    pod: null,
    unit: null,
    cgroup: null,
    innerPid: null,
    executable: null,
    buildId: null,
    runtime: 'native',
  },
  options: {
    collector: 'perf',
    scope: { kind: 'command', argv },
    rateHz: 99,
    callGraph: 'fp',
    event: 'cycles',
    seconds: null,
  },
  readByPerf: {
    file: 'raw.folded',
    of: 'raw.folded',
    command: ['perf', 'script', '-i', 'x', '--pin', SECRET],
    toolVersion: null,
    target: { kind: 'local', host: 'h' },
    at: 1,
    samples: 1,
    recordedSamples: null,
  },
});

test('redacts a document of an earlier version when it is read, exported and changed', async () => {
  const here = await newPlace();
  const id = await makeExperiment(here);
  const { document } = await partsOfBundle(here, id);
  const file = join(here.library.path, document.id, 'capture.json');
  writeFileSync(file, JSON.stringify(earlier(document)));

  const read = await here.library.get(document.id);
  expect(JSON.stringify(read)).not.toContain(SECRET);
  expect(read.name).toBe(`/opt/loader --pin ${REDACTED} -v (1/2)`);
  expect(read.options?.scope).toMatchObject({ argv: ['/opt/loader', '--pin', REDACTED, '-v'] });
  expect(JSON.stringify(await here.library.list())).not.toContain(SECRET);
  expect(gunzipSync(await exported(here, id)).includes(SECRET)).toBe(false);

  await here.library.tag(document.id, ['x']);
  expect(readFileSync(file, 'utf8')).not.toContain(SECRET);
});

test('redacts a document of a bundle when it is imported', async () => {
  const here = await newPlace();
  const { experiment, document, parts } = await partsOfBundle(here, await makeExperiment(here));
  const there = await newPlace();
  const hostile = JSON.stringify(earlier(document));
  await importInto(there, bundle([experiment, [parts[1]![0], hostile], parts[2]!]));
  const file = join(there.library.path, document.id, 'capture.json');
  expect(readFileSync(file, 'utf8')).not.toContain(SECRET);
});

test('keeps a name chosen by the user', async () => {
  const here = await newPlace();
  const { document } = await partsOfBundle(here, await makeExperiment(here));
  const file = join(here.library.path, document.id, 'capture.json');
  const named = { ...earlier(document), name: 'after --pin hunter3' };
  writeFileSync(file, JSON.stringify(named));
  expect((await here.library.get(document.id)).name).toBe('after --pin hunter3');
});
