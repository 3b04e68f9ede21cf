import { describe, expect, test } from 'vitest';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { namedTransformSchema } from '#core/analyze/transforms/transform-schema.ts';
import { transformFormOf, targetsOf, transformOf, withKind } from '../../../../renderer/state/transforms/form.ts';
import { parseLabelFilter } from '#core/analyze/reading/parse-label-filter.ts';
import { TRANSFORM_KINDS } from '../../../../renderer/state/transforms/kinds.ts';

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
  { enabled: true, kind: 'keep-label', filter: { key: 'method', values: ['GET', 'a,b'] } },
  { enabled: true, kind: 'hide-label', filter: { key: 'bytes', from: 4096, to: null, unit: 'bytes' } },
  { enabled: true, kind: 'label-root', key: 'method' },
  { enabled: true, kind: 'label-leaf', key: 'method' },
  { enabled: true, kind: 'granularity', rows: 'lines' },
  { enabled: true, kind: 'no-inlines' },
];

describe('the fields of a transform', () => {
  test.each(every.map((transform) => [JSON.stringify(transform), transform] as const))(
    'keep %s unchanged',
    (_, transform) => {
      expect(transformOf(transformFormOf(transform)).transform).toEqual(transform);
      expect(transformOf(transformFormOf(transform), false).transform).toEqual({ ...transform, enabled: false });
    },
  );

  test('yield a transform for every kind and target, or say what is missing', () => {
    const full = {
      ...transformFormOf(null),
      func,
      module: 'm',
      path: fromRoot,
      pattern: 'a',
      labelKey: 'k',
      filter: parseLabelFilter('k=v'),
    };
    for (const { kind } of TRANSFORM_KINDS) {
      for (const by of targetsOf({ ...full, kind })) {
        const { transform } = transformOf({ ...full, kind, by });
        expect(namedTransformSchema.parse(transform)).toEqual(transform);
        const empty = transformOf({ ...transformFormOf(null), kind, by });
        if (by !== 'all' && by !== 'kind') expect(empty.missing).toMatch(/^(Choose|Type) .*\.$/);
      }
    }
  });

  test('parse the text of a label filter back to the same filter', () => {
    for (const text of ['method=^GET$', 'bytes=4096bytes:', 'bytes=:64kb', '32kb', 'a,b']) {
      const transform = { enabled: true, kind: 'keep-label', filter: parseLabelFilter(text) } as const;
      expect(parseLabelFilter(transformFormOf(transform).filterText)).toEqual(transform.filter);
    }
    const values = { enabled: true, kind: 'keep-label', filter: { key: 'k', values: ['a,b'] } } as const;
    expect(parseLabelFilter(transformFormOf(values).filterText)).toEqual({ key: 'k', patterns: ['^a\\x2cb$'] });
  });

  test('keep their values for another kind, with a target that it supports', () => {
    const form = transformFormOf({ enabled: true, kind: 'focus', on: { by: 'function', func } });
    expect(withKind(form, 'hide').by).toBe('function');
    expect(withKind(form, 'collapse-module')).toMatchObject({ by: 'all', func });
    expect(withKind(withKind(form, 'rename'), 'hide')).toMatchObject({ by: 'pattern', func });
  });

  test('cannot merge a subtree of a bottom-up tree', () => {
    const form = transformFormOf({ enabled: true, kind: 'hide', on: fromLeaf });
    expect(targetsOf(form)).toContain('path');
    expect(targetsOf(withKind(form, 'merge'))).not.toContain('path');
    expect(withKind(form, 'merge').by).toBe('function');
  });
});
