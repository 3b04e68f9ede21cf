import { describe, expect, it } from 'vitest';
import { resolveTransforms, patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import type { ImportSession } from '#core/import/importer.ts';
import { foldedImporter } from '#core/import/folded/folded.ts';
import { perfScriptImporter } from '#core/import/perf-script/perf-script.ts';
import type { Profile } from '#core/model/profile.ts';
import { sideSelection, sideStrip } from '../../../renderer/analysis/comparison/session.ts';
import { createTimeViews } from '../../../renderer/analysis/profile/time-views.ts';

/** Returns one sample of `main` for each time in seconds, with its thread. */
function perf(times: readonly (readonly [number, string])[]): Profile {
  const blocks = times.map(
    ([time, thread]) =>
      `${thread} 100/100 [000] ${time.toFixed(6)}: 1000000 cpu-clock: \n\t55d000000030 main+0x30 (/opt/app)\n`,
  );
  return read(perfScriptImporter, `${blocks.join('\n')}\n`);
}

function read(importer: { start(): ImportSession }, text: string): Profile {
  const session = importer.start();
  session.push(new TextEncoder().encode(text));
  // A synchronous importer.
  return session.finish() as Profile;
}

const whole = { threads: null, timeRange: null };
const cpuClock = { type: 'cpu-clock', unit: 'nanoseconds' };

async function timed(profile: Profile, scale = 1) {
  const resolved = await resolveTransforms(profile, [], patternsHere);
  const selection = sideSelection(profile, whole, cpuClock);
  return { times: createTimeViews(profile), profile, selection, resolved, transformsKey: '[]', scale };
}

describe('sideStrip', () => {
  it('overlays captures, each from its own origin, in one unit', async () => {
    const one = perf([
      [10, 'main'],
      [11, 'main'],
      [14, 'main'],
    ]);
    const other = perf([
      [500, 'main'],
      [501, 'main'],
    ]);
    const strip = sideStrip([await timed(one), await timed(other, 2)], null, 4)!;
    expect((strip.whole.end - strip.whole.start) / 1e9).toBeCloseTo(4, 5);
    const total = strip.weight.reduce((sum, weight) => sum + weight, 0);
    expect(total).toBe(3 * 1e6 + 2 * 2 * 1e6);
    expect(strip.sampleCount.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(strip.weight.at(-1)).toBe(1e6);
  });

  it('returns null if no sample has a timestamp', async () => {
    const folded = read(foldedImporter, 'main 3\n');
    expect(sideStrip([await timed(folded)], null, 4)).toBeNull();
    const mixed = sideStrip(
      [
        await timed(folded),
        await timed(
          perf([
            [1, 'main'],
            [2, 'main'],
          ]),
        ),
      ],
      null,
      4,
    );
    expect(mixed?.sampleCount.reduce((sum, count) => sum + count, 0)).toBe(2);
  });
});

describe('sideSelection', () => {
  it('finds threads by name, and reports if there are none', () => {
    const profile = perf([
      [1, 'main'],
      [2, 'worker'],
    ]);
    const names = (chosen: readonly string[]) =>
      sideSelection(profile, { ...whole, threads: chosen }, cpuClock).threads?.map(
        (thread) => profile.strings[profile.threads.name[thread]!],
      );
    expect(names(['worker'])).toEqual(['worker']);
    expect(names(['gone', '__proto__'])).toEqual([]);
    expect(sideSelection(profile, whole, cpuClock).threads).toBeNull();
  });

  it('takes the requested value type, else a similar one', () => {
    const profile = read(foldedImporter, 'main 3\n');
    expect(profile.valueTypes[sideSelection(profile, whole, cpuClock).valueType]?.type).toBe('samples');
  });
});
