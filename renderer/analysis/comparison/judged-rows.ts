import type { Judgement, Verdict } from '#core/compare/statistics/judge.ts';
import { METHODS, PRESENCES, VERDICTS } from './protocol.ts';
import type { JudgedRows, ShownVerdict } from './protocol.ts';

/** Judgements as columns, to cross from the worker: one array each instead of an object per function. */
export function judgedRows(judgements: readonly Judgement[]): JudgedRows {
  const column = (value: (judgement: Judgement) => number | null): Float64Array =>
    Float64Array.from(judgements, (judgement) => value(judgement) ?? Number.NaN);
  return {
    length: judgements.length,
    before: column(({ before }) => before),
    after: column(({ after }) => after),
    delta: column(({ delta }) => delta),
    relative: column(({ relative }) => relative),
    low: column(({ interval }) => interval?.[0] ?? null),
    high: column(({ interval }) => interval?.[1] ?? null),
    level: column(({ level }) => level),
    p: column(({ p }) => p),
    q: column(({ q }) => q),
    method: Uint8Array.from(judgements, ({ method }) => METHODS.indexOf(method)),
    verdict: Uint8Array.from(judgements, ({ verdict }) => verdictCode(verdict)),
    presence: Uint8Array.from(judgements, ({ presence }) => PRESENCES.indexOf(presence)),
  };
}

export function judgementAt(rows: JudgedRows, row: number): Judgement {
  const known = (value: number): number | null => (Number.isNaN(value) ? null : value);
  const low = known(rows.low[row]!);
  return {
    before: rows.before[row]!,
    after: rows.after[row]!,
    delta: rows.delta[row]!,
    relative: known(rows.relative[row]!),
    interval: low === null ? null : [low, rows.high[row]!],
    level: known(rows.level[row]!),
    p: known(rows.p[row]!),
    q: known(rows.q[row]!),
    method: METHODS[rows.method[row]!]!,
    // Functions are always judged: only paths may not be tested.
    verdict: VERDICTS[rows.verdict[row]!]! as Verdict,
    presence: PRESENCES[rows.presence[row]!]!,
  };
}

const verdictCode = (verdict: ShownVerdict): number => VERDICTS.indexOf(verdict);
