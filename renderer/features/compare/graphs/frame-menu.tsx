import type { ReactElement } from 'react';
import type { FrameRef, ViewPoint } from '../../../ui/flame/graph.types.ts';
import { useKeymap } from '../../../ui/keys/use-keymap.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import { useCompare } from '../../../state/compare/context.ts';
import type { CompareTab } from '../../../state/compare/compare.types.ts';
import { useNotes } from '../../../state/notes/context.ts';
import { useRunCommand } from '../../../state/run-command.ts';
import { UNION } from '../../../state/compare/source.ts';
import { bothSidesItems } from '../../../state/compare/transform-both.ts';
import { useOpenNew } from '../../panes/open-new.ts';
import { FunctionMenu } from '../../panes/function-menu.tsx';
import { notesOn } from '../../notes/menu.ts';

export interface FrameMenuRequest {
  readonly frame: FrameRef;
  readonly point: ViewPoint;
}

interface CompareFrameMenuProps {
  readonly compared: Compared;
  readonly request: FrameMenuRequest;
  readonly onClose: () => void;
}

/** The menu of a frame on either side. */
export function CompareFrameMenu({ compared, request, onClose }: CompareFrameMenuProps): ReactElement {
  const tab = useCompare();
  const { textOf } = useKeymap();
  const run = useRunCommand();
  const notes = useNotes();
  const openNew = useOpenNew(tab);
  const { revision, functions } = compared;
  const { func, node } = request.frame;
  const groups =
    func === null
      ? []
      : [
          ...bothSidesItems(tab, compared, func, textOf),
          [
            {
              label: 'Add note…',
              ...(textOf('note.add') === null ? {} : { hint: textOf('note.add')! }),
              run: () => {
                tab.pick({ func, node });
                run('note.add');
              },
            },
            ...notesOn(notes, func, node),
            {
              label: 'Show how it changed',
              run: () => {
                tab.pick({ func, node });
                tab.setLook({ panel: 'details' });
              },
            },
            { label: 'Open in a new tab', hint: 'Ctrl click', run: () => openNew?.({ func, node }) },
            { label: 'Zoom to its heaviest path', run: () => void zoomToHeaviest(tab, revision, func) },
          ],
        ];
  return (
    <FunctionMenu
      functions={functions}
      func={func}
      zoom={{ label: 'Zoom both sides to this frame', run: () => tab.zoom(node) }}
      groups={groups}
      stack={() => tab.ask('path', { revision, tree: UNION, node })}
      point={request.point}
      onClose={onClose}
    />
  );
}

export async function zoomToHeaviest(
  tab: CompareTab,
  revision: number,
  func: NonNullable<FrameRef['func']>,
): Promise<void> {
  const node = await tab.ask('heaviest', { revision, func });
  if (node !== null) tab.zoom(node);
}
