import type { ReactElement } from 'react';
import { Segments } from '../../ui/fields/segments.tsx';
import { useView, useViewState } from '../../state/profile/context.ts';

/** How wide samples in order of time are. */
export function SampleWidthChoice(): ReactElement {
  const view = useView();
  const widths = useViewState((state) => state.tree.widths ?? 'time');
  return (
    <Segments
      label="Widths"
      value={widths}
      options={[
        { value: 'time', label: 'by time', title: 'Width is the time until the next sample' },
        {
          value: 'weight',
          label: 'by weight',
          title: 'Width is weight; idle time takes no space',
        },
      ]}
      onChange={(chosen) => {
        view.setTree({ widths: chosen });
      }}
    />
  );
}
