import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldedPaths } from '#core/export/folded-paths.ts';

/** Tables whose rows refer to any earlier row or to none. */
const tables = fc.array(fc.record({ above: fc.nat(), frame: fc.nat(7) }), { maxLength: 200 }).map((rows) => ({
  length: rows.length,
  parent: Int32Array.from(rows, ({ above }, row) => (above % (row + 1)) - 1),
  frame: Int32Array.from(rows, ({ frame }) => frame),
}));

/** Frames 0 to 7 have five names among them. */
const NAME_OF_FRAME = Int32Array.from([3, 0, 1, 1, 4, 2, 0, 3]);

function spell(parent: ArrayLike<number>, name: (row: number) => number, row: number): string {
  return row < 0 ? '' : `${spell(parent, name, parent[row]!)}${name(row)}`;
}

test('gives each stack the path with its names; paths are distinct and ordered', () => {
  fc.assert(
    fc.property(tables, (stacks) => {
      const { parent, name, ofStack } = foldedPaths(stacks, NAME_OF_FRAME);
      const paths = Array.from(name, (_, path) => spell(parent, (row) => name[row]!, path));
      const read = Array.from(ofStack, (_, row) =>
        spell(stacks.parent, (at) => NAME_OF_FRAME[stacks.frame[at]!]!, row),
      );
      expect(Array.from(ofStack, (path) => paths[path])).toEqual(read);
      expect(paths).toEqual([...new Set(read)].sort());
      expect(parent.every((above, path) => above < path)).toBe(true);
    }),
  );
});

test('handles a deep chain and many siblings', () => {
  const deep = Int32Array.from({ length: 200_000 }, (_, row) => row - 1);
  const chain = foldedPaths({ length: deep.length, parent: deep, frame: new Int32Array(deep.length) }, NAME_OF_FRAME);
  expect(chain.parent).toEqual(deep);
  const flat = new Int32Array(10_000).fill(-1);
  const frame = Int32Array.from(flat, (_, row) => row % 8);
  expect([...foldedPaths({ length: flat.length, parent: flat, frame }, NAME_OF_FRAME).name]).toEqual([0, 1, 2, 3, 4]);
});
