import { describe, expect, test } from 'vitest';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { namedTransformSchema } from '#core/analyze/transforms/transform-schema.ts';
import {
  transformFormOf,
  targetsOf,
  transformOf,
  withKind,
} from '../../../../renderer/state/transforms/transform-form.ts';
import { TRANSFORM_KINDS } from '../../../../renderer/state/transforms/transform-kinds.ts';

const func = { name: '__proto__', module: 'm', file: '', line: 0 };
const pattern = { pattern: '^a', ignoreCase: false };
const targets = [
  { by: 'function', func },
  { by: 'module', module: '' },
  { by: 'pattern', ...pattern },
] as const;
const fromRoot = { by: 'path', from: 'root', path: [func] } as const;
const fromLeaf = { by: 'path', from: 'leaf', path: [func] } as const;

const every: readonly NamedTransform[] = [
  ...targets.flatMap((on): NamedTransform[] => [
    ...(['focus', 'hide', 'merge', 'drop-without', 'focus-self', 'collapse-subtree'] as const).map((kind) => ({
      enabled: true,
      kind,
      on,
    })),
    { enabled: true, kind: 'collapse-recursion', on, direct: true },
  ]),
  { enabled: true, kind: 'focus', on: fromRoot },
  { enabled: true, kind: 'hide', on: fromLeaf },
  { enabled: true, kind: 'merge', on: fromRoot },
  { enabled: true, kind: 'collapse-recursion', on: { by: 'all' }, direct: false },
  { enabled: true, kind: 'collapse-module', module: null },
  { enabled: true, kind: 'collapse-module', module: 'm' },
  { enabled: true, kind: 'collapse-path', ...pattern, label: 'A' },
  { enabled: true, kind: 'rename', ...pattern, replacement: '$&' },
];

describe('the fields of a transform', () => {
  test.each(every.map((transform) => [JSON.stringify(transform), transform] as const))('%s', (_, transform) => {
    expect(transformOf(transformFormOf(transform)).transform).toEqual(transform);
    expect(transformOf(transformFormOf(transform), false).transform).toEqual({ ...transform, enabled: false });
  });

  test('every kind with every target is a transform, or says what is missing', () => {
    const full = { ...transformFormOf(null), func, module: 'm', path: fromRoot, pattern: 'a' };
    for (const { kind } of TRANSFORM_KINDS) {
      for (const by of targetsOf({ ...full, kind })) {
        const { transform } = transformOf({ ...full, kind, by });
        expect(namedTransformSchema.parse(transform)).toEqual(transform);
        const empty = transformOf({ ...transformFormOf(null), kind, by });
        if (by !== 'all' && by !== 'kind') expect(empty.missing).toMatch(/^(Choose|Type) .*\.$/);
      }
    }
  });

  test('another kind keeps what is filled in, and has a target that it knows', () => {
    const form = transformFormOf({ enabled: true, kind: 'focus', on: { by: 'function', func } });
    expect(withKind(form, 'hide').by).toBe('function');
    expect(withKind(form, 'collapse-module')).toMatchObject({ by: 'all', func });
    expect(withKind(withKind(form, 'rename'), 'hide')).toMatchObject({ by: 'pattern', func });
  });

  test('a subtree of a bottom-up tree can’t be merged', () => {
    const form = transformFormOf({ enabled: true, kind: 'hide', on: fromLeaf });
    expect(targetsOf(form)).toContain('path');
    expect(targetsOf(withKind(form, 'merge'))).not.toContain('path');
    expect(withKind(form, 'merge').by).toBe('function');
  });
});
