import { OWN_TREE } from '../../analysis/methods.ts';
import type { ReactElement } from 'react';
import type { Settings } from '#core/contract/settings.ts';
import type { FrameRef, ViewPoint } from '../../ui/flame/flame-graph.types.ts';
import type { ShortcutId } from '../../ui/keys/shortcuts.ts';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Menu } from '../../ui/menu/menu.tsx';
import type { MenuGroups } from '../../ui/menu/menu.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { ProfileView } from '../../state/profile-view.ts';
import { functionCode, functionName, functionRefOf } from '../../state/function-text.ts';
import { viewSubject } from '../../state/transforms/transform-draft.ts';
import { viewPlace, viewTarget } from '../../state/transforms/transform-target.ts';
import { transformItems } from '../../state/transforms/transform-items.ts';
import { useFunctions, useView } from '../../state/profile-context.ts';
import { stackLines } from './stack-lines.ts';
import { shortName } from '../../state/transform-text.ts';

export interface MenuRequest {
  readonly frame: FrameRef;
  readonly point: ViewPoint;
  /** Where it was asked for: a frame of the graph has a stack, a row of the table has none of its own. */
  readonly from: 'graph' | 'table';
  /** Zooms a graph that is not of the analysis' own tree. */
  readonly zoom?: () => void;
}

/** What can be done with a function: transforms of the view, and copying. */
export function FrameMenu({ request, onClose }: { request: MenuRequest; onClose: () => void }): ReactElement {
  const view = useView();
  const { preferences, showDialog } = useWorkbench();
  const functions = useFunctions();
  const keymap = useKeymap();
  const hint = (id: ShortcutId): { hint?: string } => {
    const keys = keymap.textOf(id);
    return keys === null ? {} : { hint: keys };
  };
  const { func, node } = request.frame;
  const title = func === null ? 'all' : shortName(functions, func, 80);
  const zoom = {
    label: 'Zoom to this frame',
    ...hint('graph.zoom'),
    run: () => {
      if (request.zoom === undefined) view.zoom(node);
      else request.zoom();
    },
  };
  /** A graph that zooms by itself is of another tree: its nodes mean nothing in this one. */
  const place = request.from === 'graph' && request.zoom === undefined ? node : null;
  const show = (table: Settings['table']) => () => {
    preferences.set({ table });
    if (func !== null) view.pick({ func, node: place });
  };
  const groups: MenuGroups = [
    request.from === 'graph' ? [zoom] : [],
    ...(func === null
      ? []
      : transformItems({
          target: viewTarget(view),
          func: functionRefOf(functions, func),
          code: functionCode(functions, func),
          place: viewPlace(view, request.from === 'graph' ? node : null),
          write: (form) => {
            showDialog({ kind: 'transform', draft: { subject: viewSubject(view), index: null, form } });
          },
          keysOf: keymap.textOf,
        })),
    func === null
      ? []
      : [
          { label: 'Show in the call tree', run: show('tree') },
          { label: 'Callers and callees', run: show('edges') },
          {
            label: 'Source and instructions',
            run: () => {
              preferences.set({ detailsOpen: true, detailsPage: 'source' });
              view.pick({ func, node: request.from === 'graph' ? node : null });
            },
          },
          {
            label: 'Show as sandwich',
            run: () => {
              view.pick({ func, node: null });
              view.setTree({ kind: 'sandwich' });
            },
          },
        ],
    func === null
      ? []
      : [
          {
            label: 'Copy function name',
            run: () => void copyText(functionName(functions, func)),
          },
          ...(request.from === 'graph'
            ? [{ label: 'Copy stack', ...hint('graph.copy'), run: () => void copyStack(view, node) }]
            : []),
        ],
  ];
  return <Menu title={title} groups={groups} point={request.point} onClose={onClose} />;
}

async function copyStack(view: ProfileView, node: FrameRef['node']): Promise<void> {
  const { analysis } = view.store.get();
  if (analysis === null) return;
  const path = await view.client()?.call('path', { revision: analysis.revision, tree: OWN_TREE, node });
  if (path !== undefined) await copyText(stackLines(path));
}
