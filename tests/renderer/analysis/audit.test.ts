import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { auditFailures } from '../../../renderer/analysis/profile/audit.ts';
import { createProfileSession } from '../../../renderer/analysis/profile/session.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { patternsInPlace } from './patterns-in-place.ts';

const selection = { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null };
const name = fc.constantFrom('a', 'b', 'c', 'd');
const stacks = fc.array(fc.tuple(fc.array(name, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 9 })), {
  minLength: 1,
  maxLength: 20,
});
const on = name.map((one) => ({ by: 'pattern' as const, pattern: `^${one}$`, ignoreCase: false }));
const transform: fc.Arbitrary<NamedTransform> = fc.oneof(
  fc.record({
    enabled: fc.boolean(),
    kind: fc.constantFrom(
      'focus' as const,
      'hide' as const,
      'merge' as const,
      'drop-without' as const,
      'focus-self' as const,
    ),
    on,
  }),
  on.map(({ pattern }) => ({ enabled: true, kind: 'rename', pattern, ignoreCase: false, replacement: 'z' }) as const),
);

describe('auditFailures', () => {
  it('finds nothing in any state of a view', async () => {
    await fc.assert(
      fc.asyncProperty(stacks, fc.array(transform, { maxLength: 4 }), async (lines, transforms) => {
        const text = lines.map(([stack, weight]) => `${stack.join(';')} ${weight}`).join('\n');
        const session = createProfileSession(profileFromText(text), patternsInPlace);
        for (const kind of ['top-down', 'bottom-up'] as const) {
          const asked = { view: 0, revision: 1, selection, transforms, tree: { kind }, zoom: [], picked: null };
          await session.analyze(asked);
          expect(auditFailures(session.audit(1))).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('names contradictory sums', () => {
    const sums = { table: 6, withoutStack: 1, graph: 7, selected: 10, hidden: 3, magnitude: 10 };
    expect(auditFailures(sums)).toEqual([]);
    expect(auditFailures({ ...sums, table: 5 })).toHaveLength(1);
    expect(auditFailures({ ...sums, hidden: 2 })[0]).toMatch(/minus hidden weight/);
    expect(auditFailures({ ...sums, graph: Number.NaN })).toHaveLength(2);
  });
});
