import { WITHHELD, type Judgement, type Verdict, type Withheld } from '#core/compare/statistics/judge.ts';
import type { ShownVerdict } from '#core/compare/verdict-words.ts';
import { METHODS, PRESENCES, VERDICTS, type JudgedRows } from './protocol.ts';

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
    verdict: Uint8Array.from(judgements, verdictCode),
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
    ...verdictAt(VERDICTS[rows.verdict[row]!]!),
    presence: PRESENCES[rows.presence[row]!]!,
  };
}

/** → {@link VERDICTS} */
export const verdictCode = ({ verdict, withheld }: Pick<Judgement, 'verdict' | 'withheld'>): number =>
  VERDICTS.indexOf(withheld ?? verdict);

/** Functions are always judged: only paths may not be tested. */
const verdictAt = (shown: ShownVerdict): Pick<Judgement, 'verdict' | 'withheld'> =>
  isWithheld(shown) ? { verdict: 'unknown', withheld: shown } : { verdict: shown as Verdict };

export const isWithheld = (shown: ShownVerdict): shown is Withheld => WITHHELD.some((reason) => reason === shown);
