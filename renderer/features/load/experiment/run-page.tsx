import { useCallback, useEffect, useState, type ReactElement } from 'react';
import type { ExperimentStatus } from '#core/contract/load/experiment.ts';
import type { OpenTab } from '../../../state/tabs/open-tab.ts';
import { toProblem } from '../../../state/problem.ts';
import { setLoadTitle, type LoadTab } from '../../../state/load/tab.ts';
import { useStore } from '../../../state/store.ts';
import { useWorkbenchState } from '../../../state/workbench-context.ts';
import { ProblemView } from '../../../ui/problem-view.tsx';
import type { Problem } from '../../../ui/problem.ts';
import { Progress } from './progress.tsx';
import { Result } from './result.tsx';
import { SidesForm } from './sides-form.tsx';
import { useRun } from './use-run.ts';
import './experiment.css';
import { Button } from '../../../ui/buttons.tsx';

/** Plans and runs an experiment, and shows what it came to, or what one of the library did. */
export function RunPage({ tab }: { readonly tab: LoadTab }): ReactElement {
  const { store } = tab;
  const shown = useStore(store, ({ place }) => (place.page === 'experiment' ? place.shown : null));
  const experiments = useWorkbenchState((state) => state.experiments);
  const [problem, setProblem] = useState<Problem | null>(null);
  const report = useCallback((error: unknown) => setProblem(toProblem(error)), []);
  const { status, isKnown, refresh, stop } = useRun(report);
  const [page, setPage] = useState<'form' | 'run' | 'shown'>(shown === null ? 'run' : 'shown');
  const isRunning = status?.state === 'running';
  const isElsewhere = useWorkbenchState(({ tabs }) => tabs.some((other) => other !== tab && isShownIn(other, status)));
  const isForm = page === 'form' || (page === 'run' && isKnown && (status === null || isElsewhere));
  const result = page === 'shown' ? shown : page === 'run' && !isForm ? (status?.experiment ?? null) : null;
  const name = experiments?.find(({ experiment }) => experiment.id === result)?.experiment.name;
  const title = name ?? (page === 'run' && !isForm ? (status?.name ?? '') : '');
  const runningId = isRunning && page === 'run' ? status.id : null;
  useEffect(() => {
    if (isKnown && experiments !== null) setLoadTitle(tab, title);
    store.set({ running: runningId === null ? null : { id: runningId, name: title } });
    if (page === 'run') store.set({ place: { page: 'experiment', shown: result } });
  }, [tab, store, isKnown, experiments, title, runningId, page, result]);
  return (
    <>
      <div className="load-body">
        {problem !== null && <ProblemView problem={problem} />}
        {isForm && (
          <SidesForm
            onStarted={() => {
              setPage('run');
              refresh();
            }}
          />
        )}
        {page === 'run' && !isForm && status !== null && <Progress status={status} onStop={stop} />}
        {result !== null && <Result key={result} id={result} />}
      </div>
      {!isForm && !(isRunning && page === 'run') && (
        <div className="dialog-actions">
          <Button onClick={() => setPage(isRunning ? 'run' : 'form')}>
            {isRunning ? 'Show the running experiment' : 'New experiment…'}
          </Button>
        </div>
      )}
    </>
  );
}

/** Returns whether a tab shows the experiment that ran last. */
const isShownIn = (tab: OpenTab, status: ExperimentStatus | null): boolean => {
  if (tab.kind !== 'load' || !status?.experiment) return false;
  const { place } = tab.store.get();
  return place.page === 'experiment' && place.shown === status.experiment;
};
