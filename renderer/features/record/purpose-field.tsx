import type { ReactElement } from 'react';
import { SIDES } from '../../state/compare/sides.ts';
import { Icon } from '../../ui/icons.tsx';
import { useWorkbenchState } from '../../state/workbench-context.ts';
import type { RecordPurpose } from '../../state/workbench-state.ts';

/** More would make a list that nobody reads; newest first. */
const MAX_EXPERIMENTS = 20;

/** Purpose of the recording: the library alone, two sides in turn, or a side of an experiment. */
export function PurposeField({
  purpose,
  onChange,
}: {
  purpose: RecordPurpose;
  onChange: (purpose: RecordPurpose) => void;
}): ReactElement {
  const states = useWorkbenchState((state) => state.experiments) ?? [];
  const isShown = (id: string): boolean => purpose.kind !== 'library' && purpose.experimentId === id;
  const shown = states.filter(({ experiment }, index) => index < MAX_EXPERIMENTS || isShown(experiment.id));
  const choices: readonly { readonly label: string; readonly purpose: RecordPurpose }[] = [
    { label: 'the library', purpose: { kind: 'library' } },
    { label: 'before and after, alternating', purpose: { kind: 'in-turn', experimentId: null } },
    ...shown.flatMap(({ experiment: { id, name } }) => [
      ...SIDES.map((side) => ({
        label: `${side} of ${name}`,
        purpose: { kind: 'side' as const, experimentId: id, side },
      })),
      { label: `both of ${name}, in turn`, purpose: { kind: 'in-turn' as const, experimentId: id } },
    ]),
  ];
  const keyOf = (one: RecordPurpose): string => JSON.stringify(one);
  return (
    <label className="record-purpose">
      <span className="caption">for</span>
      <span className="select">
        <select
          aria-label="Purpose of the recording"
          value={keyOf(purpose)}
          onChange={(event) => {
            const found = choices.find((choice) => keyOf(choice.purpose) === event.target.value);
            if (found !== undefined) onChange(found.purpose);
          }}
        >
          {choices.map((choice) => (
            <option key={keyOf(choice.purpose)} value={keyOf(choice.purpose)}>
              {choice.label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </label>
  );
}
