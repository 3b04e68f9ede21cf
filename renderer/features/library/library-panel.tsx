import { Fragment, memo, useMemo, useRef, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { captureMatcher } from '#core/contract/match-capture.ts';
import type { CaptureDocument, RecordingStatus } from '#core/contract/schemas.ts';
import { CompareTray } from '../experiments/compare-tray.tsx';
import { ExperimentsList } from '../experiments/experiments-list.tsx';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { clock } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { usePart } from '../../ui/parts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { usePreference } from '../../state/appearance.ts';
import { MenuButton } from '../../ui/menu/menu-button.tsx';
import { isOver, recordingName } from '../../state/recording-actions.ts';
import { TargetsList } from '../targets/targets-list.tsx';
import { shownNames, type ShownName } from '../../state/capture-name.ts';
import { CaptureRow } from './capture-row.tsx';
import { DamagedRows } from '../../ui/lists/damaged-rows.tsx';
import { MoreRows } from '../../ui/lists/more-rows.tsx';
import {
  firstGroups,
  foldLoads,
  groupCaptures,
  nameWithinLoad,
  runNumber,
  sectionsByTag,
  sortGroups,
  type LibrarySort,
  type LibraryGroup,
} from '../../state/group-captures.ts';
import { RenameField } from './rename-field.tsx';
import { SelectionBar } from './selection.tsx';
import { SeriesRow } from './series-row.tsx';
import { Button, IconButton } from '../../ui/buttons.tsx';

/** The library panel: captures, targets, and Record…. */
export function LibraryPanel(): ReactElement {
  const { library, showDialog } = useWorkbench();
  const panel = useRef<HTMLElement>(null);
  usePart('library', panel);
  const recordKeys = useKeymap().textOf('record.show');
  const captures = useWorkbenchState((state) => state.captures);
  const query = useWorkbenchState((state) => state.libraryQuery);
  const damaged = useWorkbenchState((state) => state.damaged);
  const problem = useWorkbenchState((state) => state.libraryProblem);
  const isRead = useWorkbenchState((state) => state.isLibraryRead);
  const found = useMemo(() => captures?.filter(captureMatcher(query)) ?? [], [captures, query]);
  const names = useMemo(() => shownNames(captures ?? []), [captures]);
  const samples = useMemo(() => found.filter((capture) => capture.origin === 'sample'), [found]);
  const own = useMemo(() => found.filter((capture) => capture.origin !== 'sample'), [found]);
  return (
    <nav ref={panel} className="sidebar" aria-label="Library and targets">
      <div className="sidebar-search field">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search the library"
          placeholder="Search the library"
          value={query}
          onChange={(event) => library.search(event.target.value)}
        />
      </div>
      <div className="sidebar-lists">
        <Recordings />
        <ExperimentsList />
        <div className="sidebar-head">
          <h2>Library</h2>
          <SortButton />
          <IconButton icon="trash" label="Trash" onClick={() => showDialog({ kind: 'trash' })} />
        </div>
        {problem !== null && <ProblemView problem={problem} />}
        <Groups captures={own} names={names} hasTags />
        {!isRead && <p className="sidebar-hint">Reading the library…</p>}
        {captures !== null && isRead && own.length === 0 && (
          <p className="sidebar-hint">
            {query === '' ? 'Captures that you record or keep appear here.' : 'Nothing in the library matches.'}
          </p>
        )}
        <DamagedRows rows={damaged} onDelete={(row) => void library.trashBroken(row)} />
        {samples.length > 0 && <h2>Samples</h2>}
        <Groups captures={samples} names={names} />
        <TargetsList />
      </div>
      <SelectionBar />
      <CompareTray />
      <Button className="large record-button" onClick={() => showDialog({ kind: 'record' })}>
        Record… {recordKeys !== null && <kbd>{recordKeys}</kbd>}
      </Button>
    </nav>
  );
}

const SORTS: readonly (readonly [LibrarySort, string])[] = [
  ['newest', 'Newest first'],
  ['name', 'By name'],
  ['largest', 'Largest first'],
  ['tag', 'By tag'],
];

function SortButton(): ReactElement {
  const { preferences } = useWorkbench();
  const sort = usePreference('librarySort');
  const name = SORTS.find(([one]) => one === sort)?.[1] ?? '';
  const items = SORTS.map(([one, label]) => ({
    label,
    checked: one === sort,
    run: () => preferences.set({ librarySort: one }),
  }));
  return (
    <MenuButton
      className="icon-button"
      aria-label="Sort the library"
      title={`Sort the library: ${name.toLowerCase()}`}
      gapPx={2}
      menuTitle="Sort the library"
      groups={() => [items]}
    >
      <Icon name="granularity" />
    </MenuButton>
  );
}

interface GroupsProps {
  readonly captures: readonly CaptureDocument[];
  readonly names: ReadonlyMap<string, ShownName>;
  /** Lists captures below their tags if the user chose so. */
  readonly hasTags?: true;
}

/** Number of rows that are shown at once; as many follow when the last one comes into view. */
const ROWS = 100;

function Groups({ captures, names, hasTags }: GroupsProps): ReactElement {
  const sort = usePreference('librarySort');
  const [count, setCount] = useState(ROWS);
  const sections = useMemo(() => {
    const groups = sortGroups(foldLoads(groupCaptures(captures, names)), sort);
    return sort === 'tag' && hasTags === true ? sectionsByTag(groups) : [{ tag: null, groups }];
  }, [captures, names, sort, hasTags]);
  const { shown, hidden } = firstGroups(sections, count);
  return (
    <>
      {shown.map(({ tag, groups }) => (
        <Fragment key={tag}>
          {tag !== null && <TagHeading tag={tag} />}
          <ul>
            {groups.map((group) => (
              <GroupRows key={group.id} group={group} shown={names.get(group.captures[0]!.id) ?? null} />
            ))}
          </ul>
        </Fragment>
      ))}
      <MoreRows hidden={hidden} onMore={() => setCount(count + ROWS)} />
    </>
  );
}

/** The heading of a group: a tag, which can be renamed, or no tag. */
function TagHeading({ tag }: { tag: string }): ReactElement {
  const { library } = useWorkbench();
  const [renaming, setRenaming] = useState(false);
  const name = visibleText(tag);
  if (renaming) {
    return (
      <RenameField
        label={`New name of the tag ${name}`}
        name={tag}
        maxLength={100}
        onRename={(next) => void library.renameTag(tag, next.replaceAll(',', ' '))}
        onDone={() => setRenaming(false)}
      />
    );
  }
  return (
    <div className="tag-head">
      <h3>{tag === '' ? 'No tag' : name}</h3>
      {tag !== '' && (
        <IconButton
          icon="pen"
          label={`Rename the tag ${name}`}
          title="Rename this tag"
          onClick={() => setRenaming(true)}
        />
      )}
    </div>
  );
}

/** `shown` is the name of a capture that is alone. */
const GroupRows = memo(function GroupRows({
  group,
  shown,
}: {
  group: LibraryGroup;
  shown: ShownName | null;
}): ReactElement {
  const [open, setOpen] = useState(false);
  const only = group.captures[0]!;
  if (!group.isSeries)
    return <CaptureRow capture={only} shown={shown ?? { name: only.name, mark: null }} indented={false} />;
  return (
    <>
      <SeriesRow group={group} open={open} onToggle={() => setOpen(!open)} />
      {open &&
        group.captures.map((capture) => (
          <CaptureRow
            key={capture.id}
            capture={capture}
            shown={{ name: runName(group, capture), mark: null }}
            indented
          />
        ))}
    </>
  );
});

function runName(group: LibraryGroup, capture: CaptureDocument): string {
  if (group.isLoad) return nameWithinLoad(capture);
  return capture.series === null ? capture.name : `run ${runNumber(group, capture)}`;
}

function Recordings(): ReactElement | null {
  const { showDialog } = useWorkbench();
  const recordings = useWorkbenchState((state) => state.recordings);
  const captures = useWorkbenchState((state) => state.captures);
  const running = [...recordings.values()].filter((status: RecordingStatus) => !isOver(status));
  if (running.length === 0) return null;
  return (
    <>
      <h2>Recording</h2>
      <ul>
        {running.map((status) => (
          <li key={status.recordingId}>
            <button
              type="button"
              className="side-row"
              onClick={() => showDialog({ kind: 'recording', recordingId: status.recordingId })}
            >
              <span className="dot live" />
              <span className="sr-only">recording</span>
              <span className="ellipsis">
                {status.runs > 1 && `${status.run + 1} of ${status.runs} · `}
                {visibleText(recordingName(status, captures))}
              </span>
              <small className="mono">{clock(status.elapsedMs)}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
