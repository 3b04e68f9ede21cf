import { showDetails } from '../../state/window-fit.ts';
import type { ReactElement } from 'react';
import { describeQuality } from '#core/model/quality-grade.ts';
import { qualitySentence } from '#core/model/quality-sentence.ts';
import { SCANT_SAMPLES } from '#core/model/share-error.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import { useStore } from '../../state/store.ts';
import { tabQuality } from '../../state/tab-title.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';

/** Why a capture's numbers can't be trusted, in the head: the rule it breaks or how few samples it has. */
export function QualityChip({ tab }: { tab: ProfileTab }): ReactElement | null {
  const { preferences } = useWorkbench();
  const warning = useQualityWarning(tab);
  if (warning === null) return null;
  return (
    <button
      type="button"
      className="quality-chip"
      title={[warning.sentence, warning.remedy].filter((text) => text !== null).join('\n')}
      onClick={() => showDetails(preferences, 'diagnostics')}
    >
      <Icon name="warning" />
      <span className="ellipsis">{warning.short}</span>
    </button>
  );
}

interface QualityWarning {
  /** Two words, for the status bar. */
  readonly status: string;
  readonly short: string;
  readonly sentence: string;
  readonly remedy: string | null;
}

/** Returns what is wrong with a poor capture or one of few samples; null for others and for live views. */
export function useQualityWarning(tab: ProfileTab): QualityWarning | null {
  const profile = useStore(tab.store, (state) => state.profile);
  const captureId = useStore(tab.store, (state) => state.captureId);
  const capture = useWorkbenchState((state) => state.captures?.find(({ id }) => id === captureId) ?? null);
  const quality = tabQuality(profile, capture);
  if (profile === null || quality === null || tab.live !== null) return null;
  const { sampleCount } = profile;
  const told = qualitySentence(quality, sampleCount);
  if (quality.grade === 'poor') return { status: 'quality poor', short: describeQuality(quality), ...told };
  if (sampleCount >= SCANT_SAMPLES) return null;
  return { status: 'few samples', short: `only ${countOf(sampleCount, 'sample')}`, ...told };
}
