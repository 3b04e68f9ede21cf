import type { ReactElement } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/menu/menu-button.tsx';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { GRANULARITY_ROWS } from '../../state/transforms/granularity-rows.ts';
import { granularityOf, showsInlines, withGranularity, withInlines } from '../../state/transforms/list.ts';

interface GranularityButtonProps {
  readonly transforms: readonly NamedTransform[];
  readonly onChange: (transforms: readonly NamedTransform[]) => void;
}

/** Chooses what a frame represents, and whether inlined functions are frames. */
export function GranularityButton({ transforms, onChange }: GranularityButtonProps): ReactElement {
  const chosen = granularityOf(transforms);
  const inlines = showsInlines(transforms);
  // The default is not labelled, to save space in the toolbar.
  const isUsual = chosen === null && inlines;
  return (
    <MenuButton
      className={isUsual ? 'button' : 'select picker'}
      aria-label={`Granularity: ${chosen ?? 'function'}${inlines ? '' : ', no inlines'}`}
      title="Granularity: what a frame represents"
      gapPx={4}
      menuTitle="Granularity"
      groups={() => [
        GRANULARITY_ROWS.map(({ rows, name, does }) => ({
          label: name,
          hint: does,
          checked: rows === chosen,
          run: () => onChange(withGranularity(transforms, rows)),
        })),
        [
          {
            label: inlines ? 'Count inlined functions as their caller' : 'Show inlined functions',
            hint: 'noinlines',
            run: () => onChange(withInlines(transforms, !inlines)),
          },
        ],
      ]}
    >
      {isUsual ? (
        <Icon name="granularity" />
      ) : (
        <>
          <span className="caption">by</span>
          <span className="ellipsis">
            {chosen ?? 'function'}
            {!inlines && ', no inlines'}
          </span>
          <Icon name="chevron-down" />
        </>
      )}
    </MenuButton>
  );
}
