import type { ReactElement } from 'react';
import { deltaText } from '#core/compare/describe-change.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import { verdictText, type ShownVerdict } from '#core/compare/verdict-words.ts';
import { format } from '../../../ui/format.ts';
import { verdictTone } from '../../../ui/table/delta-columns.ts';
import { presenceText, relativeChange } from '../../../ui/flame/chart/delta-style.ts';
import { presenceOf } from '#core/compare/frame-delta.ts';
import './facts.css';

interface FactPair {
  readonly before: number;
  readonly after: number;
}

interface DeltaFactsProps {
  readonly self: FactPair | null;
  readonly total: FactPair;
  /** Totals of the sides' roots, for shares. */
  readonly whole: FactPair;
  readonly verdict: ShownVerdict;
  /** Judgement of the total; undefined while loading, null if there is none. */
  readonly judgement: Judgement | null | undefined;
  /** Why verdicts are at most *maybe*; null if they can be certain. */
  readonly reason: string | null;
  readonly text: ValueText;
}

/** Both sides' weights of a frame or function, and the judgement of their difference. */
export function DeltaFacts(props: DeltaFactsProps): ReactElement {
  const { self, total, whole, verdict, judgement, reason, text } = props;
  const presence = presenceOf({ ...total, selfBefore: 0, selfAfter: 0, verdict: 0 });
  const delta = total.after - total.before;
  return (
    <div className="delta-facts">
      <table>
        <thead>
          <tr>
            <th scope="col">{text.per === '' ? 'value' : text.per.trim()}</th>
            <th scope="col">before</th>
            <th scope="col">after</th>
            <th scope="col">Δ</th>
            <th scope="col">Δ %</th>
          </tr>
        </thead>
        <tbody>
          {self === null ? null : <ValueRow name="self" pair={self} text={text} />}
          <ValueRow name="total" pair={total} text={text} />
          <tr>
            <th scope="row">share of side</th>
            <td>{format.share(total.before, whole.before)}</td>
            <td>{format.share(total.after, whole.after)}</td>
            <td>{pointsText(total, whole)}</td>
            <td>–</td>
          </tr>
        </tbody>
      </table>
      {presence === 'both' ? null : (
        <p className="presence">
          {presenceText(presence)}: not in {presence === 'only-before' ? 'after' : 'before'}
        </p>
      )}
      <p className="verdict">
        <span>total</span>
        <b className={verdict === 'not-tested' ? 'tone-dim' : `tone-${verdictTone({ verdict })}`}>
          {verdictText({ verdict, delta }, reason)}
        </b>
        <span>{judgement === undefined ? '…' : judgement === null ? '' : deltaText(judgement, text)}</span>
      </p>
    </div>
  );
}

function ValueRow({ name, pair, text }: { name: string; pair: FactPair; text: ValueText }): ReactElement {
  const { before, after } = pair;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{text.value(before)}</td>
      <td>{text.value(after)}</td>
      <td>{text.delta(after - before)}</td>
      <td>{relativeChange(before, after, text)}</td>
    </tr>
  );
}

/** Returns the difference of the sides' shares in percentage points. */
function pointsText(total: FactPair, whole: FactPair): string {
  if (whole.before === 0 || whole.after === 0) return '';
  const points = total.after / whole.after - total.before / whole.before;
  return `${format.share(points, 1, { sign: 'always' }).slice(0, -'%'.length)}pp`;
}
