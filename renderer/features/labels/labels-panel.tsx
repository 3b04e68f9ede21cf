import { useMemo, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { LabelBreakdown } from '#core/analyze/reading/labels.ts';
import { count } from '../../ui/format.ts';
import { useAnswer } from '../../ui/table/use-answer.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { weightFormat } from '../../state/weight-format.ts';
import type { WeightFormat } from '../../ui/flame/flame-graph.types.ts';

/** Values shown of a key; the rest is counted. */
const MAX_VALUES = 20;

/** What the values of each label key weigh in the view, heaviest first; shares are of the view. */
export function LabelsPanel(): ReactElement {
  const { ask, profile } = useView();
  const analysis = useViewState((state) => state.analysis);
  const valueType = useViewState((state) => state.selection.valueType);
  const unit = profile.valueTypes[valueType]?.unit ?? 'count';
  const weights = useMemo(() => weightFormat(unit), [unit]);
  const revision = analysis?.revision ?? null;
  const keys = useAnswer(
    useMemo(() => (revision === null ? null : () => ask('labels', { revision })), [ask, revision]),
  );
  if (keys?.length === 0) return <p className="panel-hint">No sample of this view has a label.</p>;
  return (
    <div className="details" aria-busy={keys === null}>
      {keys?.map((key) => (
        <LabelKey key={key.key} breakdown={key} total={analysis?.total ?? 0} weights={weights} />
      ))}
    </div>
  );
}

interface LabelKeyProps {
  readonly breakdown: LabelBreakdown;
  readonly total: number;
  readonly weights: WeightFormat;
}

function LabelKey({ breakdown: { key, values }, total, weights }: LabelKeyProps): ReactElement {
  const rest = values.slice(MAX_VALUES);
  const restWeight = rest.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <section>
      <h4>{shortenMiddle(visibleText(key), 80)}</h4>
      <ul className="details-list">
        {values.slice(0, MAX_VALUES).map(({ text, weight }) => (
          <li key={text}>
            <span className="mono ellipsis" title={shortenMiddle(visibleText(text), 300)}>
              {text === '' ? '(empty)' : shortenMiddle(visibleText(text), 80)}
            </span>
            <span className="mono dim" title={weights.share(weight, total)}>
              {weights.value(weight)} · {weights.share(weight, total)}
            </span>
          </li>
        ))}
        {rest.length > 0 && (
          <li className="dim">
            <span>and {count(rest.length)} lighter</span>
            <span className="mono">{weights.share(restWeight, total)}</span>
          </li>
        )}
      </ul>
    </section>
  );
}
