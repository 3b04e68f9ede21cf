import { isChange } from '#core/compare/statistics/judge.ts';
import type { ReactElement } from 'react';
import { maybeReason, runCounts, judgementText } from '#core/compare/verdict-words.ts';
import { sidesText } from '#core/load/change-text.ts';
import type { ComparedStep, LoadComparison } from '#core/load/compare-sweeps.ts';
import { stepsTable } from '#core/load/describe-load.ts';
import { stepNumber, type LoadText } from '#core/load/load-text.ts';
import { LOAD_METRICS, type LoadMetric, type LoadSweep } from '#core/load/sweep.ts';
import { TableRegion, TextTable } from './text-table.tsx';
import type { Side } from '#core/contract/side.ts';

const LABEL = 'Table of steps';

interface SweepTableProps {
  readonly sweep: LoadSweep;
  readonly comparison: LoadComparison | null;
  readonly text: LoadText;
}

/** The steps as a table: of one sweep, or the changes of two. */
export function SweepTable({ sweep, comparison, text }: SweepTableProps): ReactElement {
  if (comparison === null) return <TextTable label={LABEL} table={stepsTable(sweep, text)} />;
  const { steps } = comparison;
  const metrics = LOAD_METRICS.filter(({ id }) => steps.some((step) => changeOf(step, id) !== undefined));
  return (
    <TableRegion label={LABEL}>
      <table>
        <thead>
          <tr>
            {['Connections', 'Runs', ...metrics.map(({ label }) => label)].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.concurrency ?? 'unknown'}>
              <th scope="row">{stepNumber(step)}</th>
              <td>{`${runsOf(step, 'before')} → ${runsOf(step, 'after')}`}</td>
              {metrics.map((metric) => (
                <td key={metric.id}>
                  <Change step={step} metric={metric} text={text} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableRegion>
  );
}

const runsOf = ({ design }: ComparedStep, side: Side): number => design[side].groups.flat().length;

const changeOf = ({ metrics }: ComparedStep, id: LoadMetric['id']) => metrics.find(({ metric }) => metric.id === id);

interface ChangeProps {
  readonly step: ComparedStep;
  readonly metric: LoadMetric;
  readonly text: LoadText;
}

function Change({ step, metric, text }: ChangeProps): ReactElement | null {
  const found = changeOf(step, metric.id);
  if (found === undefined) return null;
  const { verdict, delta, relative } = found.judgement;
  const isBetter = delta > 0 === (metric.isBetter === 'higher');
  const look = isChange(verdict) ? (isBetter ? 'load-better' : 'load-worse') : '';
  return (
    <>
      {sidesText(found, text)}
      <br />
      <span className={look}>
        {relative === null ? '' : `${text.relative(relative)} · `}
        {judgementText(found.judgement, maybeReason(step.design, runCounts(step.design)))}
      </span>
    </>
  );
}
