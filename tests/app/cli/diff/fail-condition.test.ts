import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CliError } from '#app/cli/errors.ts';
import { parseFailCondition, type FailCondition } from '#app/cli/diff/fail-condition.ts';

const parts = fc.record({
  metric: fc.constantFrom('self', 'total'),
  pattern: fc.oneof(
    fc.constantFrom('^parse', '.*', '(a|b)', 'f\\(int\\)', 'operator> ', 'a) > 5% ', '__proto__', 'été'),
    fc
      .string({ minLength: 1 })
      .map((text) =>
        text.replace(/[^\w ]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
      ),
  ),
  comparison: fc.constantFrom('>', '<'),
  // `0` in the text is never -0.
  limit: fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map((value) => value + 0),
  unit: fc.constantFrom('%', 'pp', 'abs'),
  blanks: fc.constantFrom('', ' ', '\t  '),
});

describe('any text', () => {
  test('parses a condition to its parts, with or without spaces', () => {
    fc.assert(
      fc.property(parts, ({ metric, pattern, comparison, limit, unit, blanks }) => {
        fc.pre(compiles(pattern) && (unit !== '%' || limit > -100));
        const written = [
          blanks,
          metric,
          blanks,
          `(${pattern})`,
          blanks,
          comparison,
          blanks,
          limit,
          blanks,
          unit,
          blanks,
        ];
        expect(parseFailCondition(written.join(''))).toEqual({
          text: written.join('').trim(),
          metric,
          pattern,
          comparison,
          limit,
          unit,
        });
      }),
    );
  });

  test('is a condition or a usage error of one line', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom('self', 'total', '(', ')', '>', '<', '=', '5', '+', '-', '%', 'pp', ' ', '[', '\\'),
        fc.string(),
      ),
    );
    fc.assert(
      fc.property(pieces, (words) => {
        try {
          expect(Number.isFinite(parseFailCondition(words.join('')).limit)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(CliError);
          expect(error).toMatchObject({ exitCode: 2 });
        }
      }),
      { numRuns: 500 },
    );
  });
});

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

test.each([
  ['total(parse) > +5%', { metric: 'total', pattern: 'parse', comparison: '>', limit: 5, unit: '%' }],
  ['self(f) < -.5e1 pp', { metric: 'self', pattern: 'f', comparison: '<', limit: -5, unit: 'pp' }],
  ['self(f)>−3 abs', { comparison: '>', limit: -3, unit: 'abs' }],
  ['total(f(int) > 5%) > 1%', { pattern: 'f(int) > 5%', limit: 1 }],
] satisfies [string, Partial<FailCondition>][])('parses %s', (text, expected) => {
  expect(parseFailCondition(text)).toMatchObject(expected);
});

test.each([
  ['', /not of the form metric\(regex\)/],
  ['parse > 5%', /not of the form/],
  ['p99(.*) > 5%', /unknown metric 'p99'; use self or total/],
  ['total(f) >= 5%', /unknown comparison '>='; use > or </],
  ['total(f) > 5', /the number has no unit; use % \(of before\), pp/],
  ['total(f) > 5 ms', /unknown unit 'ms'/],
  ['total(f) > lots', /'lots' is not a number with a unit/],
  ['total(f) > 1e999%', /not a number with a unit/],
  ['total() > 5%', /the pattern is empty/],
  ['total(f) < -100%', /nothing can shrink by more than 100 %; give a number above -100 %/],
  ['total(f) > -250%', /nothing can shrink by more than 100 %/],
  ['total(() > 5%', /--fail-on total\(\(\) > 5%: .+; correct the regular expression/],
])('%j is refused', (text, line) => {
  let error: unknown;
  try {
    parseFailCondition(text);
  } catch (caught) {
    error = caught;
  }
  expect(error).toMatchObject({ exitCode: 2 });
  const { message, remedy } = error as CliError;
  expect(`${message}; ${remedy}`).toMatch(line);
});
