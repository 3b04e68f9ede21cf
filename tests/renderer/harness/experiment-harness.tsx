import type { JSX } from 'react';
import { Progress } from '../../../renderer/features/load/experiment/progress.tsx';
import '../../../renderer/features/load/load.css';
import '../../../renderer/features/load/experiment/experiment.css';

/** `?experiment=<its name>` shows an experiment in its second turn. */
export const ExperimentHarness = ({ name }: { name: string }): JSX.Element => (
  <main className="load-tab">
    <Progress
      status={{
        id: 'experiment-run-1',
        name,
        state: 'running',
        message: null,
        remedy: null,
        total: `A, before: ${name}\nB, after:  ${name}\nIn turn: A B B A A B. Each turn loads ${name}`,
        turn: { side: 'after', round: 1 },
        pairs: 3,
        now: { concurrency: 50, phase: 'warm-up' },
        steps: [
          { concurrency: 10, before: { runs: 1, qps: 1240 }, after: { runs: 1, qps: 2310.5 } },
          { concurrency: 50, before: { runs: 1, qps: 1180 }, after: { runs: 0, qps: null } },
        ],
        watched: [`before: Watched on web-1: ${name} (812) :80.`],
        decision: null,
        experiment: null,
      }}
      onStop={() => undefined}
    />
  </main>
);
