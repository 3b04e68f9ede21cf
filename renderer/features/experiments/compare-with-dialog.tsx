import { useCallback, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { CompareInput } from '../../state/compare/compare.types.ts';
import { groupCaptures, groupSize } from '../../state/group-captures.ts';
import type { CaptureGroup } from '../../state/group-captures.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { dateAndTime } from '../../ui/format.ts';
import { SearchedList } from '../../ui/lists/searched-list.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { tabTitle } from '../../state/tab-title.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import type { SideName } from '../../analysis/comparison/protocol.ts';
import './experiments.css';

interface Candidate {
  readonly key: string;
  readonly name: string;
  readonly where: string;
  readonly inputs: () => readonly CompareInput[];
}

/** Chooses another tab or a capture of the library to compare with an open profile. */
export function CompareWithDialog({ tab }: { tab: ProfileTab }): ReactElement {
  const { tabs, showDialog } = useWorkbench();
  const [side, setSide] = useState<SideName>('before');
  const captures = useWorkbenchState((state) => state.captures);
  const open = useWorkbenchState((state) => state.tabs);
  const { captureId } = tab.store.get();
  const groups = useMemo(() => groupCaptures(captures ?? []), [captures]);
  // A run of a series represents the whole series.
  const own = groups.find((group) => group.captures.some(({ id }) => id === captureId)) ?? null;
  const candidates = useMemo((): Candidate[] => {
    const inputs = (group: CaptureGroup): CompareInput[] =>
      group.captures.map(({ id, primaryFile }) => tabs.captureInput(id, primaryFile));
    const others = open.flatMap((one): Candidate[] =>
      one.kind === 'profile' && one !== tab
        ? [{ key: one.id, name: tabTitle(one, captures), where: 'open', inputs: () => [tabs.tabInput(one)] }]
        : [],
    );
    return [
      ...others,
      ...groups
        .filter((group) => group !== own)
        .map((group) => ({
          key: group.id,
          name: group.name,
          where: group.isSeries ? groupSize(group) : dateAndTime(group.captures[0]!.createdAt),
          inputs: () => inputs(group),
        })),
    ];
  }, [captures, groups, open, own, tab, tabs]);
  const find = useCallback(
    (query: string) => candidates.filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase())),
    [candidates],
  );
  const close = (): void => {
    showDialog(null);
  };
  const take = ({ inputs }: Candidate): void => {
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
            label={side === 'before' ? 'What is after' : 'What is before'}
            search={{ label: 'Search tabs and captures', placeholder: 'Search tabs and captures' }}
            find={find}
            visibleRows={Math.min(10, candidates.length)}
            isChosen={() => false}
            onToggle={take}
            onTake={take}
            onClick={take}
          >
            {({ name, where }) => (
              <>
                <span className="ellipsis">{visibleText(name.slice(0, 300))}</span>
                <small>{where}</small>
              </>
            )}
          </SearchedList>
        )}
      </div>
    </Dialog>
  );
}
