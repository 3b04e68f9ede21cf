import type { JudgementColumnId } from '#core/export/judgement-columns.ts';
import { levelsText, levelText, relativeText } from '#core/compare/describe-change.ts';
import { isChange, type Judgement, type Metric } from '#core/compare/statistics/judge.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import { judgementText, type ShownVerdict } from '#core/compare/verdict-words.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { baseName } from '#core/model/base-name.ts';
import { nameColumn, numberColumn, textColumn } from './column.ts';
import type { Column, FunctionTexts, NumberColumn, TextColumn, CellTone } from './table.types.ts';
import { VERDICTS } from '#core/compare/frame-delta.ts';
import { PRESENCES, type JudgedRows } from '#core/compare/judged-rows.ts';
import { isWithheld, judgementAt } from '#core/compare/judged-rows.ts';
import type { Side } from '#core/contract/side.ts';

/** Columns by measure; rows are functions of the comparison, in its order. */
export interface DeltaColumnsOf {
  readonly rows: Readonly<Record<Metric, JudgedRows>>;
  /** The measure shown first; the columns of the other one have IDs `other-…`. */
  readonly measure: Metric;
  readonly texts: FunctionTexts;
  readonly values: ValueText;
  /** Why verdicts are at most *maybe*; null if they can be certain. */
  readonly reason: string | null;
  /** Growth sorts before everything that shrank; otherwise differences sort by size. */
  readonly growthFirst: boolean;
  /** True uses columns so narrow that function, Δ, Δ % and verdict fit next to another pane. */
  readonly narrow: boolean;
  /** By function: 1 if the search matches, else 0; null without a search. */
  readonly matches: Uint8Array | null;
  /** Ranks by function; see `TextColumn.ranks`. */
  readonly ranks: ReadonlyMap<string, Int32Array>;
}

/** Default columns. */
/** Columns of text of a comparison's table; each has a row in the export. */
export type DeltaTextId = 'function' | 'presence' | 'module' | 'source' | 'kind';

export const OWN_DELTA_COLUMNS = [
  'function',
  'before',
  'after',
  'delta',
  'relative',
  'interval',
  'verdict',
  'other-delta',
  'other-verdict',
  'module',
];
/** Default columns of a narrow pane: the change is visible, the values before and after follow it. */
export const NARROW_DELTA_COLUMNS = ['function', 'delta', 'relative', 'interval', 'verdict', 'before', 'after'];
/** The same where verdicts have their reasons, which need the room. */
const NARROW_REASON_COLUMNS = ['function', 'delta', 'relative', 'verdict', 'interval', 'before', 'after'];

/** Returns the ids of the default columns. */
export function ownDeltaColumns({ narrow, rows, measure, reason }: DeltaColumnsOf): readonly string[] {
  if (!narrow) return OWN_DELTA_COLUMNS;
  return verdictRoom(rows[measure], reason) === 'verdict' ? NARROW_DELTA_COLUMNS : NARROW_REASON_COLUMNS;
}

/** Widths in CSS pixels; that of the function column is its minimum. */
const WIDE = {
  function: 170,
  side: 96,
  delta: 140,
  plainDelta: 104,
  relative: 76,
  interval: 100,
  verdict: 136,
  maybe: 190,
  undecided: 224,
};
const NARROW = {
  function: 104,
  side: 88,
  delta: 86,
  plainDelta: 86,
  relative: 72,
  interval: 88,
  verdict: 130,
  maybe: 184,
  undecided: 223,
};

const otherMeasure = (measure: Metric): Metric => (measure === 'self' ? 'total' : 'self');

const MEASURES: Readonly<Record<Metric, string>> = {
  self: 'Weight of the stacks that end in the function',
  total: 'Weight of the stacks that contain the function',
};

const SEEN: Readonly<Record<Judgement['presence'], string>> = {
  both: 'both sides',
  'only-before': 'only before',
  'only-after': 'only after',
};

/** Returns all columns of the delta table; the first is the function's name. */
export function deltaColumns(of: DeltaColumnsOf): Column[] {
  const { measure, texts, matches, rows } = of;
  const ranksOf = (id: DeltaTextId): Pick<TextColumn, 'ranks'> => {
    const rank = of.ranks.get(id);
    return rank === undefined ? {} : { ranks: () => new Float64Array(rank) };
  };
  const text = (id: DeltaTextId, header: string, width: number, read: (func: FunctionIndex) => string): TextColumn =>
    textColumn(id, header, width, (row) => read(row as FunctionIndex), ranksOf(id));
  const presence = rows.total.presence;
  return [
    nameColumn(
      'Function',
      420,
      { func: (row) => row, texts, matches },
      {
        minWidth: of.narrow ? NARROW.function : WIDE.function,
        ...ranksOf('function'),
      },
    ),
    ...measureColumns(of, measure, ''),
    ...measureColumns(of, otherMeasure(measure), 'other-'),
    {
      ...text('presence', 'Seen', 96, (func) => SEEN[PRESENCES[presence[func]!]!]),
      title: 'The sides on which the function occurs',
      ranks: () => new Float64Array(presence),
    },
    text('module', 'Module', 140, (func) => baseName(texts.module(func))),
    text('source', 'File:line', 200, texts.source),
    text('kind', 'Kind', 96, texts.kind),
  ];
}

/**
 * Returns the columns of one measure: before, after, and the judgement of their difference.
 */
function measureColumns(
  { rows, values, reason, growthFirst, narrow }: DeltaColumnsOf,
  measure: Metric,
  prefix: '' | 'other-',
): Column[] {
  const judged = rows[measure];
  const px = narrow ? NARROW : WIDE;
  const hasBars = prefix === '' && !narrow;
  const name = prefix === '' ? '' : ` ${measure}`;
  const number = (
    id: JudgementColumnId,
    header: string,
    title: string,
    width: number,
    value: (row: number) => number,
    format: NumberColumn['format'],
    own: Partial<NumberColumn> = {},
  ): NumberColumn => numberColumn(prefix + id, header, `${title}. ${MEASURES[measure]}.`, width, value, format, own);
  const side = (id: Side, header: string, missing: Judgement['presence']): NumberColumn => {
    const isMissing = (row: number): boolean => presenceAt(judged, row) === missing;
    return number(
      id,
      header + name,
      `${measure} ${id}${values.per}`,
      px.side,
      (row) => judged[id][row]!,
      (value, row) => (isMissing(row) ? '–' : values.column(value)),
      {
        exact: (value, row) => (isMissing(row) ? `not seen ${id}` : values.value(value) + values.per),
        tone: (row) => (isMissing(row) ? 'dim' : 'plain'),
      },
    );
  };
  const tone = (row: number): CellTone => verdictTone(judgementAt(judged, row));
  const largest = largestOf(judged.delta);
  /** Δ as a share of the largest, below 1; growth first puts what shrank last. */
  const sizeShare = (row: number): number => {
    if (!(largest > 0)) return 0;
    const share = judged.delta[row]! / largest;
    return 0.99 * (growthFirst ? (1 + share) / 2 : Math.abs(share));
  };
  return [
    side('before', 'Before', 'only-after'),
    side('after', 'After', 'only-before'),
    number(
      'delta',
      `Δ ${measure}`,
      `after − before, of ${measure}${values.per}; sorts by ${growthFirst ? 'growth' : 'size'}`,
      hasBars ? px.delta : px.plainDelta,
      (row) => (growthFirst ? judged.delta[row]! : Math.abs(judged.delta[row]!)),
      (_, row) => values.columnDelta(judged.delta[row]!),
      {
        exact: (_, row) => values.delta(judged.delta[row]!) + values.per,
        tone,
        ...(hasBars ? { swing: { value: (row) => judged.delta[row]!, whole: largest } } : {}),
      },
    ),
    number(
      'relative',
      `Δ %${name}`,
      `Δ relative to ${measure} before: “new” from zero, “gone” to zero; sorts by size`,
      px.relative,
      (row) => relativeSize(judged, row),
      (_, row) => relativeText(judgementAt(judged, row), values),
      { tone },
    ),
    number(
      'interval',
      `±${name}`,
      `Half width of the interval around Δ${levelsText(judged.level)}, the level of its verdict: it excludes 0 exactly if the function changed; – if it was not tested`,
      px.interval,
      (row) => marginAt(judged, row),
      (reach) => (Number.isNaN(reach) ? '–' : `±${values.columnReach(reach)}`),
      { exact: (_, row) => intervalText(judgementAt(judged, row), values), tone: () => 'dim' },
    ),
    number(
      'verdict',
      `Verdict${name}`,
      'What the captures show: grew, shrank, maybe, no clear change, not decided, not tested, or unknown; with the reason of maybe and unknown; grew and shrank come first, and equal verdicts sort by the size of Δ',
      px[verdictRoom(judged, reason)],
      (row) => Math.min(judged.verdict[row]!, CHANGED) + sizeShare(row),
      (_, row) => judgementText(judgementAt(judged, row), reason),
      { tone },
    ),
    number('p', `p${name}`, 'p-value of Δ', 80, (row) => judged.p[row]!, probability),
    number(
      'q',
      `q${name}`,
      'p-value adjusted for testing many functions at once (Benjamini & Hochberg)',
      80,
      (row) => judged.q[row]!,
      probability,
    ),
  ];
}

const NOT_DECIDED = VERDICTS.indexOf('not-decided');
/** The rank of grew and shrank, which sort by size together. */
const CHANGED = Math.min(VERDICTS.indexOf('grew'), VERDICTS.indexOf('shrank'));

/** Returns which width the verdicts need; their reasons take space. */
function verdictRoom({ verdict }: JudgedRows, reason: string | null): 'verdict' | 'maybe' | 'undecided' {
  if (verdict.includes(NOT_DECIDED)) return 'undecided';
  return reason !== null || verdict.some((code) => isWithheld(VERDICTS[code]!)) ? 'maybe' : 'verdict';
}

/** Returns the tone of a verdict; only grew and shrank have a colour. */
export function verdictTone({ verdict }: { readonly verdict: ShownVerdict }): CellTone {
  if (isChange(verdict)) return verdict;
  return verdict === 'suggestive' ? 'plain' : 'dim';
}

const presenceAt = (judged: JudgedRows, row: number): Judgement['presence'] => PRESENCES[judged.presence[row]!]!;

/** Returns the absolute relative change; a new function is larger than any multiple. */
function relativeSize(judged: JudgedRows, row: number): number {
  const relative = judged.relative[row]!;
  if (!Number.isNaN(relative)) return Math.abs(relative);
  return judged.delta[row] === 0 ? 0 : Infinity;
}

const marginAt = (judged: JudgedRows, row: number): number => (judged.high[row]! - judged.low[row]!) / 2;

/** Returns `+36 µs to +62 µs, 99.6 % interval`. */
function intervalText({ interval, level }: Judgement, values: ValueText): string {
  if (interval === null || level === null) return 'not tested, or its variation is unknown';
  const [low, high] = interval;
  return `${values.delta(low)} to ${values.delta(high)}${values.per}, ${levelText(level)} interval`;
}

const LEAST_SHOWN = 0.0001;

function probability(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value < LEAST_SHOWN ? `<${LEAST_SHOWN}` : value.toFixed(4);
}

function largestOf(deltas: Float64Array): number {
  let largest = 0;
  for (const delta of deltas) largest = Math.max(largest, Math.abs(delta));
  return largest;
}
