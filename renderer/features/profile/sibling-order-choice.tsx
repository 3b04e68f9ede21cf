import type { ReactElement } from 'react';
import { Segments } from '../../ui/fields/segments.tsx';
import { useView, useViewState } from '../../state/profile/context.ts';

/** In which order frames stand side by side. */
export function SiblingOrderChoice(): ReactElement {
  const view = useView();
  const siblings = useViewState((state) => state.tree.siblings ?? 'name');
  return (
    <Segments
      label="Frame order"
      value={siblings}
      options={[
        { value: 'name', label: 'by name', title: 'Sort frames from A to Z: same position in every profile' },
        { value: 'weight', label: 'by weight', title: 'Sort frames by weight, heaviest on the left' },
      ]}
      onChange={(order) => {
        view.setTree({ siblings: order });
      }}
    />
  );
}
