import type { ReactElement } from 'react';
import type { Orientation } from '../flame/graph.types.ts';
import { Segments } from './segments.tsx';

interface OrientationChoiceProps {
  readonly value: Orientation;
  readonly onChange: (orientation: Orientation) => void;
}

export function OrientationChoice({ value, onChange }: OrientationChoiceProps): ReactElement {
  return (
    <Segments
      label="Layout of the graph"
      value={value}
      options={[
        { value: 'flame', label: 'Flame', title: 'Root at the bottom' },
        { value: 'icicle', label: 'Icicle', title: 'Root at the top' },
      ]}
      onChange={onChange}
    />
  );
}
