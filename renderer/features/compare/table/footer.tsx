import { useMemo, type JSX } from 'react';
import type { SelectionDelta } from '#core/compare/selection-delta.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import { countOf } from '../../../ui/format.ts';
import { TableFooter } from '../../../ui/table/footer.tsx';
import type { RowSet } from '../../../ui/table/table.types.ts';
import { useAnswer } from '../../../ui/table/use-answer.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';

interface DeltaFooterProps {
  readonly compared: Pick<Compared, 'self' | 'whole'>;
  readonly values: ValueText;
  readonly chosen: RowSet | null;
  readonly ask: () => Promise<SelectionDelta>;
  /** Sum of the self deltas of rows hidden by filters. */
  readonly hiddenDelta: number;
}

/** The sum of the selected rows, else of all rows. */
export function DeltaFooter({ compared, values, chosen, ask, hiddenDelta }: DeltaFooterProps): JSX.Element {
  return (
    <TableFooter>
      {chosen !== null && chosen.count > 1 ? (
        <ChosenText count={chosen.count} values={values} ask={ask} />
      ) : (
        <WholeText compared={compared} values={values} hiddenDelta={hiddenDelta} />
      )}
    </TableFooter>
  );
}

function ChosenText({ count: rows, values, ask }: Pick<DeltaFooterProps, 'values' | 'ask'> & { count: number }) {
  const sums = useAnswer(useMemo(() => ask, [ask]));
  const change = ({ before, after }: SelectionDelta['self']): JSX.Element => (
    <b className="mono">
      {values.value(before)} → {values.value(after)} ({values.delta(after - before)})
    </b>
  );
  return (
    <>
      <b>{countOf(rows, 'function')} selected</b>
      {sums === null ? (
        <span className="dim">…</span>
      ) : (
        <>
          <span>self {change(sums.self)}</span>
          <span title="A stack with several of them counts once">total {change(sums.total)}</span>
          {values.per !== '' && <span>{values.per.trim()}</span>}
        </>
      )}
    </>
  );
}

/** States that the self deltas add up to the delta of the whole. */
function WholeText({ compared, values, hiddenDelta }: Pick<DeltaFooterProps, 'compared' | 'values' | 'hiddenDelta'>) {
  const { self, whole } = compared;
  const sum = useMemo(() => self.delta.reduce((total, delta) => total + delta, 0), [self]);
  // A difference within rounding errors counts as zero.
  const least = Math.max(whole.before, whole.after) * 1e-9;
  const settled = (delta: number): number => (Math.abs(delta) > least ? delta : 0);
  const hidden = settled(hiddenDelta);
  const withoutStack = settled(whole.delta - sum);
  return (
    <>
      <span>
        sum of Δ self <b className="mono">{values.delta(settled(sum - hiddenDelta))}</b>
      </span>
      {hidden !== 0 && (
        <span>
          hidden by the filter <b className="mono">{values.delta(hidden)}</b>
        </span>
      )}
      {withoutStack !== 0 && (
        <span>
          without a stack <b className="mono">{values.delta(withoutStack)}</b>
        </span>
      )}
      <span>
        of <b className="mono">{values.delta(whole.delta)}</b>
        {values.per}
      </span>
    </>
  );
}
