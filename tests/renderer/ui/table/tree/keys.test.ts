import type { KeyboardEvent } from 'react';
import { expect, test } from 'vitest';
import { createKeymap } from '../../../../../renderer/ui/keys/keymap.ts';
import { pressTreeKey } from '../../../../../renderer/ui/table/tree/table.tsx';
import { createTypeAhead } from '../../../../../renderer/ui/table/tree/type-ahead.ts';
import type { TreeNavigation } from '../../../../../renderer/ui/table/tree/use-navigation.ts';

function press(singleKeys: boolean, ...presses: readonly [key: string, timeStamp: number][]) {
  const found: [prefix: string, from: number][] = [];
  const run: string[] = [];
  const tree = {
    active: { node: 7, position: 3 },
    selection: { chosen: null },
    toName: (prefix: string, from: number) => found.push([prefix, from]),
  } as unknown as TreeNavigation;
  const keys = {
    keymap: createKeymap({ keys: {}, singleKeys, mac: false }),
    typeAhead: createTypeAhead(),
    onCopy: () => undefined,
    onCommand: (id: string) => void run.push(id),
  };
  const taken = presses.map(([key, timeStamp]) => pressTreeKey({ key, timeStamp } as KeyboardEvent, tree, keys));
  return { found, run, taken };
}

test('letters select the next row that starts with them, depending on timing', () => {
  const { found, taken } = press(true, ['e', 0], ['m', 100], ['x', 2000]);
  expect(found).toEqual([
    ['e', 4],
    ['em', 3],
    ['x', 4],
  ]);
  expect(taken).toEqual([true, true, true]);
});

test('letters do nothing if single keys are off', () => {
  expect(press(false, ['m', 0], ["'", 50], ['a', 100])).toEqual({ found: [], run: [], taken: [false, false, false] });
});

test('letters transform, unless a word is being typed', () => {
  expect(press(true, ['f', 0], ['M', 100])).toMatchObject({ found: [], run: ['transform.focus', 'transform.merge'] });
  expect(press(true, ["'", 0], ['f', 1500], ['m', 1600], ['f', 9000])).toMatchObject({
    found: [
      ['f', 4],
      ['fm', 3],
    ],
    run: ['transform.focus'],
  });
});
