import { useState, type ReactElement } from 'react';
import type { Check } from '#core/contract/schemas.ts';
import { TRUST_CHECK } from '#core/contract/source.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { toProblem } from '../../state/problem.ts';
import { Button } from '../../ui/buttons.tsx';

interface TrustCaptureProps {
  readonly captureId: string;
  readonly checks: readonly Check[];
  readonly onTrusted: () => void;
}

/** Lets the user allow reading files that a capture from elsewhere names; hidden if no check requires it. */
export function TrustCapture({ captureId, checks, onTrusted }: TrustCaptureProps): ReactElement | null {
  const { engine } = useWorkbench();
  const [failure, setFailure] = useState<string | null>(null);
  if (!checks.some(({ id, status }) => id === TRUST_CHECK && status === 'failed')) return null;
  const trust = (): void => {
    engine.call('source.allow', { id: captureId, allowed: true }).then(onTrusted, (error: unknown) => {
      setFailure(toProblem(error).message);
    });
  };
  return (
    <div className="source-actions">
      <Button onClick={trust}>Trust this capture</Button>
      <span className="dim" role="status">
        {failure ?? 'Until Flamebench exits. Also shows the source files it names.'}
      </span>
    </div>
  );
}
