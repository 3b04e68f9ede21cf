import type { KeyboardEvent } from 'react';
import { expect, test } from 'vitest';
import { createKeymap } from '../../../renderer/keys/keymap.ts';
import { pressTreeKey } from '../../../renderer/table/tree-keys.ts';
import { createTypeAhead } from '../../../renderer/table/type-ahead.ts';
import type { TreeNavigation } from '../../../renderer/table/use-tree-navigation.ts';

function press(singleKeys: boolean, ...presses: readonly [key: string, timeStamp: number][]) {
  const found: [prefix: string, from: number][] = [];
  const tree = {
    active: { node: 7, position: 3 },
    selection: { chosen: null },
    toName: (prefix: string, from: number) => found.push([prefix, from]),
  } as unknown as TreeNavigation;
  const keys = {
    keymap: createKeymap({ keys: {}, singleKeys, mac: false }),
    typeAhead: createTypeAhead(),
    onCopy: () => undefined,
  };
  const taken = presses.map(([key, timeStamp]) => pressTreeKey({ key, timeStamp } as KeyboardEvent, tree, keys));
  return { found, taken };
}

test('letters go to the next row that begins so, by when they were typed', () => {
  const { found, taken } = press(true, ['m', 0], ['a', 100], ['x', 2000]);
  expect(found).toEqual([
    ['m', 4],
    ['ma', 3],
    ['x', 4],
  ]);
  expect(taken).toEqual([true, true, true]);
});

test('where single keys are off, letters do nothing', () => {
  expect(press(false, ['m', 0], ['a', 100])).toEqual({ found: [], taken: [false, false] });
});
