import { expect, test } from 'vitest';
import type { FunctionIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { functionNames } from '#core/analyze/search.ts';
import { perfScriptImporter } from '#core/import/perf-script/perf-script.ts';
import { createProfileSession } from '../../../../renderer/analysis/profile/session.ts';
import type { AnalyzeParams } from '../../../../renderer/analysis/profile/protocol.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { patternsInPlace } from '../../analysis/patterns-in-place.ts';

const sample = (...frames: string[]): string =>
  [
    'app 7/7 [000] 1.0: 1 cycles:',
    ...frames.flatMap((frame, index) => {
      const [name, line] = frame.split(':');
      return [`\t${index + 1} ${name!} (/srv/app)`, `  /src/a.c:${line!}`];
    }),
    '',
    '',
  ].join('\n');

const ask = (revision: number, transforms: readonly NamedTransform[]): AnalyzeParams => ({
  view: 0,
  revision,
  selection: { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null },
  transforms,
  tree: { kind: 'top-down' },
  zoom: [],
  picked: null,
});

test('a profile without lines shows the weight of the function', async () => {
  const profile = profileFromText('a;b 3\nb 1\na 4');
  const session = createProfileSession(profile, patternsInPlace);
  await session.analyze(ask(1, []));
  const func = (name: string) => functionNames(profile).indexOf(name) as FunctionIndex;
  const { length, files, line, self, total } = session.sourceLines(1, func('b'));
  expect([length, files, [...line], [...self], [...total]]).toEqual([1, [''], [0], [4], [4]]);
  expect(session.sourceLines(1, 99 as FunctionIndex)).toMatchObject({ length: 0, files: [] });
});

test('lines belong to the current view: its transforms, functions and revision', async () => {
  const reader = perfScriptImporter.start();
  reader.push(new TextEncoder().encode(sample('f:3', 'g:9') + sample('f:4', 'g:9') + sample('g:8')));
  const profile = reader.finish();
  const func = (name: string) => functionNames(profile).indexOf(name) as FunctionIndex;
  const session = createProfileSession(profile, patternsInPlace);

  await session.analyze(ask(1, []));
  const lines = session.sourceLines(1, func('g'));
  expect(lines).toMatchObject({ length: 2, files: ['/src/a.c'] });
  expect([[...lines.line], [...lines.self], [...lines.total]]).toEqual([
    [8, 9],
    [1, 0],
    [1, 2],
  ]);

  const rename = { kind: 'rename', enabled: true, pattern: '^[fg]$', ignoreCase: false, replacement: 'h' } as const;
  await session.analyze(ask(2, [rename]));
  // The only function that the rename created follows the profile's own.
  const index = profile.functions.length as FunctionIndex;
  expect([...session.sourceLines(2, index).line]).toEqual([3, 4, 8, 9]);
  expect(() => session.sourceLines(1, func('g'))).toThrow(/changed/);
});
