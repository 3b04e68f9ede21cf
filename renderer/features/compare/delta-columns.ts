import { levelText, relativeText, type Metric } from '#core/compare/describe-change.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import { judgementText, type ShownVerdict } from '#core/compare/verdict-words.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { baseName } from '../../ui/flame/package-of.ts';
import type { Column, FunctionTexts, NumberColumn, TextColumn, Tone } from '../../ui/table/table.types.ts';
import { PRESENCES, VERDICTS, type JudgedRows } from '../../analysis/comparison/protocol.ts';
import { isWithheld, judgementAt } from '../../analysis/comparison/judged-rows.ts';

/** Rows are functions of the comparison, in its order. */
export interface DeltaColumnsOf {
  readonly rows: Readonly<Record<Metric, JudgedRows>>;
  /** Which of the two leads; the other one's columns are `other-…`. */
  readonly measure: Metric;
  readonly texts: FunctionTexts;
  readonly values: ValueText;
  /** Why verdicts are *maybe* at most; null: they can be certain. */
  readonly reason: string | null;
  /** Columns so narrow that function, Δ, Δ % and verdict fit beside another pane. */
  readonly narrow: boolean;
  /** What the search found, by function. */
  readonly matches: Uint8Array | null;
  /** Places by function; see `TextColumn.ranks`. */
  readonly ranks: ReadonlyMap<string, Int32Array>;
}

/** Columns that show where the user has not chosen. */
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
/** The same in a narrow pane: what changed is in view, what it changed from comes after it. */
export const NARROW_DELTA_COLUMNS = ['function', 'delta', 'relative', 'verdict', 'before', 'after'];

/** CSS pixels; the function's own is its least. */
const WIDE = { function: 170, side: 96, delta: 140, relative: 76, interval: 100, verdict: 136, maybe: 176 };
const NARROW = { function: 112, side: 88, delta: 92, relative: 74, interval: 92, verdict: 136, maybe: 168 };

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

/** All columns of the delta table; the first one is the function's. */
export function deltaColumns(of: DeltaColumnsOf): Column[] {
  const { measure, texts, matches, rows } = of;
  const text = (
    id: string,
    header: string,
    width: number,
    read: (func: FunctionIndex) => string,
    rank = of.ranks.get(id),
  ): TextColumn => ({
    kind: 'text',
    id,
    header,
    width,
    minWidth: 64,
    mono: false,
    align: 'right',
    filtered: false,
    text: (row) => read(row as FunctionIndex),
    ...(rank === undefined ? {} : { ranks: () => new Float64Array(rank) }),
  });
  const presence = rows.total.presence;
  return [
    {
      ...text('function', 'Function', 420, texts.name),
      minWidth: of.narrow ? NARROW.function : WIDE.function,
      mono: true,
      align: 'left',
      isMatch: (row) => matches !== null && matches[row] === 1,
    },
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

/** Before, after and what is said of their difference, of one measure. Differences sort by size, whichever way they go. */
function measureColumns(
  { rows, values, reason, narrow }: DeltaColumnsOf,
  measure: Metric,
  prefix: '' | 'other-',
): Column[] {
  const judged = rows[measure];
  const px = narrow ? NARROW : WIDE;
  const hasBars = prefix === '' && !narrow;
  const name = prefix === '' ? '' : ` ${measure}`;
  const number = (
    id: string,
    header: string,
    title: string,
    width: number,
    value: (row: number) => number,
    format: NumberColumn['format'],
  ): NumberColumn => ({
    kind: 'number',
    id: prefix + id,
    header,
    title: `${title}. ${MEASURES[measure]}.`,
    width,
    minWidth: 56,
    value,
    format,
  });
  const side = (id: 'before' | 'after', header: string, missing: Judgement['presence']): NumberColumn => ({
    ...number(
      id,
      header + name,
      `${measure} ${id}${values.per}`,
      px.side,
      (row) => judged[id][row]!,
      (value, row) => (presenceAt(judged, row) === missing ? '–' : values.column(value)),
    ),
    exact: (value, row) => (presenceAt(judged, row) === missing ? `not seen ${id}` : values.value(value) + values.per),
    tone: (row) => (presenceAt(judged, row) === missing ? 'dim' : 'plain'),
  });
  const tone = (row: number): Tone => verdictTone(judgementAt(judged, row));
  return [
    side('before', 'Before', 'only-after'),
    side('after', 'After', 'only-before'),
    {
      ...number(
        'delta',
        `Δ ${measure}`,
        `after − before, of ${measure}${values.per}; sorts by size`,
        hasBars ? px.delta : px.interval,
        (row) => Math.abs(judged.delta[row]!),
        (_, row) => values.columnDelta(judged.delta[row]!),
      ),
      exact: (_, row) => values.delta(judged.delta[row]!) + values.per,
      tone,
      ...(hasBars ? { swing: { value: (row) => judged.delta[row]!, whole: largestOf(judged.delta) } } : {}),
    },
    {
      ...number(
        'relative',
        `Δ %${name}`,
        `Δ relative to ${measure} before: “new” from zero, “gone” to zero; sorts by size`,
        px.relative,
        (row) => relativeSize(judged, row),
        (_, row) => relativeText(judgementAt(judged, row), values),
      ),
      tone,
    },
    {
      ...number(
        'interval',
        `±${name}`,
        'Half width of the interval around Δ: 95 %, higher for grew and shrank',
        px.interval,
        (row) => reachAt(judged, row),
        (reach) => (Number.isNaN(reach) ? '–' : `±${values.column(reach)}`),
      ),
      exact: (_, row) => intervalText(judgementAt(judged, row), values),
      tone: () => 'dim',
    },
    {
      ...number(
        'verdict',
        `Verdict${name}`,
        'What the captures show: grew, shrank, maybe, no clear change, or unknown; with the reason of maybe and unknown',
        hasReasons(judged, reason) ? px.maybe : px.verdict,
        (row) => judged.verdict[row]!,
        (_, row) => judgementText(judgementAt(judged, row), reason),
      ),
      tone,
    },
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

/** Whether any verdict stands with its reason, which takes room. */
const hasReasons = ({ verdict }: JudgedRows, reason: string | null): boolean =>
  reason !== null || verdict.some((code) => isWithheld(VERDICTS[code]!));

/** Only what grew or shrank has a colour. */
export function verdictTone({ verdict }: { readonly verdict: ShownVerdict }): Tone {
  if (verdict === 'grew' || verdict === 'shrank') return verdict;
  return verdict === 'suggestive' ? 'plain' : 'dim';
}

const presenceAt = (judged: JudgedRows, row: number): Judgement['presence'] => PRESENCES[judged.presence[row]!]!;

/** From nothing is more than any multiple. */
function relativeSize(judged: JudgedRows, row: number): number {
  const relative = judged.relative[row]!;
  if (!Number.isNaN(relative)) return Math.abs(relative);
  return judged.delta[row] === 0 ? 0 : Infinity;
}

const reachAt = (judged: JudgedRows, row: number): number => (judged.high[row]! - judged.low[row]!) / 2;

/** `+36 µs to +62 µs, 99.6 % interval`. */
function intervalText({ interval, level }: Judgement, values: ValueText): string {
  if (interval === null || level === null) return 'its variation is unknown';
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
