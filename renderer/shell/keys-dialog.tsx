import type { ReactElement } from 'react';
import { Dialog } from './dialog.tsx';
import { useWorkbench } from './workbench-context.ts';

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Window',
    [
      ['Ctrl O', 'open files'],
      ['R', 'record'],
      ['Ctrl K', 'search commands'],
      ['D', 'details pane'],
      ['F2 · Delete', 'rename, trash a capture in the library'],
      ['Delete', 'close the tab that has the focus'],
    ],
  ],
  [
    'Flame graph',
    [
      ['Arrows', 'walk to parent, child, siblings'],
      ['Enter', 'zoom to the selected frame'],
      ['Esc · Backspace', 'zoom back'],
      ['Home', 'show everything'],
      ['Ctrl wheel', 'zoom about the pointer'],
      ['+ · −', 'zoom about the selected frame'],
      ['Drag · Shift wheel', 'move along'],
      ['Shift ← · →', 'move along'],
      ['/', 'search'],
      ['n · N', 'next, previous match'],
      ['i', 'flame or icicle'],
      ['c', 'copy the stack'],
      ['Shift F10', 'menu of the frame'],
    ],
  ],
  [
    'Table',
    [
      ['Arrows · Page keys', 'move between rows'],
      ['Enter', 'focus on the function'],
      ['Shift F10', 'menu of the function'],
    ],
  ],
  [
    'Time strip',
    [
      ['Arrows', 'move the range'],
      ['Shift arrows', 'size the range'],
      ['Esc', 'whole time'],
    ],
  ],
];

export function KeysDialog(): ReactElement {
  const { showDialog } = useWorkbench();
  return (
    <Dialog
      title="Keys"
      className="keys-dialog"
      onClose={() => {
        showDialog(null);
      }}
    >
      <div className="dialog-body keys">
        {KEYS.map(([place, rows]) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl>
              {rows.map(([keys, what]) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
