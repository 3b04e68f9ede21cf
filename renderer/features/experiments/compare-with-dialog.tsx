import { useCallback, useMemo, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { compareCandidates, seriesText, type CompareCandidate } from '../../state/compare-candidates.ts';
import { groupSize } from '../../state/group-captures.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { dateAndTime } from '../../ui/format.ts';
import { SearchedList } from '../../ui/lists/searched-list.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { tabTitle } from '../../state/tab-title.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import './experiments.css';
import { otherSide, type Side } from '#core/contract/side.ts';

/** Chooses another tab or a capture of the library to compare with an open profile. */
export function CompareWithDialog({ tab }: { tab: ProfileTab }): ReactElement {
  const { tabs, showDialog } = useWorkbench();
  const [side, setSide] = useState<Side>('before');
  const captures = useWorkbenchState((state) => state.captures);
  const open = useWorkbenchState((state) => state.tabs);
  const { own, candidates } = useMemo(
    () => compareCandidates({ tabs: open, captures }, tab, tabs),
    [open, captures, tab, tabs],
  );
  const find = useCallback(
    (query: string) => candidates.filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase())),
    [candidates],
  );
  const close = (): void => showDialog(null);
  const take = ({ inputs }: CompareCandidate): void => {
    close();
    const mine =
      own === null
        ? [tabs.tabInput(tab)]
        : own.captures.map(({ id, primaryFile }) => tabs.captureInput(id, primaryFile));
    const other = inputs();
    tabs.compare({
      before: side === 'before' ? mine : other,
      after: side === 'before' ? other : mine,
    });
  };
  const title = visibleText((own?.name ?? tabTitle(tab, captures)).slice(0, 200));
  return (
    <Dialog title="Compare with" className="small-dialog" onClose={close}>
      <div className="dialog-body experiment-form">
        <div className="compare-with-side">
          <span className="ellipsis" title={title}>
            {title}
          </span>
          {own?.isSeries === true && <small>{groupSize(own)}</small>}
          <span className="caption">is</span>
          <Segments
            label={`Side of ${title}`}
            value={side}
            options={[
              { value: 'before', label: 'before' },
              { value: 'after', label: 'after' },
            ]}
            onChange={setSide}
          />
        </div>
        {candidates.length === 0 ? (
          <p className="faint-hint">There is nothing to compare with: open or record another profile first.</p>
        ) : (
          <SearchedList
            id="compare-with"
            label={`Captures for ${otherSide(side)}`}
            search={{ label: 'Search tabs and captures', placeholder: 'Search tabs and captures' }}
            find={find}
            visibleRows={Math.min(10, candidates.length)}
            isChosen={() => false}
            onToggle={take}
            onTake={take}
          >
            {(candidate) => (
              <>
                <span className="ellipsis">{visibleText(candidate.name.slice(0, 300))}</span>
                <small>{whereText(candidate)}</small>
              </>
            )}
          </SearchedList>
        )}
      </div>
    </Dialog>
  );
}

/** Returns `open`, `after · 5 runs`, or the time of a capture. */
function whereText(candidate: CompareCandidate): string {
  const { group, isOpen } = candidate;
  const what = seriesText(candidate) ?? (group === null ? null : dateAndTime(group.captures[0]!.createdAt));
  return [isOpen ? 'open' : null, what].filter((part) => part !== null).join(' · ');
}
