import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sumOfFunctions } from '#core/analyze/tables/selection-sums.ts';
import { sourceLines, type SourceLines } from '#core/analyze/tables/source-lines.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { functionRef, type FunctionRef } from '#core/analyze/function-ref.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { patternsHere, resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import { NO_STACK, type FunctionIndex } from '#core/model/brand.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { Profile } from '#core/model/profile.ts';
import { functionNamed, resolved, type FunctionTransform } from '../../support/sketch-profile.ts';

/** A sample with frames `function:line`, root first. */
interface LinedSample {
  readonly stack: readonly string[];
  readonly weight: number;
}

function profileOfLines(samples: readonly LinedSample[]): Profile {
  const builder = new ProfileBuilder(1);
  const thread = builder.thread(1, 1, 't');
  for (const { stack, weight } of samples) {
    let row = NO_STACK;
    for (const frame of stack) {
      const [name, line] = frame.split(':');
      const func = builder.function({ name: name!, file: `/src/${name!}.c` });
      row = builder.stack(row, builder.frame({ func, line: Number(line) }));
    }
    builder.sample({ stack: row, thread }, weight);
  }
  const profile = builder.finish([{ type: 'weight', unit: 'bytes', event: -1, column: 0 }], { format: 'lines' });
  checkProfile(profile);
  return profile;
}

function linesOf(
  samples: readonly LinedSample[],
  name: string,
  transforms: (profile: Profile) => ResolvedTransforms | null,
) {
  const profile = profileOfLines(samples);
  return shown(profile, sourceLines(profile, wholeProfile(profile), transforms(profile), functionNamed(profile, name)));
}

const shown = ({ strings }: Profile, lines: SourceLines): string[] =>
  Array.from(
    { length: lines.length },
    (_, row) => `${strings[lines.file[row]!]!}:${lines.line[row]!} ${lines.self[row]!} ${lines.total[row]!}`,
  );

const none = (): ResolvedTransforms | null => null;
const samples: LinedSample[] = [
  { stack: ['main:3', 'f:10', 'g:5'], weight: 1 },
  { stack: ['main:3', 'f:10', 'f:12'], weight: 2 },
  { stack: ['main:4', 'f:12', 'g:5', 'f:12'], weight: 4 },
  { stack: ['main:4', 'f:0'], weight: 8 },
  { stack: [], weight: 16 },
];

describe('lines of a function', () => {
  test('have the self weight of stacks that end in them, and a total once per stack and line', () => {
    expect(linesOf(samples, 'f', none)).toEqual(['/src/f.c:0 8 8', '/src/f.c:10 0 3', '/src/f.c:12 6 6']);
    expect(linesOf(samples, 'main', none)).toEqual(['/src/main.c:3 0 3', '/src/main.c:4 0 12']);
  });

  test('exist for a profile without lines', () => {
    expect(linesOf([{ stack: ['f:0'], weight: 3 }], 'f', none)).toEqual(['/src/f.c:0 3 3']);
  });

  const by =
    (kind: FunctionTransform['kind'], name: string) =>
    (profile: Profile): ResolvedTransforms =>
      resolved(profile, [{ kind, func: functionNamed(profile, name) }]);

  test('follow a focus', () => {
    expect(linesOf(samples, 'f', by('focus', 'g'))).toEqual(['/src/f.c:12 4 4']);
  });

  test('include merged functions', () => {
    expect(linesOf(samples, 'f', by('merge', 'g'))).toEqual(['/src/f.c:0 8 8', '/src/f.c:10 1 3', '/src/f.c:12 6 6']);
  });

  test('exclude hidden stacks', () => {
    expect(linesOf(samples, 'f', by('hide', 'g'))).toEqual(['/src/f.c:0 8 8', '/src/f.c:10 0 2', '/src/f.c:12 2 2']);
  });

  test('are those of the outermost call if recursion is collapsed', () => {
    expect(linesOf(samples, 'f', by('collapse-recursion', 'f'))).toEqual([
      '/src/f.c:0 8 8',
      '/src/f.c:10 2 3',
      '/src/f.c:12 4 4',
    ]);
  });

  test('follow a transform of a path', async () => {
    const profile = profileOfLines(samples);
    const ref = (name: string) => ({ name, module: '', file: `/src/${name}.c`, line: 0 });
    const found = await resolveTransforms(
      profile,
      [{ kind: 'drop-without', enabled: true, on: { by: 'function', func: ref('g') } }],
      patternsHere,
    );
    const lines = sourceLines(profile, wholeProfile(profile), found, functionNamed(profile, 'f'));
    expect(shown(profile, lines)).toEqual(['/src/f.c:10 0 1', '/src/f.c:12 4 4']);
  });

  test('include every function that was renamed to the same one', async () => {
    const profile = profileOfLines(samples);
    const rename = { kind: 'rename', enabled: true, pattern: '^[fg]$', ignoreCase: false, replacement: 'h' } as const;
    const found = await resolveTransforms(profile, [rename], patternsHere);
    const made = profile.functions.length as FunctionIndex;
    expect(shown(profile, sourceLines(profile, wholeProfile(profile), found, made))).toEqual([
      '/src/f.c:0 8 8',
      '/src/f.c:10 0 3',
      '/src/f.c:12 6 6',
      '/src/g.c:5 1 5',
    ]);
  });
});

const linedSamples: fc.Arbitrary<LinedSample[]> = fc.array(
  fc.record({
    stack: fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.nat(3)).map(([name, line]) => `${name}:${line}`),
      { maxLength: 8 },
    ),
    weight: fc.integer({ min: 0, max: 1000 }),
  }),
  { minLength: 1, maxLength: 30 },
);

test('equal a count stack by stack without transforms', () => {
  fc.assert(
    fc.property(linedSamples, fc.constantFrom('a', 'b', '__proto__'), (drawn, name) => {
      const present = drawn.filter(({ weight }) => weight !== 0);
      if (!present.some(({ stack }) => stack.some((frame) => frame.startsWith(`${name}:`)))) return;
      const expected = [0, 1, 2, 3].flatMap((line) => {
        const frame = `${name}:${line}`;
        const sum = (chosen: LinedSample[]): number => chosen.reduce((all, { weight }) => all + weight, 0);
        const holding = present.filter(({ stack }) => stack.includes(frame));
        const ending = present.filter(({ stack }) => stack.at(-1) === frame);
        return holding.length === 0 ? [] : [`/src/${name}.c:${line} ${sum(ending)} ${sum(holding)}`];
      });
      expect(linesOf(drawn, name, none)).toEqual(expected);
    }),
  );
});

const enabled = true;
const makers: readonly ((func: FunctionRef) => NamedTransform)[] = [
  (func) => ({ enabled, kind: 'focus', on: { by: 'function', func } }),
  (func) => ({ enabled, kind: 'focus', on: { by: 'path', from: 'leaf', path: [func] } }),
  (func) => ({ enabled, kind: 'focus', on: { by: 'path', from: 'root', path: [func] } }),
  (func) => ({ enabled, kind: 'hide', on: { by: 'function', func } }),
  (func) => ({ enabled, kind: 'hide', on: { by: 'path', from: 'leaf', path: [func] } }),
  (func) => ({ enabled, kind: 'drop-without', on: { by: 'function', func } }),
  (func) => ({ enabled, kind: 'focus-self', on: { by: 'function', func } }),
  (func) => ({ enabled, kind: 'merge', on: { by: 'function', func } }),
  (func) => ({ enabled, kind: 'merge', on: { by: 'path', from: 'root', path: [func] } }),
  (func) => ({ enabled, kind: 'collapse-subtree', on: { by: 'function', func } }),
  (func) => ({ enabled, kind: 'collapse-recursion', direct: false, on: { by: 'function', func } }),
  (func) => ({ enabled, kind: 'collapse-recursion', direct: true, on: { by: 'function', func } }),
  () => ({ enabled, kind: 'rename', pattern: '^[ab]$', ignoreCase: false, replacement: 'c' }),
];

test('sum up to the function’s weight in the view under transforms', async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...makers), fc.nat(3)), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(linedSamples, steps, fc.nat(3), async (drawn, chosen, picked) => {
      const profile = profileOfLines(drawn);
      const count = profile.functions.length;
      if (count === 0) return;
      const named = chosen.map(([make, func]) => make(functionRef(profile, func % count)));
      const transforms = await resolveTransforms(profile, named, patternsHere);
      const selection = wholeProfile(profile);
      const func = (picked % count) as FunctionIndex;
      const sums = sumOfFunctions(buildStackView(profile, selection, transforms), [func]);
      const lines = sourceLines(profile, selection, transforms, func);
      const self = lines.self.reduce((all, weight) => all + weight, 0);
      expect(self).toBe(sums.self);
      const total = lines.total.reduce((all, weight) => all + weight, 0);
      expect(total).toBeGreaterThanOrEqual(sums.total);
      for (let row = 0; row < lines.length; row++) {
        expect(lines.total[row]).toBeGreaterThanOrEqual(lines.self[row]!);
        expect(lines.total[row]).toBeLessThanOrEqual(sums.total);
      }
    }),
  );
});
