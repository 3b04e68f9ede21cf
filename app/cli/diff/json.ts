import { functionRef } from '#core/analyze/function-ref.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { methodText } from '#core/compare/describe-comparison.ts';
import { runCounts } from '#core/compare/verdict-words.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import { isRelative } from '#core/compare/statistics/judge-by-size.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import type { Experiment } from '#core/contract/experiment.ts';
import type { Side } from '#core/contract/side.ts';
import { jsonNumber } from '#core/units/json-number.ts';
import { absoluteOf, captureRows, type DiffRow } from './report.ts';
import type { ConditionResult } from './fail-evidence.ts';
import type { ComparedLoads } from '../load/compared.ts';
import { jsonText } from '../output/json-text.ts';

export interface DiffDocument {
  readonly comparison: Comparison;
  readonly experiment: Experiment | null;
  readonly rows: readonly DiffRow[];
  readonly rules: MatchRules;
  readonly conditions: readonly ConditionResult[];
  /** Null: the sides were not recorded during load tests of their own. */
  readonly loads: ComparedLoads | null;
}

/** Returns the documented JSON; see docs/cli.md. */
export function diffAsJson({ comparison, experiment, rows, rules, conditions, loads }: DiffDocument): string {
  const { normalised, design, matched, warnings } = comparison;
  const { type, unit } = comparison.before.captures[0]!.valueType;
  return jsonText({
    ...(experiment === null ? {} : { experiment: { id: experiment.id, name: experiment.name } }),
    valueType: { type, unit },
    normalize: normalised.kind,
    formula: normalised.formula,
    divisors: normalised.divisors,
    unit: normalised.unit,
    method: methodText(design, runCounts(design)),
    before: sideDocument(comparison, experiment, 'before'),
    after: sideDocument(comparison, experiment, 'after'),
    whole: judgementDocument(comparison.whole),
    sizes: comparison.sizes && {
      ...comparison.sizes,
      whole: { ...sidesDocument(comparison.sizes.whole), ...judgementDocument(comparison.sizes.whole) },
    },
    functions: rows.map((row) => functionDocument(row, comparison)),
    matching: {
      ...rules,
      merges: matched.merges.map(({ rule, merges }) => ({
        rule,
        functions: merges.map(({ func, from }) => ({ name: functionRef(matched.table, func).name, from })),
      })),
      programs: matched.programs,
      onlyBefore: matched.onlyBefore.length,
      onlyAfter: matched.onlyAfter.length,
    },
    warnings,
    circumstances: comparison.circumstances.map(({ id, before, after, status }) => ({ id, before, after, status })),
    ...(loads === null ? {} : { loadChanges: loads.document }),
    ...(conditions.length === 0 ? {} : { failOn: conditions.map(conditionDocument) }),
  });
}

const sideDocument = (comparison: Comparison, experiment: Experiment | null, side: Side) => ({
  ...(experiment === null || experiment[side].label === '' ? {} : { label: experiment[side].label }),
  total: jsonNumber(comparison.whole[side]),
  absolute: jsonNumber(absoluteOf(comparison, side)),
  captures: captureRows(comparison, side).map(({ name, valueType, weight, value, samples, leftOut }) => ({
    name,
    valueType: { type: valueType.type, unit: valueType.unit },
    weight: jsonNumber(weight),
    value: jsonNumber(value),
    samples,
    ...(leftOut ? { leftOut } : {}),
  })),
});

function functionDocument(
  { func, name, module, self, total, presence }: DiffRow,
  { advice, measured, sizes }: Comparison,
) {
  const both = <T>(read: (judgement: Judgement) => T): { self: T; total: T } => ({
    self: read(self),
    total: read(total),
  });
  return {
    name,
    module,
    before: both(({ before }) => jsonNumber(before)),
    after: both(({ after }) => jsonNumber(after)),
    delta: both(({ delta }) => jsonNumber(delta)),
    relative: both(({ relative }) => relative),
    interval: both(({ interval }) => interval),
    verdict: both(({ verdict }) => verdict),
    withheld: both(({ withheld }) => withheld ?? null),
    measured: isRelative(sizes)
      ? { self: measuredDocument(measured.self[func]!), total: measuredDocument(measured.total[func]!) }
      : null,
    presence,
    p: both(({ p }) => p),
    q: both(({ q }) => q),
    level: both(({ level }) => level),
    method: both(({ method }) => method),
    advice: { self: advice('self', func), total: advice('total', func) },
  };
}

const sidesDocument = ({ before, after }: Judgement) => ({ before: jsonNumber(before), after: jsonNumber(after) });

/** Values as measured, whose verdict is *not decided*. */
const measuredDocument = (judgement: Judgement) => ({
  ...sidesDocument(judgement),
  delta: jsonNumber(judgement.delta),
  relative: judgement.relative,
  interval: judgement.interval,
});

const judgementDocument = ({ delta, relative, interval, verdict, withheld, p, level, method }: Judgement) => ({
  delta: jsonNumber(delta),
  relative,
  interval,
  verdict,
  ...(withheld === undefined ? {} : { withheld }),
  p,
  level,
  method,
});

const conditionDocument = ({ condition, status, matched, beyond, undecided, ...result }: ConditionResult) => ({
  condition: condition.text,
  status,
  met: status === 'failed',
  matched: matched.length,
  within: matched.filter(({ state }) => state === 'within').length,
  undecidedSmall: result.undecidedSmall,
  runsToSettle: result.runsToSettle,
  functions: [...beyond, ...undecided].map(({ name, module, judgement, family, state, change, ...evidence }) => ({
    name,
    module,
    state,
    change: Number.isFinite(change) ? change : null,
    interval: evidence.interval,
    level: family.level,
    p: family.p,
    q: family.q,
    share: family.share,
    contrast: { value: jsonNumber(family.contrast), interval: family.interval },
    verdict: judgement.verdict,
    ...(judgement.withheld === undefined ? {} : { withheld: judgement.withheld }),
    runsToSettle: evidence.runsToSettle,
  })),
});
