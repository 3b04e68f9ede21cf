import type { ReactElement } from 'react';
import { Segments } from '../../ui/fields/segments.tsx';
import { useView, useViewState } from '../../state/profile-context.ts';

/** How wide samples in order of time are. */
export function SampleWidthChoice(): ReactElement {
  const view = useView();
  const widths = useViewState((state) => state.tree.widths ?? 'time');
  return (
    <Segments
      label="Widths"
      value={widths}
      options={[
        { value: 'time', label: 'by time', title: 'Each sample as wide as the time until the next one' },
        {
          value: 'weight',
          label: 'by weight',
          title: 'Each sample as wide as its weight: what was idle takes no room',
        },
      ]}
      onChange={(chosen) => {
        view.setTree({ widths: chosen });
      }}
    />
  );
}
