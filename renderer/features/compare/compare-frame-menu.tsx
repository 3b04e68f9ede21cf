import { UNION } from '../../state/compare/source.ts';
import type { ReactElement } from 'react';
import type { FrameRef, ViewPoint } from '../../ui/flame/flame-graph.types.ts';
import { ROOT_LABEL, shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { stackText } from '../../ui/flame/frame-text.ts';
import type { ShortcutId } from '../../ui/keys/shortcuts.ts';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Menu } from '../../ui/menu/menu.tsx';
import { functionName } from '../../state/function-text.ts';
import type { Compared } from '../../analysis/compare-protocol.ts';
import { useCompare } from '../../state/compare/context.ts';
import type { CompareTab } from '../../state/compare/compare.types.ts';
import { bothSidesItems } from '../../state/compare/transform-both.ts';

export interface FrameMenuRequest {
  readonly frame: FrameRef;
  readonly point: ViewPoint;
}

interface CompareFrameMenuProps {
  readonly compared: Compared;
  readonly request: FrameMenuRequest;
  readonly onClose: () => void;
}

/** What can be done with a frame of either side. */
export function CompareFrameMenu({ compared, request, onClose }: CompareFrameMenuProps): ReactElement {
  const tab = useCompare();
  const keymap = useKeymap();
  const hint = (id: ShortcutId): { hint?: string } => {
    const keys = keymap.textOf(id);
    return keys === null ? {} : { hint: keys };
  };
  const { func, node } = request.frame;
  const name = func === null ? ROOT_LABEL : functionName(compared.functions, func);
  const zoom = { label: 'Zoom both sides to this frame', ...hint('graph.zoom'), run: () => tab.zoom(node) };
  const ofFunction =
    func === null
      ? []
      : [
          {
            label: 'Show how it changed',
            run: () => {
              tab.pick({ func, node });
              tab.setLook({ panel: 'details' });
            },
          },
          {
            label: 'Zoom to its heaviest path',
            run: () => void zoomToHeaviest(tab, compared.revision, func),
          },
        ];
  const copies =
    func === null
      ? []
      : [
          { label: 'Copy function name', ...hint('graph.copy-name'), run: () => void copyText(name) },
          { label: 'Copy stack', ...hint('graph.copy'), run: () => void copyStack(tab, compared.revision, node) },
        ];
  const title = shortenMiddle(visibleText(name.slice(0, 2000)), 80);
  const transforms = func === null ? [] : bothSidesItems(tab, compared, func, keymap.textOf);
  const groups = [[zoom], ...transforms, ofFunction, copies];
  return <Menu title={title} groups={groups} point={request.point} onClose={onClose} />;
}

async function copyStack(tab: CompareTab, revision: number, node: FrameRef['node']): Promise<void> {
  await copyText(stackText(await tab.ask('path', { revision, tree: UNION, node })));
}

export async function zoomToHeaviest(
  tab: CompareTab,
  revision: number,
  func: NonNullable<FrameRef['func']>,
): Promise<void> {
  const node = await tab.ask('heaviest', { revision, func });
  if (node !== null) tab.zoom(node);
}
