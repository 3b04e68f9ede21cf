import type { Command } from '../../state/command.ts';
import type { Parts } from '../../ui/parts.tsx';
import type { ProfileView } from '../../state/profile/view.ts';
import { ALL_TIME, chosenRange, enterSelectedRange, leaveInnerRanges } from '../../ui/time/committed-ranges.ts';
import type { TimeForm } from '../../state/time/time-display.ts';

const FORMS: readonly (readonly [TimeForm, string])[] = [
  ['strip', 'Time: strip'],
  ['threads', 'Time: a row for each thread'],
  ['heat-map', 'Time: heat map of seconds'],
];

/**
 * Returns the palette's commands for time: its other forms, and those that undo a choice. None for files without
 * timestamps.
 */
export function timeCommands(parts: Parts, { profile, store, lookAtTime, commitTime }: ProfileView): Command[] {
  if (!profile.hasTime) return [];
  const { time, selection, committed } = store.get();
  const choice = { committed, timeRange: selection.timeRange };
  return [
    { id: 'time.range', name: 'Time range as numbers…', run: () => parts.run('time.range') },
    { id: 'time.mark', name: 'Marks…', run: () => parts.run('time.marks') },
    ...FORMS.filter(([form]) => form !== time.form).map(([form, name]) => ({
      id: `time.form-${form}`,
      name,
      run: () => lookAtTime({ form }),
    })),
    ...(time.window === null
      ? []
      : [{ id: 'time.whole', name: 'Show the whole time axis', run: () => lookAtTime({ window: null }) }]),
    ...(chosenRange(choice) === null
      ? []
      : [{ id: 'time.commit', name: 'Zoom into the time range', run: () => commitTime(enterSelectedRange(choice)) }]),
    ...(committed.length === 0
      ? []
      : [
          {
            id: 'time.out',
            name: 'Zoom out of the time range',
            run: () => commitTime(leaveInnerRanges(committed, committed.length - 1)),
          },
        ]),
    ...(selection.timeRange === null
      ? []
      : [{ id: 'time.all', name: 'Clear the time range', run: () => commitTime(ALL_TIME) }]),
  ];
}
