import { showDetails } from '../../state/window-fit.ts';
import type { ReactElement } from 'react';
import type { Settings } from '#core/contract/settings-schema.ts';
import { OWN_TREE } from '../../analysis/methods.ts';
import type { FrameRef, ViewPoint } from '../../ui/flame/graph.types.ts';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import type { MenuGroups } from '../../ui/menu/menu.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { functionCode, functionRefOf } from '../../state/function-text.ts';
import { useNotes } from '../../state/notes/context.ts';
import { useRunCommand } from '../../state/run-command.ts';
import { viewSubject } from '../../state/transforms/draft.ts';
import { viewPlace, viewTarget } from '../../state/transforms/target.ts';
import { transformItems } from '../../state/transforms/items.ts';
import { useFunctions, useProfileTab, useView } from '../../state/profile/context.ts';
import { useOpenNew } from '../panes/open-new.ts';
import { FunctionMenu } from '../panes/function-menu.tsx';
import { notesOn } from '../notes/menu.ts';

export interface MenuRequest {
  readonly frame: FrameRef;
  readonly point: ViewPoint;
  /** Where the menu was opened: a frame of the graph has a stack, a row of the table does not. */
  readonly from: 'graph' | 'table';
  /** Zooms a graph that does not show the analysis' own tree. */
  readonly zoom?: () => void;
}

/** The menu of a frame of a view, or of a row of its tables. */
export function FrameMenu({ request, onClose }: { request: MenuRequest; onClose: () => void }): ReactElement {
  const view = useView();
  const { preferences, showDialog } = useWorkbench();
  const functions = useFunctions();
  const { textOf } = useKeymap();
  const run = useRunCommand();
  const notes = useNotes();
  const openNew = useOpenNew(useProfileTab());
  const { func, node } = request.frame;
  const inGraph = request.from === 'graph';
  const zoom = {
    label: 'Zoom to this frame',
    run: () => {
      if (request.zoom === undefined) view.zoom(node);
      else request.zoom();
    },
  };
  /** A graph with its own zoom shows another tree, whose nodes are invalid in this one. */
  const place = inGraph && request.zoom === undefined ? node : null;
  const show = (table: Settings['table']) => () => {
    preferences.set({ table });
    if (func !== null) view.pick({ func, node: place });
  };
  const groups: MenuGroups =
    func === null
      ? []
      : [
          ...transformItems({
            target: viewTarget(view),
            func: functionRefOf(functions, func),
            code: functionCode(functions, func),
            place: viewPlace(view, inGraph ? node : null),
            write: (form) => {
              showDialog({ kind: 'transform', draft: { subject: viewSubject(view), index: null, form } });
            },
            keysOf: textOf,
          }),
          [
            {
              label: 'Add note…',
              ...(textOf('note.add') === null ? {} : { hint: textOf('note.add')! }),
              run: () => {
                view.pick({ func, node: place });
                run('note.add');
              },
            },
            ...notesOn(notes, func, place),
            ...(openNew === undefined
              ? []
              : [{ label: 'Open in a new tab', hint: 'Ctrl click', run: () => openNew({ func, node: place }) }]),
            { label: 'Show in the call tree', run: show('tree') },
            { label: 'Callers and callees', run: show('edges') },
            {
              label: 'Source and instructions',
              run: () => {
                showDetails(preferences, 'source');
                view.pick({ func, node: inGraph ? node : null });
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
        ];
  const revision = view.store.get().analysis?.revision ?? 0;
  return (
    <FunctionMenu
      functions={functions}
      func={func}
      zoom={inGraph ? zoom : null}
      groups={groups}
      stack={inGraph ? () => view.ask('path', { revision, tree: OWN_TREE, node }) : null}
      point={request.point}
      onClose={onClose}
    />
  );
}
