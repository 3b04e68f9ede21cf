import { describe, expect, test } from 'vitest';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import { functionRef } from '#core/analyze/function-ref.ts';
import { withPairs } from '#core/compare/match/all-rules.ts';
import { DEFAULT_MATCH_RULES, type MatchRules } from '#core/compare/match/match-rules.ts';
import { NO_STACK, type StackIndex } from '#core/model/brand.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { Profile } from '#core/model/profile.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { captureOf } from '../captures.ts';

/** Reads folded text in which `name@module` is a function of a module. */
function profileOf(text: string): Profile {
  const builder = new ProfileBuilder(1);
  const thread = builder.thread(-1, -1, '');
  for (const line of text.split('\n')) {
    const [stack = '', weight] = line.split(' ');
    const join = (caller: StackIndex, written: string): StackIndex => {
      const [name = '', module = ''] = written.split('@');
      return builder.stack(caller, builder.frame({ func: builder.function({ name, module }) }));
    };
    builder.sample({ stack: stack.split(';').reduce(join, NO_STACK), thread }, Number(weight));
  }
  return builder.finish([{ type: 'samples', unit: 'count', event: -1, column: 0 }], { format: 'folded' });
}

const compare = (before: string, after: string, rules: MatchRules = DEFAULT_MATCH_RULES): Promise<Comparison> =>
  compareFunctions([captureOf(profileOf(before))], [captureOf(profileOf(after))], {
    rules,
    patterns: patternsHere,
  });
const offers = ({ warnings }: Comparison) => warnings.filter(({ pairs }) => pairs !== undefined);

const BEFORE = 'main;run;parse;lex 30\nmain;run;parse 20\nmain;run;idle 50';
const AFTER = BEFORE.replaceAll('parse', 'parse_v2');
const AFTER_SPLIT = 'main;run;parse_head 24\nmain;run;parse_body;lex 26\nmain;run;idle 50';

describe('a function that only one side has', () => {
  test('with the same callers and a similar weight is probably renamed, and matches with one click', async () => {
    const comparison = await compare(BEFORE, AFTER);
    expect(offers(comparison)).toMatchObject([
      { code: 'probably-renamed', pairs: [{ before: 'parse', after: 'parse_v2' }] },
    ]);
    expect(offers(comparison)[0]!.message).toContain('--match parse=parse_v2 matches them');
    const matched = await compare(BEFORE, AFTER, withPairs(DEFAULT_MATCH_RULES, offers(comparison)[0]!.pairs!));
    expect(offers(matched)).toEqual([]);
    const { table, onlyBefore, onlyAfter } = matched.matched;
    expect([onlyBefore, onlyAfter]).toEqual([[], []]);
    const names = Array.from({ length: table.functions.length }, (_, func) => functionRef(table, func).name);
    expect(matched.self[names.indexOf('parse_v2')]).toMatchObject({ before: 0.2, after: 0.2, presence: 'both' });
  });

  test.each([
    ['other callers', AFTER.replaceAll('run;parse_v2', 'parse_v2')],
    ['a tenth of the weight', AFTER.replace('idle 50', 'idle 950')],
  ])('with %s is not offered', async (_, after) => {
    expect(offers(await compare(BEFORE, after))).toEqual([]);
  });

  test.each([
    ['split', BEFORE, AFTER_SPLIT, '--match parse_body=parse --match parse_head=parse matches them'],
    ['joined', AFTER_SPLIT, BEFORE, '--match parse_body=parse --match parse_head=parse matches them'],
  ])('that several others replace is probably %s, and matches all of them', async (what, before, after, how) => {
    const comparison = await compare(before, after);
    expect(offers(comparison)).toMatchObject([{ code: `probably-${what}` }]);
    const { message, pairs } = offers(comparison)[0]!;
    expect(message).toContain(how);
    const { matched, total } = await compare(before, after, withPairs(DEFAULT_MATCH_RULES, pairs!));
    expect([matched.onlyBefore, matched.onlyAfter]).toEqual([[], []]);
    const names = Array.from(
      { length: matched.table.functions.length },
      (_, func) => functionRef(matched.table, func).name,
    );
    expect(total[names.indexOf('parse')]).toMatchObject({ before: 0.5, after: 0.5 });
  });

  test('of the same name in another module is offered at any weight, and matches', async () => {
    const [before, after] = ['hot@app 999\ncopy@liba 1', 'hot@app 500\nmain@app;copy@libb 1'];
    const comparison = await compare(before, after);
    expect(offers(comparison)).toMatchObject([{ code: 'probably-moved', pairs: [{ before: 'copy', after: 'copy' }] }]);
    const { matched } = await compare(before, after, { ...DEFAULT_MATCH_RULES, pairs: offers(comparison)[0]!.pairs! });
    expect(matched.onlyBefore).toEqual([]);
  });
});
