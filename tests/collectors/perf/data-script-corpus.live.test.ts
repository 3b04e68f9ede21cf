import { createReadStream, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { planDataScript, startDataScript } from '#collectors/perf/data-script.ts';
import { explainScriptFailure } from '#collectors/perf/explain-script.ts';
import { readPerfData } from '#collectors/perf/read-perf-data.ts';
import { ScriptFailure } from '#collectors/perf/script-run.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { corpusPath, corpusRows } from '../../support/corpus.ts';
import { corpus, needing } from '../../support/needing.ts';

const target = createLocalTarget();
afterAll(() => target.dispose());

/** Returns the number of samples and their weight by event name. */
function weights({ samples, events }: Profile): Map<string, readonly [number, number]> {
  const found = new Map<string, readonly [number, number]>();
  for (let row = 0; row < samples.length; row++) {
    const event = samples.event === null ? '' : events[samples.event[row]!]!;
    const [count, sum] = found.get(event) ?? [0, 0];
    found.set(event, [count + 1, sum + (samples.weights[0]?.[row] ?? 1)]);
  }
  return found;
}

const read = (bytes: Uint8Array, fileName: string): Promise<Profile> =>
  importProfile({
    fileName,
    size: bytes.length,
    async *chunks() {
      yield await Promise.resolve(bytes);
    },
  });

needing(corpus, () => {
  const names = corpusRows('perf-data').map((row) => row.path);

  test.each(names)('%s weighs the same when perf reads it, unless perf is too old', async (name) => {
    const path = corpusPath(name);
    const request = await readPerfData(path, () => createReadStream(path));
    const plan = await planDataScript(target, request);
    const run = startDataScript(target, request, plan, { signal: new AbortController().signal });
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of run.text) chunks.push(chunk);
    } catch (error) {
      if (!(error instanceof ScriptFailure)) throw error;
      expect(explainScriptFailure(error).code).toBe('perf-script-too-old');
      expect(plan.checks.find(({ id }) => id === 'perf')?.status).toBe('warning');
      return;
    }
    const native = await read(readFileSync(path), name);
    const byPerf = await read(Buffer.concat(chunks), 'by-perf.txt');
    expect(weights(byPerf)).toEqual(weights(native));
  });
});
