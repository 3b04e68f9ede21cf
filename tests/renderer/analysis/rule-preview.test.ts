import { expect, test } from 'vitest';
import { previewRule } from '../../../renderer/analysis/comparison/requests.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const names = (text: string) => {
  const { strings, functions } = profileFromText(text);
  return {
    table: { strings, functions },
    list: Array.from({ length: functions.length }, (_, func) => strings[functions.name[func]!]!),
  };
};

test('counts what a rule changes and merges', () => {
  const { table, list } = names('main;v1_parse 3\nmain;v2_parse 4\nmain;v1_write 1');
  const renamed = list.map((name) => name.replace(/^v\d+_/, ''));
  expect(previewRule(table, renamed)).toEqual({
    changed: 3,
    merged: 2,
    examples: [
      { from: 'v1_parse', to: 'parse', isMerged: true },
      { from: 'v2_parse', to: 'parse', isMerged: true },
      { from: 'v1_write', to: 'write', isMerged: false },
    ],
  });
});

test('keeps a name that would become empty', () => {
  const { table, list } = names('main;v1_ 3');
  expect(
    previewRule(
      table,
      list.map(() => ''),
    ),
  ).toEqual({ changed: 0, merged: 0, examples: [] });
});
