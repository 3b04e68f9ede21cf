import type { ReactElement } from 'react';
import { useKeymap } from '../ui/keys/use-keymap.ts';
import { PLACE_NAMES, POINTER_ROWS, SHORTCUTS } from '../ui/keys/shortcuts.ts';
import type { KeyPlace } from '../ui/keys/shortcuts.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { usePreference } from '../state/look.ts';
import { useWorkbench } from '../state/workbench-context.ts';

/** The cheat sheet with all current shortcuts. */
export function KeysDialog(): ReactElement {
  const { showDialog } = useWorkbench();
  const singleKeys = usePreference('singleKeys');
  return (
    <Dialog
      title="Keys"
      className="keys-dialog"
      onClose={() => {
        showDialog(null);
      }}
    >
      <div className="dialog-body keys">
        {(Object.keys(PLACE_NAMES) as KeyPlace[]).map((place) => (
          <KeysOfPlace key={place} place={place} />
        ))}
      </div>
      <div className="dialog-foot">
        <span className="dim">
          {singleKeys
            ? 'Single-character keys act only while the part they are listed under has the focus.'
            : 'Single-character keys are switched off.'}
        </span>
        <button
          type="button"
          className="button"
          onClick={() => {
            showDialog({ kind: 'settings', page: 'keys' });
          }}
        >
          Change keys…
        </button>
      </div>
    </Dialog>
  );
}

function KeysOfPlace({ place }: { place: KeyPlace }): ReactElement {
  const keymap = useKeymap();
  const shortcuts = SHORTCUTS.filter((shortcut) => shortcut.place === place);
  return (
    <section>
      <h3>{PLACE_NAMES[place]}</h3>
      <dl>
        {shortcuts.map(({ id, what }) => {
          const keys = keymap.textOf(id);
          return (
            <div key={id} className={keys === null ? 'off' : ''}>
              <dt>{keys === null ? <span className="dim">off</span> : <kbd>{keys}</kbd>}</dt>
              <dd>{what}</dd>
            </div>
          );
        })}
        {POINTER_ROWS.filter(([, , where]) => where === place).map(([how, what]) => (
          <div key={what}>
            <dt>
              <kbd>{how}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
