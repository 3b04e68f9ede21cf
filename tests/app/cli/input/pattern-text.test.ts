import { describe, expect, test } from 'vitest';
import { parseSubstitution, splitLabel } from '#app/cli/input/pattern-text.ts';

describe('--collapse', () => {
  test.each([
    ['^std::=C++', '^std::', 'C++'],
    ['std', 'std', ''],
    ['a=b=c', 'a=b', 'c'],
    ['(?=x)y', '(?=x)y', ''],
    ['(?<=x)y=z', '(?<=x)y', 'z'],
    ['a\\=b', 'a\\=b', ''],
    ['=x', '', 'x'],
  ])('splits %s', (text, pattern, label) => {
    expect(splitLabel(text)).toEqual({ pattern, label });
  });
});

describe('--rename', () => {
  test.each([
    ['s/a/b/', 'a', false, 'b'],
    ['s/a//', 'a', false, ''],
    ['s/a\\/b/c\\/d/gi', 'a\\/b', true, 'c/d'],
    ['s#a\\#b#$1#i', 'a#b', true, '$1'],
    ['s|a\\|b|c\\|d|', 'a\\|b', false, 'c|d'],
    ['s/(\\d+)/<$1>/g', '(\\d+)', false, '<$1>'],
  ])('parses %s', (text, pattern, ignoreCase, replacement) => {
    expect(parseSubstitution(text)).toEqual({ pattern, ignoreCase, replacement });
  });

  test.each(['', 's', 'a', 's/a', 's/a/b', 's//b/', 's/a/b/x', 's/a/b/g/', 'sxaxbx', 's a b ', 'y/a/b/'])(
    'refuses %j',
    (text) => {
      expect(() => parseSubstitution(text)).toThrow('not of the form s/regex/replacement/');
    },
  );
});
