import { useMemo, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { compareSweeps } from '#core/load/compare-sweeps.ts';
import { capturesAt, capturesToCompare } from '#core/load/components.ts';
import { stepTitle } from '#core/load/load-text.ts';
import { kneeOf } from '#core/load/sweep.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { countOf } from '../../ui/format.ts';
import type { ShownSweep } from './sweeps-view.tsx';
import { Button } from '../../ui/buttons.tsx';

interface StepProfilesProps {
  readonly shown: readonly ShownSweep[];
}

/** A button per step that opens its captures, or compares those of one component; the knee comes first. */
export function StepProfiles({ shown }: StepProfilesProps): ReactElement | null {
  const { experiments, library } = useWorkbench();
  const captures = useWorkbenchState((state) => state.captures) ?? [];
  const steps = useMemo(() => stepsOf(shown), [shown]);
  const known = (ids: readonly { readonly id: string }[]): CaptureDocument[] =>
    ids.flatMap(({ id }) => captures.find((one) => one.id === id) ?? []);
  const found = steps
    .map((step) => ({ ...step, own: known(step.own), other: step.other && known(step.other) }))
    .filter(({ own, other }) => own.length > 0 && other?.length !== 0);
  if (found.length === 0) return null;
  return (
    <p className="load-profiles">
      <span>{shown.length < 2 ? 'Profiles' : 'Compare profiles'} at</span>
      {found.map(({ concurrency, name, own, other }) => (
        <Button
          key={concurrency}
          title={
            other === null
              ? countOf(own.length, 'capture')
              : `${name === null ? '' : `${visibleText(name)}: `}${own.length} before, ${other.length} after`
          }
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

interface RecordedStep {
  readonly concurrency: number;
  /** The component that is compared; null: all. */
  readonly name: string | null;
  readonly own: readonly { readonly id: string }[];
  /** Null: nothing is compared. */
  readonly other: readonly { readonly id: string }[] | null;
}

function stepsOf([before, after]: readonly ShownSweep[]): RecordedStep[] {
  if (before === undefined) return [];
  const steps = recordedSteps(before);
  if (after === undefined) {
    return steps.map((at) => ({ concurrency: at, name: null, own: capturesAt(before.runs, at), other: null }));
  }
  const comparison = compareSweeps(before.sweep, after.sweep);
  return steps.map((at) => {
    const found = capturesToCompare(comparison, { before: before.runs, after: after.runs }, at);
    return { concurrency: at, name: found.name, own: found.before, other: found.after };
  });
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
