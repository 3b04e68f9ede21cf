import type { ReactElement } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { useProfileTab, useView, useViewState } from '../../state/profile/context.ts';
import { ValueTypeField } from './value-type-field.tsx';
import { valueTypeText } from '../../state/value-type-text.ts';
import { weightFormat } from '../../state/weight-format.ts';
import { IconButton } from '../../ui/buttons.tsx';

/** The head of each of several graphs: its content, whether it is linked, and Close. */
export function ViewHead({ number }: { number: number }): ReactElement {
  const tab = useProfileTab();
  const view = useView();
  const linked = useViewState((state) => state.linked);
  return (
    <header className="view-head">
      <HeadValueType number={number} />
      <HeadTotal />
      <IconButton
        icon="link"
        label={`View ${number} follows the others`}
        aria-pressed={linked}
        title={
          linked
            ? 'Linked: shares threads, time, transforms, search and selection with the other linked views'
            : 'Not linked: has its own threads, time, transforms and search'
        }
        onClick={() => tab.linkView(view, !linked)}
      />
      <IconButton
        icon="close"
        label={`Close view ${number}`}
        title="Close this view"
        onClick={() => tab.closeView(view)}
      />
    </header>
  );
}

function HeadValueType({ number }: { number: number }): ReactElement {
  const { valueTypes } = useView().profile;
  const chosen = useViewState((state) => state.selection.valueType);
  if (valueTypes.length < 2) return <span className="view-name ellipsis">{valueTypeText(valueTypes, chosen)}</span>;
  return (
    <span className="view-type">
      <ValueTypeField label={`Weight of view ${number}`} />
      <Icon name="chevron-down" />
    </span>
  );
}

function HeadTotal(): ReactElement {
  const { profile } = useView();
  const total = useViewState((state) => state.analysis?.total ?? 0);
  const unit = useViewState((state) => profile.valueTypes[state.selection.valueType]!.unit);
  const tree = useViewState((state) => state.tree.kind);
  return (
    <span className="view-facts">
      <span className="mono">{weightFormat(unit).value(total)}</span>
      <span className="dim">{tree.replace('-', ' ')}</span>
    </span>
  );
}
