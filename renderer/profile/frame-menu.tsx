import type { ReactElement } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Transform } from '#core/analyze/stack-view.ts';
import type { FrameRef, ViewPoint } from '../flame/flame-graph.types.ts';
import { copyText } from '../shell/copy-text.ts';
import { Menu } from '../shell/menu.tsx';
import type { MenuGroups } from '../shell/menu.tsx';
import { useWorkbench } from '../shell/workbench-context.ts';
import type { ProfileTab } from '../state/profile-tab.ts';
import { functionName } from '../state/function-text.ts';
import { useProfileTab, useTabState } from './profile-context.ts';
import { stackLines } from './stack-lines.ts';
import { shortName } from './transform-text.ts';

export interface MenuRequest {
  readonly frame: FrameRef;
  readonly point: ViewPoint;
  /** Where it was asked for: a frame of the graph has a stack, a row of the table has none of its own. */
  readonly from: 'graph' | 'table';
}

/** What can be done with a function: transforms of the view, and copying. */
export function FrameMenu({ request, onClose }: { request: MenuRequest; onClose: () => void }): ReactElement | null {
  const tab = useProfileTab();
  const { preferences } = useWorkbench();
  const profile = useTabState((state) => state.profile);
  if (profile === null) return null;
  const { func, node } = request.frame;
  const title = func === null ? 'all' : shortName(profile.functions, func, 80);
  const zoom = {
    label: 'Zoom to this frame',
    hint: 'Enter',
    run: () => {
      tab.zoom(node);
    },
  };
  const groups: MenuGroups = [
    request.from === 'graph' ? [zoom] : [],
    func === null ? [] : transformItems(tab, func),
    func === null
      ? []
      : [
          {
            label: 'Callers and callees',
            run: () => {
              preferences.set({ detailsOpen: true, detailsPage: 'details' });
              tab.pick({ func, node: request.from === 'graph' ? node : null });
            },
          },
        ],
    func === null
      ? []
      : [
          {
            label: 'Copy function name',
            run: () => void copyText(functionName(profile.functions, func)),
          },
          ...(request.from === 'graph'
            ? [{ label: 'Copy stack', hint: 'c', run: () => void copyStack(tab, node) }]
            : []),
        ],
  ];
  return <Menu title={title} groups={groups} point={request.point} onClose={onClose} />;
}

function transformItems(tab: ProfileTab, func: FunctionIndex): MenuGroups[number] {
  const add = (kind: Transform['kind']) => () => {
    const { transforms } = tab.store.get();
    const again = transforms.some((one) => one.kind === kind && one.func === func);
    if (!again) tab.setTransforms([...transforms, { kind, func }]);
  };
  return [
    { label: 'Focus on this function', run: add('focus') },
    { label: 'Hide stacks with this function', run: add('hide') },
    { label: 'Merge into caller', run: add('merge') },
    { label: 'Collapse recursion', run: add('collapse-recursion') },
  ];
}

async function copyStack(tab: ProfileTab, node: FrameRef['node']): Promise<void> {
  const { analysis } = tab.store.get();
  if (analysis === null) return;
  const path = await tab.client()?.call('path', { revision: analysis.revision, node });
  if (path !== undefined) await copyText(stackLines(path));
}
