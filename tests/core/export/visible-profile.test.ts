import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { patternsHere, resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import type { Selection, StackView } from '#core/analyze/view/stack-view.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { writeFolded } from '#core/export/folded.ts';
import { visibleProfile, type VisibleProfile } from '#core/export/visible-profile.ts';
import { foldedImporter } from '#core/import/folded/folded.ts';
import type { ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { readNative } from '#core/model/native/read.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { Profile } from '#core/model/profile.ts';
import { arbitraryProfile } from '../../support/arbitrary-profile.ts';
import { foldedLinesOf } from '../../support/perf-script-text.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

async function see(
  profile: Profile,
  transforms: readonly NamedTransform[],
  selection: Selection = wholeProfile(profile),
): Promise<VisibleProfile> {
  const resolved = await resolveTransforms(profile, transforms, patternsHere);
  return visibleProfile(profile, { selection, transforms, resolved });
}

const pattern = (text: string) => ({ by: 'pattern', pattern: text, ignoreCase: false }) as const;
const text = () => profileFromText('main;work;spin 70\nmain;work;idle 20\nmain;idle 10\n');
const nothing: readonly NamedTransform[] = [];

const transform: fc.Arbitrary<NamedTransform> = fc.oneof(
  fc.record({
    enabled: fc.boolean(),
    kind: fc.constantFrom('focus', 'hide'),
    on: fc.constantFrom(pattern('a'), pattern('o'), pattern('^$')),
  }),
  fc.record({ enabled: fc.boolean(), kind: fc.constant('merge'), on: fc.constantFrom(pattern('s'), pattern('.')) }),
  fc.record({
    enabled: fc.boolean(),
    kind: fc.constant('collapse-module'),
    module: fc.constantFrom(null, '__proto__'),
  }),
  fc.record({
    enabled: fc.boolean(),
    kind: fc.constant('rename'),
    pattern: fc.constantFrom('^.', '_+'),
    ignoreCase: fc.boolean(),
    replacement: fc.constantFrom('', 'x', '$&$&'),
  }),
);

/** Returns self and total by name, module, file and line, independent of indices. */
function rowsOf(view: StackView): string[] {
  const { strings, functions } = view.profile;
  const stats = functionStats(view);
  return Array.from(stats.func, (func, row) =>
    JSON.stringify([
      strings[functions.name[func]!],
      strings[functions.module[func]!],
      functions.line[func],
      stats.self[row],
      stats.total[row],
    ]),
  ).sort();
}

describe('the visible part as a profile', () => {
  test('has the numbers of the view in every value type, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryProfile, fc.array(transform, { maxLength: 4 }), async (profile, transforms) => {
        const { profile: seen, view } = await see(profile, transforms);
        checkProfile(seen);
        expect(seen.valueTypes).toEqual(profile.valueTypes);
        const resolved = await resolveTransforms(profile, transforms, patternsHere);
        for (const valueType of profile.valueTypes.keys()) {
          const selection = wholeProfile(profile, valueType as ValueTypeIndex);
          expect(rowsOf(buildStackView(seen, selection))).toEqual(rowsOf(buildStackView(profile, selection, resolved)));
        }
        expect(buildStackView(seen).sampleCount).toBe(view.sampleCount);
        expect(readNative(writeNative(seen).reduce(join)).metadata.comments).toEqual(seen.metadata.comments);
      }),
      { numRuns: 60 },
    );
  });

  test('drops names that only hidden stacks have', async () => {
    const { profile } = await see(text(), [{ enabled: true, kind: 'hide', on: pattern('spin') }]);
    expect(profile.strings).not.toContain('spin');
    expect(foldedLinesOf(profile)).toEqual(['main;idle 10', 'main;work;idle 20']);
  });

  test('keeps addresses without an active transform', async () => {
    const profile = text();
    const off: NamedTransform = { enabled: false, kind: 'hide', on: pattern('spin') };
    const { profile: seen } = await see(profile, [off]);
    expect(seen.frames).toBe(profile.frames);
    expect(seen.diagnostics).toEqual(profile.diagnostics);
  });

  test('leaves out threads that are not selected', async () => {
    const profile = text();
    const { profile: seen } = await see(profile, nothing, { ...wholeProfile(profile), threads: [] });
    expect(seen.samples.length).toBe(0);
    expect(seen.threads.length).toBe(0);
    expect(seen.diagnostics.map(({ code }) => code)).toEqual(['exported-view']);
    const all = { ...wholeProfile(profile), threads: [0 as ThreadIndex] };
    expect((await see(profile, nothing, all)).profile.samples.length).toBe(3);
  });
});

const join = (a: Uint8Array, b: Uint8Array): Uint8Array => Uint8Array.from([...a, ...b]);

describe('its description', () => {
  test('states value type, threads, time, hidden weight, total and transforms', async () => {
    const { description } = await see(text(), [
      { enabled: true, kind: 'hide', on: pattern('^sp') },
      { enabled: false, kind: 'collapse-module', module: null },
      { enabled: true, kind: 'rename', pattern: 'idle', ignoreCase: false, replacement: 'wait 7' },
    ]);
    expect(description).toEqual([
      'flamebench view of (unnamed, folded)',
      'value type: (samples, count)',
      'threads: (all 1)',
      'time: (all)',
      'total: (30 count in 30 samples)',
      'hidden by transforms: (70 count of 100)',
      'transform 1: hide stacks with: /^sp/ (1 function, hid 70 count)',
      'transform 1 as JSON: {"enabled":true,"kind":"hide","on":{"by":"pattern","pattern":"^sp","ignoreCase":false}}',
      'transform 2: collapse every module (off)',
      'transform 2 as JSON: {"enabled":false,"kind":"collapse-module","module":null}',
      'transform 3: rename: /idle/ → wait 7 (1 function, hid 0 count)',
      'transform 3 as JSON: {"enabled":true,"kind":"rename","pattern":"idle","ignoreCase":false,"replacement":"wait 7"}',
    ]);
  });

  test('names the capture instead of its file, if its name is known', async () => {
    const profile = text();
    const resolved = await resolveTransforms(profile, nothing, patternsHere);
    const selection = wholeProfile(profile);
    const seen = visibleProfile(profile, {
      selection,
      transforms: nothing,
      resolved,
      captureName: 'nginx, 20261121-1',
    });
    expect(seen.description[0]).toBe('flamebench view of (nginx, 20261121-1, folded)');
  });

  test('contains no line that could be a stack, whatever the names, and survives folded text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (name) => {
        const profile = text();
        const named = { ...profile, metadata: { ...profile.metadata, fileName: `${name} 3` } };
        const transforms: NamedTransform[] = [
          { enabled: true, kind: 'collapse-path', pattern: 'spin', ignoreCase: false, label: `${name}\n# 5` },
        ];
        const { profile: seen, description } = await see(named, transforms);
        // The line must not look like a stack to flamegraph.pl, difffolded.pl, inferno and speedscope.
        for (const line of description) expect(line).not.toMatch(/\s\d+(?:\.\d*)?$|[\r\n]/);
        const session = foldedImporter.start();
        writeFolded(seen, { header: description }, (chunk) => {
          session.push(chunk.slice());
        });
        const read = session.finish();
        expect(read.diagnostics).toEqual([]);
        expect(buildStackView(read).total).toBe(100);
        expect(read.metadata.comments[1]).toBe(description[1]);
        expect(read.metadata.comments).toHaveLength(description.length);
      }),
      { numRuns: 50 },
    );
  });
});
