import type { ReactElement } from 'react';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { stepTitle } from '#core/load/load-text.ts';
import { kneeOf } from '#core/load/sweep.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { countOf } from '../../ui/format.ts';
import type { ShownSweep } from './sweeps-view.tsx';
import { Button } from '../../ui/buttons.tsx';

interface StepProfilesProps {
  readonly shown: readonly ShownSweep[];
}

/** A button per step that opens or compares its captures; the knee comes first. */
export function StepProfiles({ shown }: StepProfilesProps): ReactElement | null {
  const { experiments, library } = useWorkbench();
  const captures = useWorkbenchState((state) => state.captures) ?? [];
  const [before, after] = shown;
  if (before === undefined) return null;
  const at = (side: ShownSweep, concurrency: number): CaptureDocument[] =>
    capturesAt(side, concurrency).flatMap((id) => captures.find((one) => one.id === id) ?? []);
  const steps = recordedSteps(before).flatMap((concurrency) => {
    const own = at(before, concurrency);
    const other = after === undefined ? null : at(after, concurrency);
    return own.length === 0 || other?.length === 0 ? [] : [{ concurrency, own, other }];
  });
  if (steps.length === 0) return null;
  return (
    <p className="load-profiles">
      <span>{after === undefined ? 'Profiles' : 'Compare profiles'} at</span>
      {steps.map(({ concurrency, own, other }) => (
        <Button
          key={concurrency}
          title={other === null ? countOf(own.length, 'capture') : `${own.length} before, ${other.length} after`}
          onClick={() => {
            if (other === null) void library.open(own.map(({ id }) => id));
            else experiments.compare(own, other);
          }}
        >
          {stepTitle({ concurrency }, 'en')}
        </Button>
      ))}
    </p>
  );
}

/** Returns the steps with captures, the knee first. */
function recordedSteps({ sweep, runs }: ShownSweep): number[] {
  const knee = kneeOf(sweep)?.concurrency;
  const steps = new Set(
    runs.flatMap(({ captures, result }) =>
      captures === undefined || result.concurrency === null ? [] : [result.concurrency],
    ),
  );
  return [...steps].sort((a, b) => Number(b === knee) - Number(a === knee) || a - b);
}

const capturesAt = ({ runs }: ShownSweep, concurrency: number): string[] =>
  runs.flatMap(({ captures = [], result }) => (result.concurrency === concurrency ? captures.map(({ id }) => id) : []));
