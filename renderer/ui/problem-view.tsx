import type { ReactElement, ReactNode } from 'react';
import { problemText, type Problem } from './problem.ts';
import { copyText } from './copy-text.ts';
import { FailureHelp } from './failure-help.tsx';
import { Icon } from './icons.tsx';
import { Button } from './buttons.tsx';

/** Shows a problem in place: the message, the remedy, details on demand, and possible actions. */
export function ProblemView({ problem, children }: { problem: Problem; children?: ReactNode }): ReactElement {
  return (
    <div className="problem" role="alert">
      <Icon name="warning" />
      <div className="problem-text">
        <p>{problem.message}</p>
        {problem.remedy !== null && <p>{problem.remedy}</p>}
        <FailureHelp code={problem.code} />
        {problem.details !== null && (
          <details>
            <summary>Details</summary>
            <pre>{problem.details}</pre>
          </details>
        )}
        <div className="problem-actions">
          {children}
          <Button onClick={() => void copyText(problemText(problem))}>
            <Icon name="copy" />
            Copy details
          </Button>
        </div>
      </div>
    </div>
  );
}
