import { describe, expect, it } from 'vitest';
import { findCircles, refusal } from '../../scripts/check-imports.ts';
import { orderRefusal, rowProblems, siblingGraph } from '../../scripts/rooms.ts';

describe('orderRefusal', () => {
  it.each([
    ['core/load/a.ts', 'core/compare/b.ts'],
    ['core/report/a.ts', 'core/report/sections/b.ts'],
    ['core/model/a.ts', 'core/steps.ts'],
    ['app/engine/server.ts', 'app/engine/handlers/b.ts'],
    ['app/cli/top/a.ts', 'app/engine/library/b.ts'],
    ['app/cli/top/a.ts', 'app/cli/record/b.ts'],
    ['tests/core/a.test.ts', 'core/report/b.ts'],
  ])('lets %s import %s', (file, target) => {
    expect(orderRefusal(file, target)).toBeNull();
  });

  it.each([
    ['core/compare/a.ts', 'core/load/b.ts', 'core/load comes after core/compare'],
    ['core/steps.ts', 'core/model/b.ts', 'core/model comes after core/steps.ts'],
    ['collectors/collector.ts', 'collectors/stap/b.ts', 'collectors/stap comes after collectors/collector.ts'],
    ['core/load/series/a.ts', 'core/load/sweep.ts', 'core/load/sweep.ts comes after core/load/series'],
    ['app/engine/library/a.ts', 'app/engine/notes/b.ts', 'app/engine/notes comes after app/engine/library'],
    ['app/engine/main.ts', 'app/cli/main.ts', 'app/cli comes after app/engine'],
  ])('refuses %s importing %s, and names both rooms', (file, target, reason) => {
    expect(orderRefusal(file, target)).toContain(reason);
    expect(refusal(file, `#${target}`)).toContain(reason);
  });
});

it('finds cycles of siblings, which have no order', () => {
  const imports = new Map([
    ['renderer/features/load/a.ts', new Set(['renderer/features/notes/b.ts'])],
    ['renderer/features/load/c.ts', new Set(['renderer/features/load/a.ts'])],
    ['renderer/features/notes/d.ts', new Set(['renderer/features/load/c.ts', 'core/model/e.ts'])],
  ]);
  expect(findCircles(siblingGraph(imports))).toEqual([['renderer/features/load', 'renderer/features/notes']]);
});

describe('rowProblems', () => {
  const rows = ['| core | 10,100 | units 100 ← model 10,000 |', '| all | 10,100 | |'];

  it('accepts lines within 3 % or 30 lines', () => {
    expect(rowProblems(rows, ['| core | 10,000 | units 130 ← model 9,700 |', '| all | 10,100 | |'])).toEqual([]);
  });

  it('tells the right number of a room', () => {
    expect(rowProblems(rows, ['| core | 10,000 | units 131 ← model 9,699 |', '| all | 12,000 | |'])).toEqual([
      'docs/architecture.md: units has 100 lines in core, not 131; npm run bless -- --lines rewrites the table',
      'docs/architecture.md: model has 10,000 lines in core, not 9,699; npm run bless -- --lines rewrites the table',
      'docs/architecture.md: all has 10,100 lines in all, not 12,000; npm run bless -- --lines rewrites the table',
    ]);
  });

  it.each([['| core | 10,100 | model 10,000 ← units 100 |'], ['| core | 10,100 | model 10,000 |'], ['']])(
    'demands all rooms in their order: %s',
    (row) => {
      expect(rowProblems(rows.slice(0, 1), [row])[0]).toContain(`expected ${rows[0]}`);
    },
  );
});
