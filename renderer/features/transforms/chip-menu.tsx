import type { ReactElement } from 'react';
import { describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Menu, type MenuGroups, type MenuItem } from '../../ui/menu/menu.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { openTransforms, saveTransforms } from './rule-files.ts';
import { allEnabled, removed, toggled } from '../../state/transforms/list.ts';
import type { TransformTarget } from '../../state/transforms/target.ts';

export interface ChipMenuRequest {
  /** Null for the menu of all transforms. */
  readonly index: number | null;
  readonly point: { readonly x: number; readonly y: number };
}

/** Actions on transforms other than disabling and moving them. */
export interface ChipMenuWays {
  /** Null if transforms cannot be edited. */
  readonly edit: ((index: number) => void) | null;
  readonly others: MenuGroups[number];
}

interface ChipMenuProps {
  readonly target: TransformTarget;
  readonly request: ChipMenuRequest;
  readonly ways: ChipMenuWays;
  readonly onMove: (from: number, to: number) => void;
  readonly onClose: () => void;
}

export function ChipMenu(props: ChipMenuProps): ReactElement {
  const { notify } = useWorkbench();
  const { target, request, ways } = props;
  const transforms = target.transforms();
  const one = request.index === null ? undefined : transforms[request.index];
  const groups: MenuGroups = [
    ...(one === undefined ? [] : ownItems(props, one)),
    ways.others,
    [
      { label: 'Open transforms…', run: () => openTransforms(notify, target) },
      ...(transforms.length === 0 ? [] : allItems(target, transforms)),
    ],
  ];
  const title = one === undefined ? 'Transforms' : describeTransform(one);
  return <Menu title={title} groups={groups} point={request.point} onClose={props.onClose} />;
}

function ownItems({ target, request, ways, onMove }: ChipMenuProps, one: NamedTransform): MenuGroups {
  const at = request.index!;
  const transforms = target.transforms();
  const { edit } = ways;
  const item = (label: string, hint: string, run: () => void): MenuItem => ({ label, hint, run });
  return [
    [
      ...(edit === null ? [] : [item('Edit…', 'Enter', () => edit(at))]),
      item(one.enabled ? 'Switch off' : 'Switch on', 'Space', () => target.setTransforms(toggled(transforms, at))),
      item('Apply earlier', 'Alt ←', () => onMove(at, at - 1)),
      item('Apply later', 'Alt →', () => onMove(at, at + 1)),
      item('Remove', 'Delete', () => target.setTransforms(removed(transforms, at))),
    ],
  ];
}

function allItems(target: TransformTarget, transforms: readonly NamedTransform[]): MenuGroups[number] {
  const anyOff = transforms.some(({ enabled }) => !enabled);
  return [
    {
      label: anyOff ? 'Switch all on' : 'Switch all off',
      run: () => target.setTransforms(allEnabled(transforms, anyOff)),
    },
    { label: 'Save transforms…', run: () => saveTransforms(transforms) },
    { label: 'Copy all as JSON', run: () => void copyText(JSON.stringify(transforms, null, 2)) },
    { label: 'Remove all', run: () => target.setTransforms([]) },
  ];
}
