import { useState, type ReactElement } from 'react';
import { useKeymap } from '../ui/keys/use-keymap.ts';
import { PLACE_NAMES, POINTER_ROWS, SHORTCUTS, type KeyPlace } from '../ui/keys/shortcuts.ts';
import { Icon } from '../ui/icons.tsx';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { usePreference } from '../state/appearance.ts';
import { useWorkbench } from '../state/workbench-context.ts';
import { Button } from '../ui/buttons.tsx';

/** The cheat sheet with all current shortcuts. */
export function KeysDialog(): ReactElement {
  const { showDialog } = useWorkbench();
  const singleKeys = usePreference('singleKeys');
  const [query, setQuery] = useState('');
  return (
    <Dialog title="Keys" className="keys-dialog" onClose={() => showDialog(null)}>
      <div className="keys-search field">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search keys"
          placeholder="what it does, or the key"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      <div className="dialog-body keys">
        {(Object.keys(PLACE_NAMES) as KeyPlace[]).map((place) => (
          <KeysOfPlace key={place} place={place} query={query} />
        ))}
      </div>
      <div className="dialog-foot">
        <span className="dim">
          {singleKeys
            ? 'Single-character keys act only while the part they are listed under has the focus.'
            : 'Single-character keys are switched off.'}
        </span>
        <Button onClick={() => window.print()}>Print</Button>
        <Button onClick={() => showDialog({ kind: 'settings', page: 'keys' })}>Change keys…</Button>
      </div>
    </Dialog>
  );
}

function KeysOfPlace({ place, query }: { place: KeyPlace; query: string }): ReactElement | null {
  const keymap = useKeymap();
  const sought = query.trim().toLowerCase();
  const isFound = (...texts: readonly (string | null)[]): boolean =>
    [PLACE_NAMES[place], ...texts].some((text) => text?.toLowerCase().includes(sought) === true);
  const shortcuts = SHORTCUTS.filter(
    (shortcut) => shortcut.place === place && isFound(shortcut.what, keymap.textOf(shortcut.id)),
  );
  const pointer = POINTER_ROWS.filter(([how, what, where]) => where === place && isFound(how, what));
  if (shortcuts.length + pointer.length === 0) return null;
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
        {pointer.map(([how, what]) => (
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
