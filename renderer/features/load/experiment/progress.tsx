import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { ExperimentStatus } from '#core/contract/load/experiment.ts';
import { createLoadText, stepTitle } from '#core/load/load-text.ts';
import { loadMetric } from '#core/load/sweep.ts';
import { countOf } from '../../../ui/format.ts';
import { STATE_NAMES } from '../state-names.ts';
import { TextTable } from '../text-table.tsx';
import { Button } from '../../../ui/buttons.tsx';

const text = createLoadText('en');
const PHASES = { 'warm-up': 'warming up', run: 'measuring', pause: 'pausing' } as const;

interface ProgressProps {
  readonly status: ExperimentStatus;
  readonly onStop: () => void;
}

/** What a running experiment does now, and its complete runs by step; of one that ended, how. */
export function Progress({ status, onStop }: ProgressProps): ReactElement {
  const { steps, name, state, decision, message, remedy } = status;
  const isRunning = state === 'running';
  const qps = (value: number | null): string => text.value(loadMetric('qps'), value);
  return (
    <section className="experiment-progress" aria-label="Progress">
      <h3 className="ellipsis" title={visibleText(name)}>
        {visibleText(name)}
      </h3>
      <p className="load-state" role="status">
        <span>{isRunning ? nowText(status) : endText(status)}</span>
        {isRunning && <Button onClick={onStop}>Stop and keep</Button>}
      </p>
      {message !== null && (
        <p className="load-worse" role="alert">
          {visibleText([message, remedy].filter((part) => part !== null).join(' '))}
        </p>
      )}
      {decision !== null && <p>{visibleText(decision)}</p>}
      {isRunning &&
        [...status.total.split('\n'), ...status.watched].map((line) => (
          <p key={line} className="dim">
            {visibleText(line)}
          </p>
        ))}
      {(isRunning || status.experiment === null) && steps.length > 0 && (
        <TextTable
          label="Runs by step"
          table={{
            names: 2,
            header: ['Runs', 'Step', 'QPS before', 'QPS after'],
            rows: steps.map(({ concurrency, before, after }) => [
              `${before.runs} → ${after.runs}`,
              stepTitle({ concurrency }),
              qps(before.qps),
              qps(after.qps),
            ]),
          }}
        />
      )}
    </section>
  );
}

/** Returns `Turn 2 of 5 of the after side: measuring 50 connections`. */
function nowText({ turn, pairs, now }: ExperimentStatus): string {
  if (turn === null) return 'Starting…';
  const what = now === null ? 'starting the server' : `${PHASES[now.phase]} ${stepTitle(now)}`;
  return `Turn ${turn.round} of ${pairs} of the ${turn.side} side: ${what}`;
}

function endText({ state, experiment, steps }: ExperimentStatus): string {
  if (experiment === null && state === 'stopped') return 'Stopped before each side had a run; nothing is kept.';
  const runs = steps.reduce((sum, { before, after }) => sum + before.runs + after.runs, 0);
  return `${STATE_NAMES[state]} · ${countOf(runs, 'run')}`;
}
