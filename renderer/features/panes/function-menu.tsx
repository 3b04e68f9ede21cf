import type { ReactElement } from 'react';
import { ROOT_LABEL } from '#core/analyze/function-label.ts';
import type { PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { FunctionNames } from '../../analysis/profile/protocol.ts';
import { functionName } from '../../state/function-text.ts';
import { shortName } from '../../state/transforms/list.ts';
import { copyText } from '../../ui/copy-text.ts';
import type { FrameRef, ViewPoint } from '../../ui/flame/graph.types.ts';
import { stackText } from '../../ui/flame/tooltip/frame-text.ts';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import type { ShortcutId } from '../../ui/keys/shortcuts.ts';
import { Menu, type MenuGroups, type MenuItem } from '../../ui/menu/menu.tsx';

interface FunctionMenuProps {
  readonly functions: FunctionNames;
  /** Null for the tree's root. */
  readonly func: FrameRef['func'];
  /** Null if there is no graph to zoom. */
  readonly zoom: MenuItem | null;
  /** Shown between zooming and copying, for functions only. */
  readonly groups: MenuGroups;
  /** Returns the stack, root first; null if the row has no stack of its own. */
  readonly stack: (() => Promise<readonly PathEntry[]>) | null;
  readonly point: ViewPoint;
  readonly onClose: () => void;
}

/** The menu of a function in any graph or table: zooming to it, `groups`, and copying. */
export function FunctionMenu({
  functions,
  func,
  zoom,
  groups,
  stack,
  point,
  onClose,
}: FunctionMenuProps): ReactElement {
  const keymap = useKeymap();
  const withKeys = (item: MenuItem, id: ShortcutId): MenuItem => {
    const keys = keymap.textOf(id);
    return keys === null ? item : { ...item, hint: keys };
  };
  const zooms = zoom === null ? [] : [withKeys(zoom, 'graph.zoom')];
  const copyStack = async (path: Promise<readonly PathEntry[]>): Promise<void> => copyText(stackText(await path));
  const copies =
    func === null
      ? []
      : [
          withKeys(
            { label: 'Copy function name', run: () => void copyText(functionName(functions, func)) },
            'graph.copy-name',
          ),
          ...(stack === null
            ? []
            : [withKeys({ label: 'Copy stack', run: () => void copyStack(stack()) }, 'graph.copy')]),
        ];
  return (
    <Menu
      title={func === null ? ROOT_LABEL : shortName(functions, func, 80)}
      groups={[zooms, ...(func === null ? [] : groups), copies]}
      point={point}
      onClose={onClose}
    />
  );
}
