import type { JSX, KeyboardEvent } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { TopMovers } from '#core/compare/top-movers.ts';
import { useCompare, useCompareState } from '../../state/compare/context.ts';
import type { CompareTab } from '../../state/compare/compare.types.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { Workbench } from '../../state/workbench.ts';
import './guide.css';
import { Button, LinkButton } from '../../ui/buttons.tsx';

interface Step {
  /** Names the outlined part, in guide.css. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Does what the text says. */
  readonly act?: {
    readonly label: string;
    readonly run: (workbench: Workbench, tab: CompareTab, top: TopMovers) => void;
  };
}

const STEPS: readonly Step[] = [
  {
    id: 'answer',
    title: 'Read the answer',
    text: 'Five runs of a page server before a fix, five after it. One sentence says what changed in all, and which functions.',
  },
  {
    id: 'movers',
    title: 'Select the largest change',
    text: 'Press match_route: both graphs and the table show where it was. After the fix it is gone.',
    act: {
      label: 'Select it',
      run: (_workbench, tab, { movers: [largest] }) => {
        if (largest !== undefined) tab.pick({ func: largest.func as FunctionIndex, node: null });
      },
    },
  },
  {
    id: 'trust',
    title: 'Check what it rests on',
    text: 'This chip has the runs, circumstances and warnings. Press it for each run’s total, the test and the formula.',
  },
  {
    id: 'report',
    title: 'Save the finding',
    text: 'A report is one HTML file. It opens in any browser, without Flamebench.',
    act: { label: 'Report…', run: ({ showDialog }, tab) => showDialog({ kind: 'report', tab }) },
  },
];

/** The steps of the guided comparison; nothing in other comparisons. Escape in it leaves it. */
export function Guide({ top }: { readonly top: TopMovers | null }): JSX.Element | null {
  const workbench = useWorkbench();
  const tab = useCompare();
  const at = useCompareState((state) => state.guideStep);
  const step = at === null ? undefined : STEPS[at];
  if (at === null || step === undefined) return null;
  const { act } = step;
  const isLast = at === STEPS.length - 1;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') tab.guide(null);
  };
  return (
    <section className="guide" aria-label="First minute" data-step={step.id}>
      <p role="status">
        <span className="guide-step">
          {at + 1} of {STEPS.length}
        </span>{' '}
        <b>{step.title}.</b> {step.text}
      </p>
      {act !== undefined && (
        <Button
          disabled={top === null}
          onKeyDown={onKeyDown}
          onClick={() => {
            if (top !== null) act.run(workbench, tab, top);
          }}
        >
          {act.label}
        </Button>
      )}
      <Button disabled={at === 0} onKeyDown={onKeyDown} onClick={() => tab.guide(at - 1)}>
        Back
      </Button>
      <Button className="primary" onKeyDown={onKeyDown} onClick={() => tab.guide(isLast ? null : at + 1)}>
        {isLast ? 'Done' : 'Next'}
      </Button>
      {!isLast && (
        <LinkButton onKeyDown={onKeyDown} onClick={() => tab.guide(null)}>
          Leave
        </LinkButton>
      )}
    </section>
  );
}
