import type { ReactElement } from 'react';
import { describeTransform } from '#core/analyze/describe-transform.ts';
import type { NamedTransform } from '#core/analyze/named-transform.ts';
import { copyText } from '../shell/copy-text.ts';
import { Menu } from '../shell/menu.tsx';
import type { MenuGroups, MenuItem } from '../shell/menu.tsx';
import { useWorkbench } from '../shell/workbench-context.ts';
import type { ProfileView } from '../state/profile-view.ts';
import { openTransforms, saveTransforms } from './rule-files.ts';
import { newDraft } from './transform-draft.ts';
import { allEnabled, removed, toggled } from './transform-list.ts';

export interface ChipMenuRequest {
  /** Null: about all of them. */
  readonly index: number | null;
  readonly point: { readonly x: number; readonly y: number };
}

interface ChipMenuProps {
  readonly view: ProfileView;
  readonly request: ChipMenuRequest;
  readonly onEdit: (index: number) => void;
  readonly onMove: (from: number, to: number) => void;
  readonly onClose: () => void;
}

export function ChipMenu(props: ChipMenuProps): ReactElement {
  const { showDialog, notify } = useWorkbench();
  const { view, request } = props;
  const { transforms } = view.store.get();
  const one = request.index === null ? undefined : transforms[request.index];
  const groups: MenuGroups = [
    ...(one === undefined ? [] : ownItems(props, one)),
    [
      {
        label: 'Add transform…',
        run: () => {
          showDialog({ kind: 'transform', draft: newDraft(view) });
        },
      },
      {
        label: 'Export what is seen…',
        run: () => {
          showDialog({ kind: 'export', view });
        },
      },
    ],
    [
      {
        label: 'Open transforms…',
        run: () => {
          openTransforms(notify, view);
        },
      },
      ...(transforms.length === 0 ? [] : allItems(view, transforms)),
    ],
  ];
  const title = one === undefined ? 'Transforms' : describeTransform(one);
  return <Menu title={title} groups={groups} point={request.point} onClose={props.onClose} />;
}

function ownItems({ view, request, onEdit, onMove }: ChipMenuProps, one: NamedTransform): MenuGroups {
  const at = request.index!;
  const { transforms } = view.store.get();
  const item = (label: string, hint: string, run: () => void): MenuItem => ({ label, hint, run });
  return [
    [
      item('Edit…', 'Enter', () => {
        onEdit(at);
      }),
      item(one.enabled ? 'Switch off' : 'Switch on', 'Space', () => {
        view.setTransforms(toggled(transforms, at));
      }),
      item('Apply earlier', 'Alt ←', () => {
        onMove(at, at - 1);
      }),
      item('Apply later', 'Alt →', () => {
        onMove(at, at + 1);
      }),
      item('Remove', 'Delete', () => {
        view.setTransforms(removed(transforms, at));
      }),
    ],
  ];
}

function allItems(view: ProfileView, transforms: readonly NamedTransform[]): MenuGroups[number] {
  const anyOff = transforms.some(({ enabled }) => !enabled);
  return [
    {
      label: anyOff ? 'Switch all on' : 'Switch all off',
      run: () => {
        view.setTransforms(allEnabled(transforms, anyOff));
      },
    },
    {
      label: 'Save transforms…',
      run: () => {
        saveTransforms(transforms);
      },
    },
    { label: 'Copy all as JSON', run: () => void copyText(JSON.stringify(transforms, null, 2)) },
    {
      label: 'Remove all',
      run: () => {
        view.setTransforms([]);
      },
    },
  ];
}
