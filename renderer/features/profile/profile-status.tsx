import { showDetails } from '../../state/window-fit.ts';
import type { ReactElement } from 'react';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { FormatSelect } from './format-select.tsx';
import { ProfileContext } from '../../state/profile/context.ts';
import { useQualityWarning } from './quality-chip.tsx';
import { useStore } from '../../state/store.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import type { ProfileView } from '../../state/profile/view.ts';
import type { Analysis, OpenedProfile } from '../../analysis/profile/protocol.ts';
import { count, countOf, format } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';

/** Facts about the active profile in the status bar. */
export function ProfileStatus({ tab }: { tab: ProfileTab }): ReactElement | null {
  const view = useStore(tab.store, (state) => state.activeView);
  return view === null ? null : <ViewFacts tab={tab} view={view} />;
}

interface FactsProps {
  readonly tab: ProfileTab;
  readonly view: ProfileView;
}

function ViewFacts({ tab, view }: FactsProps): ReactElement | null {
  const { preferences } = useWorkbench();
  const captureId = useStore(tab.store, (state) => state.captureId);
  const analysis = useStore(view.store, (state) => state.analysis);
  const valueType = useStore(view.store, (state) => state.selection.valueType);
  const capture = useWorkbenchState((all) => all.captures?.find((one) => one.id === captureId) ?? null);
  const warning = useQualityWarning(tab);
  const { profile } = view;
  if (analysis === null) return null;
  const diagnostics = profile.diagnostics.length + (capture?.diagnostics.length ?? 0);
  const rate = rateAndEvent(profile, valueType, capture);
  return (
    <>
      {/* A row of a live session's older samples represents many; its bar counts them. */}
      {tab.live === null && <span className="mono">{samplesText(profile, analysis, valueType)}</span>}
      {rate !== '' && <span>{rate}</span>}
      {lostText(capture) !== null && <span>{lostText(capture)}</span>}
      <span>{format.share(analysis.unresolved, analysis.total)} unresolved</span>
      <span>{countOf(profile.threads.length, 'thread')}</span>
      {tab.live === null && (
        <ProfileContext value={tab}>
          <FormatSelect caption="read as" />
        </ProfileContext>
      )}
      <button type="button" className="status-button" onClick={() => showDetails(preferences, 'diagnostics')}>
        {(diagnostics > 0 || warning !== null) && <Icon name="warning" />}
        {diagnostics > 0 ? countOf(diagnostics, 'diagnostic') : (warning?.status ?? 'no diagnostics')}
      </button>
    </>
  );
}

/**
 * Returns the number of samples. Formats that count instead of listing samples (folded) have a value type for the
 * count, and one of their rows represents many samples.
 */
function samplesText(profile: OpenedProfile, analysis: Analysis, valueType: number): string {
  if (profile.valueTypes[valueType]?.type === 'samples') return countOf(analysis.total, 'sample');
  if (analysis.sampleCount === profile.sampleCount) return countOf(profile.sampleCount, 'sample');
  return `${count(analysis.sampleCount)} of ${countOf(profile.sampleCount, 'sample')}`;
}

function lostText(capture: CaptureDocument | null): string | null {
  const lost = capture?.lostSamples ?? null;
  return lost === null ? null : `${count(lost)} lost`;
}

function rateAndEvent(profile: OpenedProfile, valueType: number, capture: CaptureDocument | null): string {
  const hertz = profile.metadata.rateHz ?? capture?.rateHz ?? null;
  const event = profile.valueTypes[valueType]?.type ?? capture?.event ?? null;
  return [hertz === null ? null : `${count(hertz)} Hz`, event].filter((part) => part !== null).join(' · ');
}
