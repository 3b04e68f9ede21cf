import { expect, test } from 'vitest';
import { FunctionKind } from '#core/model/profile.ts';
import { NO_SLOTS } from '#core/colour/frame-colour.ts';
import { madeOf } from '../../../../renderer/features/profile/composition.tsx';
import type { FunctionNames } from '../../../../renderer/analysis/profile/protocol.ts';

const strings = ['', 'read', 'handle', 'parse', '[kernel]', '/srv/app', '__proto__'];
const functions: FunctionNames = {
  length: 4,
  strings,
  name: Int32Array.of(1, 2, 3, 6),
  module: Int32Array.of(4, 5, 5, 6),
  file: new Int32Array(4),
  line: new Int32Array(4),
  kind: Uint8Array.of(FunctionKind.kernel, FunctionKind.user, FunctionKind.user, FunctionKind.unknown),
};
const leaves = { func: Int32Array.of(2, 0, 1, 3), weight: Float64Array.of(5, 4, 2, 1) };

test.each([
  ['kind', ['user 7', 'kernel 4', 'kind unknown 1']],
  ['module', ['app 7', 'kernel 4', '__proto__ 1']],
  ['function', ['parse 5', 'read 4', 'handle 2', '__proto__ 1']],
] as const)('splits the weight by %s, heaviest first', (mode, rows) => {
  const scheme = { mode, theme: 'dark', slots: NO_SLOTS } as const;
  const all = madeOf(leaves, functions, scheme, 8);
  expect(all).toMatchObject({ total: 12, rest: { groups: 0, weight: 0 } });
  expect(all.rows.map(({ label, weight }) => `${label} ${weight}`)).toEqual(rows);
  const { rows: named, rest } = madeOf(leaves, functions, scheme, 2);
  expect(named).toEqual(all.rows.slice(0, 2));
  expect(rest).toEqual({ groups: rows.length - 2, weight: 12 - named[0]!.weight - named[1]!.weight });
});
