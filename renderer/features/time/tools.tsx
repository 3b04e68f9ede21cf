import type { TimeGap } from './use-time-data.ts';
import { useState, type ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { ShortcutId } from '../../ui/keys/shortcuts.ts';
import { useProfileTab, useView, useViewState } from '../../state/profile/context.ts';
import type { IconName } from '../../ui/icons.tsx';
import { usePart } from '../../ui/parts.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { onDemand } from '../../state/on-demand.tsx';
import { useStore } from '../../state/store.ts';
import { chosenRange, enterSelectedRange, leaveInnerRanges } from '../../ui/time/committed-ranges.ts';
import { pannedWindow, zoomedWindow } from '../../ui/time/time-scale.ts';
import { IconButton } from '../../ui/buttons.tsx';

const RangePopover = onDemand(() => import('./range-form.tsx').then((part) => part.RangePopover));
const MarksPopover = onDemand(() => import('./marks-form.tsx').then((part) => part.MarksPopover));

/** The open form of the tools. */
export type TimeTool = 'range' | 'marks';

interface TimeToolsProps {
  /** From the profile's first sample to its last. */
  readonly span: TimeRange;
  /** The range to select from, which a committed range may limit. */
  readonly whole: TimeRange;
  readonly window: TimeRange;
  readonly gaps: readonly TimeGap[];
  readonly open: TimeTool | null;
  readonly onOpen: (tool: TimeTool | null) => void;
}

const ZOOM_STEP = 2;

/** The tools to the left of the tracks: the form, the range as numbers, marks, and the zoom of the axis. */
export function TimeTools({ span, whole, window, gaps, open, onOpen }: TimeToolsProps): ReactElement {
  const view = useView();
  const form = useViewState((state) => state.time.form);
  const zoomed = useViewState((state) => state.time.window !== null);
  const markCount = useStore(
    useProfileTab().notes.store,
    (state) => state.notes.filter(({ anchor }) => anchor.kind === 'range').length,
  );
  const [rangeButton, setRangeButton] = useState<HTMLElement | null>(null);
  const [marksButton, setMarksButton] = useState<HTMLElement | null>(null);
  const close = (): void => onOpen(null);
  const zoom = (factor: number): void => {
    view.lookAtTime({ window: zoomedWindow(window, whole, (window.start + window.end) / 2, factor) });
  };
  usePart('time.range', null, () => onOpen('range'));
  usePart('time.marks', null, () => onOpen('marks'));
  const marksLabel = markCount === 0 ? 'Marks' : `Marks, ${markCount}`;
  return (
    <div className="time-tools" role="group" aria-label="Time">
      <Segments
        label="How time is drawn"
        value={form}
        options={[
          { value: 'strip', label: 'Strip', title: 'All samples over time' },
          { value: 'threads', label: 'Threads', title: 'A row for each thread' },
          { value: 'heat-map', label: 'Heat map', title: 'A column for each second, rows within it' },
        ]}
        onChange={(next) => view.lookAtTime({ form: next })}
      />
      <div className="time-buttons">
        <ToolButton
          icon="range"
          label="Time range as numbers"
          shortcut="time.range"
          set={setRangeButton}
          open={open === 'range'}
          onClick={() => onOpen('range')}
        />
        <ToolButton
          icon="flag"
          label={marksLabel}
          shortcut="time.mark"
          set={setMarksButton}
          open={open === 'marks'}
          onClick={() => onOpen('marks')}
        />
        <CommitButtons />
        <span className="time-buttons-end">
          {zoomed && (
            <ToolButton
              icon="arrow-left"
              label="Earlier"
              shortcut="time.earlier"
              onClick={() => view.lookAtTime({ window: pannedWindow(window, whole, -0.5) })}
            />
          )}
          {zoomed && (
            <ToolButton
              icon="arrow-right"
              label="Later"
              shortcut="time.later"
              onClick={() => view.lookAtTime({ window: pannedWindow(window, whole, 0.5) })}
            />
          )}
          <ToolButton
            icon="minus"
            label="Zoom out in time"
            shortcut="time.farther"
            disabled={!zoomed}
            onClick={() => zoom(ZOOM_STEP)}
          />
          <ToolButton icon="plus" label="Zoom in in time" shortcut="time.nearer" onClick={() => zoom(1 / ZOOM_STEP)} />
          <ToolButton
            icon="fit"
            label="All time"
            shortcut="time.whole"
            disabled={!zoomed}
            onClick={() => view.lookAtTime({ window: null })}
          />
        </span>
      </div>
      {open === 'range' && rangeButton !== null && <RangePopover anchor={rangeButton} span={span} onClose={close} />}
      {open === 'marks' && marksButton !== null && (
        <MarksPopover anchor={marksButton} whole={span} window={window} gaps={gaps} onClose={close} />
      )}
    </div>
  );
}

/** Enters the selected range, and leaves the innermost one. */
function CommitButtons(): ReactElement {
  const view = useView();
  const committed = useViewState((state) => state.committed);
  const timeRange = useViewState((state) => state.selection.timeRange);
  return (
    <>
      {chosenRange({ committed, timeRange }) !== null && (
        <ToolButton
          icon="zoom-in"
          label="Zoom into the range"
          shortcut="time.commit"
          onClick={() => view.commitTime(enterSelectedRange({ committed, timeRange }))}
        />
      )}
      {committed.length > 0 && (
        <ToolButton
          icon="zoom-out"
          label="Zoom out of the range"
          shortcut="time.out"
          onClick={() => view.commitTime(leaveInnerRanges(committed, committed.length - 1))}
        />
      )}
    </>
  );
}

interface ToolButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly shortcut: ShortcutId;
  readonly disabled?: boolean;
  readonly open?: boolean;
  readonly set?: (element: HTMLElement | null) => void;
  readonly onClick: () => void;
}

function ToolButton({ icon, label, shortcut, disabled = false, open, set, onClick }: ToolButtonProps): ReactElement {
  return (
    <IconButton
      icon={icon}
      ref={set}
      label={label}
      shortcut={shortcut}
      disabled={disabled}
      {...(open === undefined ? {} : { 'aria-haspopup': 'dialog', 'aria-expanded': open })}
      onClick={onClick}
    />
  );
}
