import { memo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { recordedProgram } from '#core/contract/recorded-program.ts';
import { describeQuality } from '#core/model/quality-grade.ts';
import type { CaptureDocument, RecordingStatus } from '#core/contract/schemas.ts';
import { useComparing } from '../experiments/use-comparing.ts';
import { age, bytes, countOf, dateAndTime, format } from '../../ui/format.ts';
import { GradeBadge } from '../../ui/status/grade-badge.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { asProfileTab } from '../../state/tabs/open-tab.ts';
import { nameText, type ShownName } from '../../state/capture-name.ts';
import { isOver } from '../../state/recording-actions.ts';
import { RowMenu, useRowMenu } from '../../ui/menu/row-menu.tsx';
import { useCaptureMenu } from './capture-menu.ts';
import { RenameField } from './rename-field.tsx';
import { RowCheck, trashSelected, useSelecting } from './selection.tsx';
import { TagsDialog } from './tags-dialog.tsx';
import { trashRows } from './trash-rows.ts';

interface CaptureRowProps {
  readonly capture: CaptureDocument;
  readonly shown: ShownName;
  readonly indented: boolean;
}

/**
 * A row for a capture: click or Enter opens it, Ctrl-click and middle-click open it in a new tab, Shift-click selects up
 * to it, F2 renames, Delete moves it to the trash, right-click opens its menu. Of several selected captures, the last
 * two act on all.
 */
export const CaptureRow = memo(function CaptureRow({ capture, shown, indented }: CaptureRowProps): ReactElement {
  const name = nameText(shown);
  const workbench = useWorkbench();
  const { library, showDialog } = workbench;
  const [editing, setEditing] = useState<'name' | 'tags' | null>(null);
  const menu = useRowMenu();
  const row = useRef<HTMLButtonElement>(null);
  const isActive = useWorkbenchState(
    (state) => asProfileTab(state.tabs.find((tab) => tab.id === state.activeTab))?.store.get().captureId === capture.id,
  );
  const isSample = capture.origin === 'sample';
  const recordingId = useWorkbenchState((state) => runningRecording(state.recordings, capture.id));
  const isFixed = isSample || recordingId !== null;
  const open = (): void => {
    if (recordingId === null) void library.open([capture.id]);
    else showDialog({ kind: 'recording', recordingId });
  };
  const openNew = (): void => {
    if (recordingId === null) void library.openNew(capture.id);
    else open();
  };
  const selecting = useSelecting([capture]);
  const comparing = useComparing([capture]);
  const groups = useCaptureMenu({
    capture,
    recordingId,
    isFixed,
    open,
    openNew,
    selecting,
    comparing,
    edit: setEditing,
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === ' ' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      comparing.toggle();
      return;
    }
    if (selecting.onKeyDown(event)) return;
    if (event.key === 'Delete' && selecting.many.length > 0) trashSelected(workbench, selecting.many);
    else if (isFixed) return;
    else if (event.key === 'F2') setEditing('name');
    else if (event.key === 'Delete') void trashRows(workbench, [capture]);
    else return;
    event.preventDefault();
  };

  return (
    <li className={indented ? 'capture indented' : 'capture'}>
      {editing === 'name' ? (
        <RenameField
          label={`New name of ${capture.name}`}
          name={capture.name}
          onRename={(next) => void library.rename(capture.id, next)}
          onDone={() => {
            setEditing(null);
            setTimeout(() => row.current?.focus());
          }}
        />
      ) : (
        <button
          ref={row}
          type="button"
          className={['side-row', isActive ? 'on' : '', selecting.isSelected ? 'picked' : ''].join(' ').trim()}
          {...selecting.row}
          aria-current={isActive ? 'true' : undefined}
          title={captureFacts(capture)}
          {...(recordingId === null ? {} : { draggable: false })}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey) openNew();
            else if (!selecting.onClick(event)) open();
          }}
          onMouseDown={(event) => {
            // Otherwise the middle button starts to scroll.
            if (event.button === 1) event.preventDefault();
          }}
          onAuxClick={(event) => {
            if (event.button === 1) openNew();
          }}
          onKeyDown={onKeyDown}
          onContextMenu={menu.onContextMenu}
        >
          {recordingId !== null && <span className="dot live" />}
          <span className="ellipsis">{shown.name}</span>
          {shown.mark !== null && <span className="row-mark">{shown.mark}</span>}
          {comparing.side !== null && <span className="row-side">{comparing.side}</span>}
          <RowEnd capture={capture} />
        </button>
      )}
      <RowCheck label={`Select ${name}`} selecting={selecting} />
      <RowMenu
        title={selecting.many.length > 1 ? countOf(selecting.many.length, 'capture') : name}
        groups={selecting.many.length > 1 ? selecting.menu : groups}
        place={menu}
      />
      {editing === 'tags' && <TagsDialog captures={[capture]} onClose={() => setEditing(null)} />}
    </li>
  );
});

function runningRecording(recordings: ReadonlyMap<string, RecordingStatus>, captureId: string): string | null {
  for (const status of recordings.values()) {
    if (status.captureId === captureId && !isOver(status)) return status.recordingId;
  }
  return null;
}

function RowEnd({ capture }: { capture: CaptureDocument }): ReactElement {
  const now = useNow();
  const isSample = capture.origin === 'sample';
  const noteCount = useWorkbenchState((state) => state.noteCounts[capture.id] ?? 0);
  return (
    <span className="row-end">
      {noteCount > 0 && <small title={countOf(noteCount, 'note')}>{countOf(noteCount, 'note')}</small>}
      {capture.tags.length > 0 && !isSample && <span className="row-tag ellipsis">{capture.tags.join(' · ')}</span>}
      <GradeBadge quality={capture.quality} />
      {capture.state === 'failed' && <span className="badge danger">failed</span>}
      {capture.incomplete && capture.state !== 'failed' && <span className="badge warn">incomplete</span>}
      {!isSample && <small>{age(capture.createdAt, now)}</small>}
    </span>
  );
}

function captureFacts(capture: CaptureDocument): string {
  return [
    capture.name,
    recordedProgram(capture).command,
    capture.commit === undefined ? null : `commit ${capture.commit.slice(0, 12)}`,
    dateAndTime(capture.createdAt),
    capture.process === null ? null : `PID ${capture.process.pid} ${capture.process.name}`,
    capture.target === null ? null : `on ${capture.target.host}`,
    capture.event === null ? null : `${capture.event}${capture.rateHz === null ? '' : ` · ${capture.rateHz} Hz`}`,
    capture.durationMs === null ? null : format.value(capture.durationMs, 'milliseconds'),
    capture.samples === null ? null : countOf(capture.samples, 'sample'),
    bytes(capture.sizeBytes),
    capture.quality === undefined ? null : `quality ${describeQuality(capture.quality)}`,
    capture.tags.length === 0 ? null : `tags: ${capture.tags.join(', ')}`,
    capture.incomplete ? 'incomplete: the recording was interrupted; the data received is kept' : null,
  ]
    .filter((line) => line !== null)
    .join('\n');
}
