import type { ReactElement } from 'react';
import { maybeReason, runCounts, judgementText } from '#core/compare/verdict-words.ts';
import type { ComparedStep, LoadComparison } from '#core/load/compare-sweeps.ts';
import { errorsText } from '#core/load/describe-load.ts';
import type { LoadText } from '#core/load/load-text.ts';
import { shownKnee } from '#core/load/knee.ts';
import { LOAD_METRICS, meanOf, type LoadMetric, type LoadSweep } from '#core/load/sweep.ts';
import { count } from '../../ui/format.ts';
import { TableRegion } from './text-table.tsx';

interface SweepTableProps {
  readonly sweep: LoadSweep;
  readonly comparison: LoadComparison | null;
  readonly text: LoadText;
}

/** The steps as a table: of one sweep, or the changes of two. */
export function SweepTable({ sweep, comparison, text }: SweepTableProps): ReactElement {
  const steps =
    comparison?.steps.map(({ concurrency }) => sweep.steps.find((step) => step.concurrency === concurrency)!) ??
    sweep.steps;
  const metrics = LOAD_METRICS.filter((metric) => steps.some((step) => meanOf(step, metric) !== null));
  const knee = shownKnee(sweep, text).step;
  return (
    <TableRegion label="Table of steps">
      <table>
        <thead>
          <tr>
            <th scope="col">connections</th>
            <th scope="col">runs</th>
            {metrics.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
            {comparison === null && <th scope="col">errors</th>}
          </tr>
        </thead>
        <tbody>
          {steps.map((step, place) => {
            const compared = comparison?.steps[place] ?? null;
            return (
              <tr key={step.concurrency ?? 'unknown'}>
                <th scope="row">
                  {step.concurrency === null ? '?' : count(step.concurrency)}
                  {step === knee && comparison === null ? ' (knee)' : ''}
                </th>
                <td>
                  {compared === null
                    ? step.runs.length
                    : `${runsOf(compared, 'before')} → ${runsOf(compared, 'after')}`}
                </td>
                {metrics.map((metric) => (
                  <td key={metric.id}>
                    {compared === null ? (
                      text.value(metric, meanOf(step, metric))
                    ) : (
                      <Change compared={compared} metric={metric} text={text} />
                    )}
                  </td>
                ))}
                {comparison === null && <td>{errorsText(step)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </TableRegion>
  );
}

const runsOf = ({ design }: ComparedStep, side: 'before' | 'after'): number => design[side].groups.flat().length;

function Change({
  compared,
  metric,
  text,
}: {
  readonly compared: ComparedStep;
  readonly metric: LoadMetric;
  readonly text: LoadText;
}): ReactElement | null {
  const found = compared.metrics.find((one) => one.metric.id === metric.id);
  if (found === undefined) return null;
  const { judgement } = found;
  const { verdict, before, after, relative } = judgement;
  const isBetter = judgement.delta > 0 === (metric.isBetter === 'higher');
  const look = verdict === 'grew' || verdict === 'shrank' ? (isBetter ? 'load-better' : 'load-worse') : '';
  return (
    <>
      {text.value(metric, before)} → {text.value(metric, after)}
      <br />
      <span className={look}>
        {relative === null ? '' : `${text.relative(relative)} · `}
        {judgementText(judgement, maybeReason(compared.design, runCounts(compared.design)))}
      </span>
    </>
  );
}
