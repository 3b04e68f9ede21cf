import { useCallback, useState, type ReactElement } from 'react';
import { toProblem } from '../../state/problem.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import type { Problem } from '../../ui/problem.ts';
import { Progress } from './progress.tsx';
import { Result } from './result.tsx';
import { SidesForm } from './sides-form.tsx';
import { useRun } from './use-run.ts';
import './load-experiment.css';

/** Plans and runs an experiment, and shows what it came to, or what one of the library did. */
export function RunDialog({ shown }: { readonly shown: string | null }): ReactElement {
  const { showDialog } = useWorkbench();
  const [problem, setProblem] = useState<Problem | null>(null);
  const report = useCallback((error: unknown) => setProblem(toProblem(error)), []);
  const { status, isKnown, refresh, stop } = useRun(report);
  const [page, setPage] = useState<'form' | 'run' | 'shown'>(shown === null ? 'run' : 'shown');
  const isRunning = status?.state === 'running';
  const isForm = page === 'form' || (page === 'run' && isKnown && status === null);
  const result = page === 'shown' ? shown : page === 'run' ? (status?.experiment ?? null) : null;
  return (
    <Dialog title="Experiment" className="load-dialog experiment-run" onClose={() => showDialog(null)}>
      <div className="dialog-body load-body">
        {problem !== null && <ProblemView problem={problem} />}
        {isForm && (
          <SidesForm
            onStarted={() => {
              setPage('run');
              refresh();
            }}
          />
        )}
        {page === 'run' && status !== null && <Progress status={status} onStop={stop} />}
        {result !== null && <Result key={result} id={result} onLeave={() => showDialog(null)} />}
      </div>
      {!isForm && !(isRunning && page === 'run') && (
        <div className="dialog-actions">
          <button type="button" className="button" onClick={() => setPage(isRunning ? 'run' : 'form')}>
            {isRunning ? 'Show the running experiment' : 'New experiment…'}
          </button>
        </div>
      )}
    </Dialog>
  );
}
