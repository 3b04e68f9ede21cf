import { useMemo, type JSX } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { answerText } from '#core/compare/describe-answer.ts';
import { byLead } from '#core/compare/describe-comparison.ts';
import { describeChange, marginOf, relativeText } from '#core/compare/describe-change.ts';
import { COUNT_WORK, SIZE_CODE } from '#core/compare/describe-sizes.ts';
import { isUndecided } from '#core/compare/statistics/judge-by-size.ts';
import type { Mover, TopMovers } from '#core/compare/top-movers.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import { VERDICT_WORDS } from '#core/compare/verdict-words.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { count, fitName } from '../../ui/format.ts';
import type { CellTone } from '../../ui/table/table.types.ts';
import { verdictTone } from '../../ui/table/delta-columns.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import { functionName } from '../../state/function-text.ts';
import { useCompare, useCompareState } from '../../state/compare/context.ts';
import type { ShownRows } from '../../state/compare/compare.types.ts';
import { kindCounts, untestedCount } from './table/rows.ts';
import { useValueText, verdictReason } from '../../state/comparison-texts.ts';
import { TrustChip } from './trust.tsx';
import { Warnings } from './warnings.tsx';

interface AnswerProps {
  readonly compared: Compared;
  /** Null while they are being looked for. */
  readonly top: TopMovers | null;
}

/** The comparison's answer: one sentence with what it rests on, and the three largest changes. */
export function CompareAnswer({ compared, top }: AnswerProps): JSX.Element {
  const values = useValueText(compared);
  const { functions, warnings } = compared;
  const name = (func: number): string => fitName(visibleText(functionName(functions, func).slice(0, 2000)), 60);
  const text = top === null ? 'Looking for changes…' : answerText(compared, top, name, values);
  // The sentence says what the warning about sizes does.
  const leading = byLead(warnings).leading.filter(({ code }) => code !== SIZE_CODE);
  return (
    <section className="compare-answer" aria-label="Summary">
      <div className="answer-line">
        <p className="answer-text ellipsis" title={text}>
          {text}
        </p>
        <TrustChip compared={compared} />
      </div>
      <div className="answer-line">
        {isUndecided(compared.sizes) ? (
          <p className="dim ellipsis">To decide, {COUNT_WORK.replace(' to decide', '')}.</p>
        ) : (
          <ol className="answer-movers" aria-label="Largest changes">
            {(top?.movers ?? []).slice(0, SHOWN_MOVERS).map((mover) => (
              <li key={`${mover.func} ${mover.column}`}>
                <MoverButton mover={mover} compared={compared} values={values} name={name(mover.func)} />
              </li>
            ))}
          </ol>
        )}
        <Kinds compared={compared} />
      </div>
      <Warnings label="Read this first" warnings={leading} />
    </section>
  );
}

/** Number of changes in the head; the panel and the table have the rest. */
const SHOWN_MOVERS = 3;

interface MoverButtonProps {
  readonly mover: Mover;
  readonly compared: Compared;
  readonly values: ValueText;
  readonly name: string;
}

/** A change in short; a click selects the function on both sides and in the table. */
function MoverButton({ mover: { func, column, judgement }, compared, values, name }: MoverButtonProps): JSX.Element {
  const tab = useCompare();
  const isPicked = useCompareState((state) => state.picked?.func === func);
  const { headline, detail } = describeChange(judgement, column, values, verdictReason(compared));
  const { before, after, delta, interval, presence } = judgement;
  return (
    <button
      type="button"
      className={isPicked ? 'button answer-mover on' : 'button answer-mover'}
      aria-pressed={isPicked}
      title={`${name} ${headline}: ${detail}`}
      onClick={() => tab.pick({ func: func as FunctionIndex, node: null })}
    >
      <span className="answer-change">
        <span className={`tone-${verdictTone(judgement)}`} aria-hidden="true">
          {delta > 0 ? '▲' : '▼'}
        </span>
        <b className="mono ellipsis">{name}</b>
        <span className={`tone-${verdictTone(judgement)}`}>
          {relativeText(judgement, values)}
          {values.relativeTo === '' || presence !== 'both' ? '' : ' relative'}
        </span>
      </span>
      <span className="mono dim">
        {presence === 'both' ? `${values.value(before)} → ${values.value(after)}` : values.value(before + after)}
        {interval === null ? '' : ` ± ${values.reach(marginOf(interval))}`}
      </span>
    </button>
  );
}

const KINDS: readonly {
  readonly show: ShownRows;
  readonly sign: string;
  readonly word: string;
  readonly tone: CellTone;
}[] = [
  { show: 'grew', sign: '▲ ', word: 'grew', tone: 'grew' },
  { show: 'shrank', sign: '▼ ', word: 'shrank', tone: 'shrank' },
  { show: 'suggestive', sign: '', word: VERDICT_WORDS.suggestive, tone: 'plain' },
  { show: 'new', sign: '', word: 'new', tone: 'dim' },
  { show: 'removed', sign: '', word: 'gone', tone: 'dim' },
];

/** The number of functions of each kind, by their totals; a click lists them. */
function Kinds({ compared }: { readonly compared: Compared }): JSX.Element {
  const tab = useCompare();
  const counts = useMemo(() => kindCounts(compared, 'total'), [compared]);
  const shown = KINDS.filter(({ show }) => (counts.get(show) ?? 0) > 0);
  return (
    <span className="answer-kinds">
      {shown.length > 0 && <span className="dim">By total:</span>}
      {shown.map(({ show, sign, word, tone }) => (
        <button
          key={show}
          type="button"
          className={`link-button tone-${tone}`}
          title="Show them in the table, by total"
          onClick={() => tab.lookAtTable({ show, measure: 'total' })}
        >
          {`${sign}${count(counts.get(show) ?? 0)} ${word}${untestedText(compared, show)}`}
        </button>
      ))}
    </span>
  );
}

/** Returns how many functions of a kind have too few samples for a test; only frames of one side are listed untested. */
function untestedText(compared: Compared, show: ShownRows): string {
  const untested = untestedCount(compared, 'total', show);
  return untested === 0 || (show !== 'new' && show !== 'removed') ? '' : ` (${count(untested)} not tested)`;
}
