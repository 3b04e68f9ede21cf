import { useId, type ReactElement } from 'react';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { ReportChoice } from '../../analysis/profile/report/report-protocol.ts';
import { openForReport } from '../../state/reports/open-for-report.ts';
import { withoutCapture, type ReportSource } from '../../state/reports/report-actions.ts';
import { analysedTabs, type AnalysedTab } from '../../state/tabs/open-tab.ts';
import { tabTitle } from '../../state/tab-title.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { IconButton } from '../../ui/buttons.tsx';

const NO_CAPTURES: readonly CaptureDocument[] = [];

/** Chooses the subject of the report: an open tab, or a capture or experiment of the library, which is then opened. */
export function SubjectField({ tab }: { readonly tab: AnalysedTab }): ReactElement {
  const workbench = useWorkbench();
  const id = useId();
  const tabs = analysedTabs(useWorkbenchState((state) => state.tabs));
  const captures = useWorkbenchState((state) => state.captures) ?? NO_CAPTURES;
  const experiments = useWorkbenchState((state) => state.experiments);
  const choose = (value: string): void => {
    const chosen = tabs.find((one) => one.id === value);
    if (chosen !== undefined) workbench.showDialog({ kind: 'report', tab: chosen });
    else void openForReport(workbench, value);
  };
  return (
    <>
      <label htmlFor={id}>About</label>
      <select id={id} value={tab.id} onChange={(event) => choose(event.target.value)}>
        <optgroup label="Open">
          {tabs.map((one) => (
            <option key={one.id} value={one.id}>
              {tabTitle(one, captures)}
            </option>
          ))}
        </optgroup>
        <optgroup label="Experiments">
          {(experiments ?? []).map(({ experiment }) => (
            <option key={experiment.id} value={experiment.id}>
              {experiment.name}
            </option>
          ))}
        </optgroup>
        <optgroup label="Captures">
          {captures.map((capture) => (
            <option key={capture.id} value={capture.id}>
              {capture.name}
            </option>
          ))}
        </optgroup>
      </select>
    </>
  );
}

interface MoreCapturesProps {
  readonly choice: ReportChoice;
  readonly add: NonNullable<ReportSource['add']>;
  readonly onChoice: (choice: ReportChoice) => void;
  readonly onProblem: (error: unknown) => void;
}

/** Captures of the library that the report shows after the tab's own. */
export function MoreCaptures({ choice, add, onChoice, onProblem }: MoreCapturesProps): ReactElement | null {
  const captures = useWorkbenchState((state) => state.captures) ?? NO_CAPTURES;
  if (captures.length === 0) return null;
  return (
    <fieldset className="report-captures">
      <legend>Captures</legend>
      <ul aria-label="Captures of the report">
        {choice.captures.map(({ name }, place) => (
          // A capture can be added twice, so the key includes the position.
          <li key={`${place} ${name}`} className="report-section">
            <span className="ellipsis">{name}</span>
            {place > 0 && (
              <IconButton
                icon="close"
                label={`Remove ${name}`}
                onClick={() => onChoice(withoutCapture(choice, place))}
              />
            )}
          </li>
        ))}
      </ul>
      <select
        aria-label="Add a capture"
        value=""
        onChange={(event) => {
          const capture = captures.find(({ id }) => id === event.target.value);
          if (capture !== undefined) add(choice, capture).then(onChoice, onProblem);
        }}
      >
        <option value="">Add a capture…</option>
        {captures.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </fieldset>
  );
}
