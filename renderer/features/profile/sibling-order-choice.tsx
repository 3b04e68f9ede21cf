import type { ReactElement } from 'react';
import { Segments } from '../../ui/fields/segments.tsx';
import { useView, useViewState } from '../../state/profile-context.ts';

/** In which order frames stand side by side. */
export function SiblingOrderChoice(): ReactElement {
  const view = useView();
  const siblings = useViewState((state) => state.tree.siblings ?? 'name');
  return (
    <Segments
      label="Frames side by side"
      value={siblings}
      options={[
        { value: 'name', label: 'by name', title: 'Frames side by side from A to Z: the same places in every profile' },
        { value: 'weight', label: 'by weight', title: 'Frames side by side with the heaviest on the left' },
      ]}
      onChange={(order) => {
        view.setTree({ siblings: order });
      }}
    />
  );
}
