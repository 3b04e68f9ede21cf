import type { FrameDelta } from '../analyze/graph/flame-slice.ts';
import type { DeltaTree } from './delta-tree.ts';
import { VERDICTS } from './frame-delta.ts';
import type { PathJudgements } from './judge-paths.ts';
import { WITHHELD, type Judgement, type Presence, type Verdict, type Withheld } from './statistics/judge.ts';
import type { TestMethod } from './statistics/test-row.ts';
import type { ShownVerdict } from './verdict-words.ts';

export const PRESENCES = ['both', 'only-before', 'only-after'] as const satisfies readonly Presence[];
const METHODS = [
  'none',
  'within-run',
  'conditional-binomial',
  'welch',
  'paired',
] as const satisfies readonly TestMethod[];

/** Judgements in columns; NaN stands for null. By function of the comparison. */
export interface JudgedRows {
  readonly length: number;
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly delta: Float64Array;
  readonly relative: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly level: Float64Array;
  readonly p: Float64Array;
  readonly q: Float64Array;
  /** → {@link METHODS} */
  readonly method: Uint8Array;
  /** → {@link VERDICTS} */
  readonly verdict: Uint8Array;
  /** → {@link PRESENCES} */
  readonly presence: Uint8Array;
}

/** Packs judgements into columns, so that the worker sends a few arrays instead of one object per function. */
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

/** Returns the judgement's index in {@link VERDICTS}. */
export const verdictCode = ({ verdict, withheld }: Pick<Judgement, 'verdict' | 'withheld'>): number =>
  VERDICTS.indexOf(withheld ?? verdict);

/** Returns the verdict of each row of a delta tree, as an index into {@link VERDICTS}; the root has that of the whole. */
export function rowVerdicts({ length }: DeltaTree, paths: PathJudgements, whole: Judgement): Uint8Array {
  const verdicts = new Uint8Array(length);
  paths.tested.forEach((node, place) => (verdicts[node] = verdictCode(paths.judgements[place]!)));
  verdicts[0] = verdictCode(whole);
  return verdicts;
}

/** Returns both sides of a row of a delta tree, with its verdict of {@link rowVerdicts}. */
export const rowDelta = ({ before, after }: DeltaTree, verdicts: Uint8Array, node: number): FrameDelta => ({
  before: before.total[node]!,
  after: after.total[node]!,
  selfBefore: before.self[node]!,
  selfAfter: after.self[node]!,
  verdict: verdicts[node]!,
});

const verdictAt = (shown: ShownVerdict): Pick<Judgement, 'verdict' | 'withheld'> =>
  isWithheld(shown) ? { verdict: 'unknown', withheld: shown } : { verdict: shown as Verdict };

export const isWithheld = (shown: ShownVerdict): shown is Withheld => WITHHELD.some((reason) => reason === shown);
