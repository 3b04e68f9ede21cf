import { useEffect, useState, type ReactElement } from 'react';
import type { Result } from '#core/contract/contract.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { Problem } from '../../ui/problem.ts';
import { toProblem } from '../../state/problem.ts';
import './restart-offer.css';
import { Button } from '../../ui/buttons.tsx';
import { takeAnswer } from '../../ui/take-answer.ts';

interface RestartOfferProps {
  readonly recordingId: string;
  readonly message: string;
  /** Label of the button. */
  readonly label: string;
}

/**
 * Finding of a recording's first second, with the button that restarts it with the correction, running exactly the
 * commands shown.
 */
export function RestartOffer({ recordingId, message, label }: RestartOfferProps): ReactElement {
  const { engine, recording } = useWorkbench();
  const [plan, setPlan] = useState<Result<'record.plan'> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [starting, setStarting] = useState(false);
  useEffect(
    () =>
      takeAnswer(engine.call('record.planRestart', { recordingId }), setPlan, (error) => setProblem(toProblem(error))),
    [engine, recordingId],
  );
  const confirmation = plan?.confirmation ?? null;
  const restart = async (): Promise<void> => {
    if (confirmation === null) return;
    setStarting(true);
    try {
      await recording.start(confirmation);
    } catch (error) {
      setProblem(toProblem(error));
      setStarting(false);
    }
  };
  return (
    <section className="plan restart-offer" role="alert" aria-label="Truncated stacks">
      <p>{message}</p>
      {plan !== null && <pre className="mono">{plan.hosts.flatMap(({ lines }) => lines).join('\n')}</pre>}
      {problem !== null && <ProblemView problem={problem} />}
      <Button className="large primary" disabled={confirmation === null || starting} onClick={() => void restart()}>
        {label}
      </Button>
    </section>
  );
}
