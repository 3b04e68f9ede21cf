import type { ReactElement } from 'react';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { ReportChoice } from '../../analysis/profile/report/report-protocol.ts';
import { openForReport } from '../../state/reports/open-for-report.ts';
import { withoutCapture, type ReportSource } from '../../state/reports/report-actions.ts';
import { analysedTabs, type AnalysedTab } from '../../state/tabs/open-tab.ts';
import { tabTitle } from '../../state/tab-title.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { IconButton } from '../../ui/buttons.tsx';
import { Select } from '../../ui/fields/select.tsx';

const NO_CAPTURES: readonly CaptureDocument[] = [];

/** Chooses the subject of the report: an open tab, or a capture or experiment of the library, which is then opened. */
export function SubjectField({ tab }: { readonly tab: AnalysedTab }): ReactElement {
  const workbench = useWorkbench();
  const tabs = analysedTabs(useWorkbenchState((state) => state.tabs));
  const captures = useWorkbenchState((state) => state.captures) ?? NO_CAPTURES;
  const experiments = useWorkbenchState((state) => state.experiments);
  const choose = (value: string): void => {
    const chosen = tabs.find((one) => one.id === value);
    if (chosen !== undefined) workbench.showDialog({ kind: 'report', tab: chosen });
    else void openForReport(workbench, value);
  };
  return (
    <label>
      About
      <Select
        name="About"
        value={tab.id}
        options={[
          ...tabs.map((one) => ({ value: one.id, label: tabTitle(one, captures), heading: 'Open' })),
          ...(experiments ?? []).map(({ experiment: { id, name } }) => ({
            value: id,
            label: name,
            heading: 'Experiments',
          })),
          ...captures.map(({ id, name }) => ({ value: id, label: name, heading: 'Captures' })),
        ]}
        onChange={choose}
      />
    </label>
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
      <Select
        name="Add a capture"
        value=""
        options={[
          { value: '', label: 'Add a capture…' },
          ...captures.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(value) => {
          const capture = captures.find(({ id }) => id === value);
          if (capture !== undefined) add(choice, capture).then(onChoice, onProblem);
        }}
      />
    </fieldset>
  );
}
