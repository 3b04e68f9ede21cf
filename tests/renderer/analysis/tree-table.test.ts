import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionLabel } from '#core/analyze/function-label.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { createTreeTable, type ExpandedTree } from '../../../renderer/analysis/profile/tree-table.ts';
import { functionNamed, profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';

const HEAVIEST: RowOrder = { by: 'total', descending: true };
const BY_NAME: RowOrder = { by: 'name', descending: false };

function tableOf(samples: readonly SampleSketch[], direction: 'top-down' | 'bottom-up' = 'top-down') {
  const profile = profileFromSketch(samples);
  const view = buildStackView(profile, wholeProfile(profile, 1 as ValueTypeIndex));
  const tree = buildCallTree(view, direction);
  const table = createTreeTable(profile, tree, HEAVIEST);
  return { profile, view, tree, table };
}

const SAMPLES: SampleSketch[] = [
  { stack: ['main', 'parse', 'read'], weight: 30 },
  { stack: ['main', 'parse'], weight: 10 },
  { stack: ['main', 'write', 'read'], weight: 25 },
  { stack: ['idle'], weight: 35 },
];

const shown = (table: ExpandedTree, order = HEAVIEST): string[] => {
  const { rows } = table;
  const read = table.read(0, rows.length, order);
  return [...read.node].map((node, row) => `${' '.repeat(read.depth[row]!)}${node}`);
};

/** Returns the names of all rows, indented. */
function names({ profile, table }: ReturnType<typeof tableOf>, order = HEAVIEST): string[] {
  const read = table.read(0, 1000, order);
  return [...read.func].map((func, row) => `${'  '.repeat(read.depth[row]!)}${functionLabel(profile, func)}`);
}

describe('a call tree as a table', () => {
  test('starts with the root and its callees, heaviest first', () => {
    const of = tableOf(SAMPLES);
    expect(names(of)).toEqual(['all', '  main', '  idle']);
    expect(names(of, BY_NAME)).toEqual(['all', '  idle', '  main']);
  });

  test('opens and marks the hot path', () => {
    const of = tableOf(SAMPLES);
    expect(of.table.step({ kind: 'hot-path', node: 0 })).toBe(3);
    expect(names(of)).toEqual(['all', '  main', '    parse', '      read', '    write', '  idle']);
    expect([...of.table.read(0, 9, HEAVIEST).hot]).toEqual([1, 1, 1, 1, 0, 0]);
  });

  test('returns the rows that steps select', () => {
    const of = tableOf(SAMPLES);
    const { table, tree } = of;
    const main = table.read(1, 1, HEAVIEST).node[0]!;
    expect(table.step({ kind: 'open-below', node: main })).toBe(1);
    expect(names(of)).toHaveLength(7);
    const read = table.read(3, 1, HEAVIEST).node[0]!;
    expect(table.step({ kind: 'parent', node: read })).toBe(2);
    expect(table.step({ kind: 'parent', node: 0 })).toBe(0);
    expect(table.step({ kind: 'close', node: main })).toBe(1);
    expect(table.step({ kind: 'parent', node: read })).toBe(-1);
    expect(table.step({ kind: 'reveal', node: read })).toBe(3);
    expect(table.step({ kind: 'close-below', node: 0 })).toBe(0);
    expect(shown(table)).toEqual(['0']);
    expect(tree.length).toBe(7);
  });

  test('finds a name among the visible rows, wrapping around', () => {
    const { table } = tableOf(SAMPLES);
    expect(table.find({ kind: 'name', prefix: 'MA', from: 0 })).toBe(1);
    expect(table.find({ kind: 'name', prefix: 'ma', from: 2 })).toBe(1);
    expect(table.find({ kind: 'name', prefix: 'read', from: 0 })).toBe(-1);
  });

  test('finds matches in closed rows, in both directions, wrapping around', () => {
    const of = tableOf(SAMPLES);
    const { table, profile } = of;
    const matches = new Uint8Array(profile.functions.length);
    matches[functionNamed(profile, 'read')] = 1;
    expect(table.find({ kind: 'match', matches, from: 0, step: 1 })).toBe(3);
    expect(names(of)).toEqual(['all', '  main', '    parse', '      read', '    write', '  idle']);
    expect(table.find({ kind: 'match', matches, from: 3, step: 1 })).toBe(5);
    expect(table.find({ kind: 'match', matches, from: 5, step: 1 })).toBe(3);
    const again = tableOf(SAMPLES);
    expect(again.table.find({ kind: 'match', matches, from: 0, step: -1 })).toBe(4);
    expect(names(again)).toEqual(['all', '  main', '    parse', '    write', '      read', '  idle']);
    expect(table.find({ kind: 'match', matches: new Uint8Array(profile.functions.length), from: 0, step: 1 })).toBe(-1);
  });

  test.each(['top-down', 'bottom-up'] as const)('%s: moving from match to match visits each once', (direction) => {
    fc.assert(
      fc.property(
        sketches,
        fc.constantFrom('a', 'b', '__proto__'),
        fc.constantFrom(1 as const, -1 as const),
        (generated, name, step) => {
          const { table, profile, tree } = tableOf(
            [...generated, { stack: ['a', 'b', '__proto__'], weight: 1 }],
            direction,
          );
          const func = functionNamed(profile, name);
          const matches = new Uint8Array(profile.functions.length);
          matches[func] = 1;
          const wanted = [...tree.func.keys()].filter((node) => tree.func[node] === func);
          const met = new Set<number>();
          let row = step === 1 ? -1 : table.rows.length;
          for (let turn = 0; turn < wanted.length; turn++) {
            row = table.find({ kind: 'match', matches, from: row, step });
            met.add(table.rows.window(row, 1).node[0]!);
          }
          expect([...met].sort((a, b) => a - b)).toEqual(wanted);
        },
      ),
    );
  });

  test('visible rows and closed ones add up to the root in every state', () => {
    const steps = fc.array(
      fc.record({
        kind: fc.constantFrom('open', 'close', 'open-below', 'close-below', 'hot-path', 'reveal'),
        node: fc.nat(),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(
        sketches,
        steps,
        fc.constantFrom('top-down' as const, 'bottom-up' as const),
        (samples, list, direction) => {
          const { table, tree, view } = tableOf(samples, direction);
          for (const { kind, node } of list) table.step({ kind, node: node % tree.length });
          const read = table.read(0, tree.length, HEAVIEST);
          let sum = 0;
          for (let row = 0; row < read.length; row++) sum += read.state[row] === 2 ? read.self[row]! : read.total[row]!;
          expect(sum).toBe(view.total);
          expect(read.total[0]).toBe(view.total);
          expect(read.rowCount).toBe(read.length);
        },
      ),
    );
  });
});

test('ignores steps from nodes that the tree lacks', () => {
  const { table, tree } = tableOf(SAMPLES);
  const before = shown(table);
  for (const kind of ['open', 'close', 'open-below', 'close-below', 'parent', 'hot-path', 'reveal'] as const) {
    for (const node of [-1, tree.length, tree.length + 7]) expect(table.step({ kind, node })).toBe(-1);
  }
  expect(shown(table)).toEqual(before);
});
