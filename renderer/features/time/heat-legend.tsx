import { useMemo } from 'react';
import type { ReactElement } from 'react';
import type { Theme } from '../../ui/flame/flame-graph.types.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { weightFormat } from '../../state/weight-format.ts';
import { format } from '../../ui/format.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import { heatRamp } from '../../ui/time/heat-colours.ts';
import type { HeatMap } from '#core/analyze/time/time-strip.ts';

/** What colours, columns and rows mean; and the map as text. */
export function HeatLegend({ map, theme }: { map: HeatMap; theme: Theme }): ReactElement {
  const view = useView();
  const asText = useViewState((state) => state.time.asText);
  const weights = weightFormat(view.profile.valueTypes[map.valueType]!.unit);
  const ramp = useMemo(() => heatRamp(theme), [theme]);
  const row = format.value(map.columnNs / map.rows, 'nanoseconds');
  return (
    <div className="heat-legend">
      <div className="heat-legend-ramp" style={{ backgroundImage: `linear-gradient(to right, ${ramp.join(', ')})` }} />
      <div className="heat-legend-ends mono">
        <span>&gt; 0</span>
        <span>{weights.value(map.maxWeight)}</span>
      </div>
      <p className="dim">
        a cell is {row}, a column {format.value(map.columnNs, 'nanoseconds')};{' '}
        {theme === 'dark' ? 'brighter' : 'darker'} is heavier
      </p>
      <Segments
        label="Heat map as"
        value={asText ? 'text' : 'map'}
        options={[
          { value: 'map', label: 'Map' },
          { value: 'text', label: 'Text', title: 'The columns as a table of numbers' },
        ]}
        onChange={(form) => {
          view.lookAtTime({ asText: form === 'text' });
        }}
      />
    </div>
  );
}
