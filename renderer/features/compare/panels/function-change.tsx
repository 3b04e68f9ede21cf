import { useMemo, type JSX } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { adviceText, describeChange } from '#core/compare/describe-change.ts';
import type { Judgement, Metric } from '#core/compare/statistics/judge.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { Facts } from '../../../ui/fitted-text.tsx';
import { format } from '../../../ui/format.ts';
import { functionModule, functionName, functionSource } from '../../../state/function-text.ts';
import { useAnswer } from '../../../ui/table/use-answer.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import { useCompare } from '../../../state/compare/context.ts';
import { verdictTone } from '../../../ui/table/delta-columns.ts';
import { judgementAt } from '#core/compare/judged-rows.ts';
import { useValueText, verdictReason } from '../../../state/comparison-texts.ts';
import './panels.css';
import { CopyButton } from '../../../ui/fields/copy-button.tsx';

const METRICS = ['self', 'total'] as const satisfies readonly Metric[];

interface FunctionChangeProps {
  readonly compared: Compared;
  readonly func: FunctionIndex;
}

/** The change of one function, and the number of additional runs that would show it. */
export function ChangeDetails({ compared, func }: FunctionChangeProps): JSX.Element {
  const tab = useCompare();
  const { functions, revision } = compared;
  // A function that one side lacks needs no more runs.
  const isOnBoth = judgementAt(compared.total, func).presence === 'both';
  const ask = useMemo(
    () => (isOnBoth ? () => tab.ask('advice', { revision, func }) : null),
    [tab, revision, func, isOnBoth],
  );
  const answer = useAnswer(ask);
  const isLeaf = isSameWeight(judgementAt(compared.self, func), judgementAt(compared.total, func));
  const module = functionModule(functions, func);
  const source = functionSource(functions, func);
  const name = functionName(functions, func);
  return (
    <section className="details-facts function-change">
      <div className="details-title">
        <h3 className="mono details-name">{shortenMiddle(visibleText(name.slice(0, 4000)), 400)}</h3>
        <CopyButton label="Copy function name" text={name} />
      </div>
      {(module !== '' || source !== '') && (
        <p className="mono dim function-place">
          <Facts
            facts={[module, source].filter((text) => text !== '').map((text) => shortenMiddle(visibleText(text), 120))}
          />
        </p>
      )}
      <MetricChange compared={compared} func={func} metric="self" />
      <MetricChange compared={compared} func={func} metric="total" />
      {answer !== null &&
        (isLeaf ? (['total'] as const) : METRICS)
          .filter((metric) => metric === 'total' || answer[metric] !== null)
          .map((metric) => (
            <p key={metric} className="advice">
              {adviceText(answer[metric], shortenMiddle(visibleText(name.slice(0, 4000)), 100), metric, format)}
            </p>
          ))}
    </section>
  );
}

const isSameWeight = (one: Judgement, other: Judgement): boolean =>
  one.before === other.before && one.after === other.after;

function MetricChange({ compared, func, metric }: FunctionChangeProps & { readonly metric: Metric }): JSX.Element {
  const values = useValueText(compared);
  const judgement = judgementAt(compared[metric], func);
  const { headline, detail } = describeChange(judgement, metric, values, verdictReason(compared));
  return (
    <p className="metric-change">
      <b>{metric}</b> <span className={`tone-${verdictTone(judgement)}`}>{headline}</span>
      <span className="mover-detail">{detail}</span>
    </p>
  );
}
