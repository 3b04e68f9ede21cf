import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearRegex } from '#core/import/text/linear-regex.ts';

const matches = (pattern: string, text: string): boolean => linearRegex(`^(${pattern})$`).matches(text);

describe('RE2 syntax', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'abcd', false],
    ['', '', true],
    ['a|b|', '', true],
    ['a*b+c?', 'aabb', true],
    ['a{2,3}', 'aaaa', false],
    ['a{2,3}', 'aaa', true],
    ['a{2}', 'aa', true],
    ['a{2,}', 'aaaaa', true],
    ['a{x', 'a{x', true],
    ['a+?b*?', 'aab', true],
    ['(a|b)*c', 'ababc', true],
    ['(?:ab)+', 'abab', true],
    ['(?P<name>ab)(?<other>c)', 'abc', true],
    ['(?i)AbC', 'aBc', true],
    ['(?i:a)b', 'AB', false],
    ['((?i)a)b', 'Ab', true],
    ['((?i)a)b', 'AB', false],
    ['a.c', 'a\nc', false],
    ['(?s)a.c', 'a\nc', true],
    ['^a$', 'a', true],
    ['(?m)a$\n^b', 'a\nb', true],
    ['\\Aa\\z', 'a', true],
    ['\\bfoo\\b.*', 'foo bar', true],
    ['\\bfoo\\b.*', 'foobar', false],
    ['fo\\Bo', 'foo', true],
    ['[a-c]+', 'abcabc', true],
    ['[^a-c]+', 'xyz', true],
    ['[]a]+', ']a', true],
    ['[a-]+', 'a-a', true],
    ['[\\d.]+', '1.2', true],
    ['\\d\\D\\w\\W\\s\\S', '1x_. y', true],
    ['[[:alpha:]_][[:alnum:]_]*', 'Name_1', true],
    ['\\pL+', 'größe', true],
    ['\\p{Greek}+', 'αβγ', true],
    ['\\P{L}', '1', true],
    ['\\x41\\x{1F600}\\101\\n', 'A😀A\n', true],
    ['\\Qa.b*\\E+', 'a.b***', true],
    ['\\.\\*\\(\\)\\[\\]\\{\\}\\|\\^\\$\\\\', '.*()[]{}|^$\\', true],
    ['operator new(\\[\\])?', 'operator new[]', true],
    ['.', '😀', true],
    ['(|a)*', 'aaa', true],
    ['(a*)*b', 'aab', true],
  ])('%s on %j: %s', (pattern, text, expected) => expect(matches(pattern, text)).toBe(expected));

  it.each([
    '(',
    ')',
    'a)',
    '[a',
    '*a',
    '+',
    '(?=a)',
    '(?<!a)b',
    '\\1',
    '\\C',
    'a{1001}',
    'a{3,2}',
    '\\x{110000}',
    '\\p{None}',
    '(?P<n',
    '[b-a]',
    `${'('.repeat(1100)}${')'.repeat(1100)}`,
    '((a{1000}){1000}){1000}',
    '(){1000}{1000}',
  ])('refuses %s', (pattern) => expect(() => linearRegex(pattern)).toThrow(SyntaxError));

  it('agrees with JavaScript’s engine', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|b)', '(ab)', '(a|)', '\\w', '\\d');
    const suffix = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}');
    const sequence = fc.array(fc.tuple(atom, suffix), { maxLength: 5 }).map((parts) => parts.flat().join(''));
    const pattern = fc.array(sequence, { minLength: 1, maxLength: 3 }).map((options) => options.join('|'));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1'), maxLength: 8 });
    const property = fc.property(pattern, text, (source, subject) => {
      expect(matches(source, subject)).toBe(new RegExp(`^(?:${source})$`, 'u').test(subject));
    });
    fc.assert(property, { numRuns: 3000, seed: 3 });
  });

  it('ends where a backtracking matcher would not', () => {
    expect(matches('(a+)+$b', 'a'.repeat(20_000))).toBe(false);
    expect(matches('(a|a)*c', 'a'.repeat(20_000))).toBe(false);
  });
});
