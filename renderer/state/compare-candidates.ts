import { groupCaptures, groupSize, type CaptureGroup } from './group-captures.ts';
import type { ProfileTab } from './profile/tab.ts';
import type { TabActions } from './opening/actions.ts';
import { asProfileTab } from './tabs/open-tab.ts';
import { tabTitle } from './tab-title.ts';
import type { WorkbenchState } from './workbench-state.ts';
import type { CompareInput } from './compare/compare.types.ts';

/** What an open profile can be compared with. */
export interface CompareCandidate {
  readonly key: string;
  readonly name: string;
  /** The group in the library; null for a tab whose profile is not there. */
  readonly group: CaptureGroup | null;
  readonly isOpen: boolean;
  readonly inputs: () => readonly CompareInput[];
}

interface Candidates {
  /** The group of the tab's own capture; null if it is not in the library. */
  readonly own: CaptureGroup | null;
  readonly candidates: readonly CompareCandidate[];
}

/**
 * Returns the other tabs and captures, each capture once: one that is open stands among the tabs, which come first. A
 * run of a series represents the whole series.
 */
export function compareCandidates(
  { tabs: open, captures }: Pick<WorkbenchState, 'tabs' | 'captures'>,
  tab: ProfileTab,
  tabs: Pick<TabActions, 'captureInput' | 'tabInput'>,
): Candidates {
  const groups = groupCaptures(captures ?? []);
  const groupOf = (one: ProfileTab): CaptureGroup | null =>
    groups.find((group) => group.captures.some(({ id }) => id === one.store.get().captureId)) ?? null;
  const own = groupOf(tab);
  const profiles = open.flatMap((one) => asProfileTab(one) ?? []);
  const opened = new Set(profiles.flatMap((one) => groupOf(one) ?? []));
  const foreign = profiles
    .filter((one) => one !== tab && groupOf(one) === null)
    .map((one): CompareCandidate => ({
      key: one.id,
      name: tabTitle(one, captures),
      group: null,
      isOpen: true,
      inputs: () => [tabs.tabInput(one)],
    }));
  const listed = groups
    .filter((group) => group !== own)
    .map((group): CompareCandidate => ({
      key: group.id,
      name: group.name,
      group,
      isOpen: opened.has(group),
      inputs: () => {
        // The tab may read the file in another format.
        const shown = profiles.find((one) => !group.isSeries && groupOf(one) === group);
        if (shown !== undefined) return [tabs.tabInput(shown)];
        return group.captures.map(({ id, primaryFile }) => tabs.captureInput(id, primaryFile));
      },
    }));
  const all = [...foreign, ...listed];
  return { own, candidates: [...all.filter(({ isOpen }) => isOpen), ...all.filter(({ isOpen }) => !isOpen)] };
}

/** Returns `after · 5 runs` for a series, else null. */
export const seriesText = ({ group }: CompareCandidate): string | null =>
  group?.isSeries === true ? groupSize(group) : null;
