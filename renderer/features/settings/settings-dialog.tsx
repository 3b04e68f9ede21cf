import { useState, type ReactElement } from 'react';
import { DEFAULT_SETTINGS } from '#core/contract/settings.ts';
import type { SettingsChange } from '#core/contract/settings-schema.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { SettingsPage } from '../../state/workbench-state.ts';
import { AppearancePage, NumbersPage, StartPage } from './general-pages.tsx';
import { KeysPage } from './keys-page.tsx';
import './settings.css';
import { ValueTypesPage } from './value-types-page.tsx';
import { Button } from '../../ui/buttons.tsx';

const PAGES: Readonly<Record<SettingsPage, { readonly name: string; readonly view: () => ReactElement }>> = {
  look: { name: 'Look', view: AppearancePage },
  numbers: { name: 'Numbers', view: NumbersPage },
  start: { name: 'Start', view: StartPage },
  types: { name: 'Value types', view: ValueTypesPage },
  keys: { name: 'Keys', view: KeysPage },
};

/** The settings dialog. Changes apply immediately, in every window. */
export function SettingsDialog({ page: first }: { page: SettingsPage }): ReactElement {
  const { showDialog, preferences, notify } = useWorkbench();
  const [page, setPage] = useState(first);
  const { view: Page } = PAGES[page];
  const reset = (): void => {
    const before = preferences.get();
    preferences.change(resetChange(before));
    notify({
      kind: 'info',
      text: 'Settings were reset to defaults.',
      remedy: null,
      action: {
        label: 'Undo',
        run: () => {
          const { detailsPage: _own, ...settings } = before;
          preferences.change(settings);
        },
      },
    });
  };
  return (
    <Dialog title="Settings" className="settings-dialog" onClose={() => showDialog(null)}>
      <div className="settings-body">
        <nav className="settings-pages" aria-label="Settings">
          {(Object.keys(PAGES) as SettingsPage[]).map((one) => (
            <button
              key={one}
              type="button"
              aria-current={one === page ? 'page' : undefined}
              data-first-focus={one === page ? '' : undefined}
              onClick={() => setPage(one)}
            >
              {PAGES[one].name}
            </button>
          ))}
        </nav>
        <div className="settings-page">
          <Page />
        </div>
      </div>
      <div className="dialog-foot">
        <span className="dim">Changes apply immediately, in every open window.</span>
        <Button onClick={reset}>Reset everything</Button>
      </div>
    </Dialog>
  );
}

/** Returns the change that resets all settings; the layout of the window is kept. */
function resetChange({ keys, valueTypes }: SettingsChange): SettingsChange {
  const { theme, density, fontPx, monoFont, monoFontPx, locale, digits, percentDigits, names, motion } =
    DEFAULT_SETTINGS;
  const { restoreSession, singleKeys, orientation } = DEFAULT_SETTINGS;
  return {
    theme,
    density,
    fontPx,
    monoFont,
    monoFontPx,
    locale,
    digits,
    percentDigits,
    names,
    motion,
    restoreSession,
    singleKeys,
    orientation,
    keys: Object.fromEntries(Object.keys(keys ?? {}).map((id) => [id, null])),
    valueTypes: (valueTypes ?? []).map(({ type }) => ({
      type,
      tree: null,
      orientation: null,
      colour: null,
      sort: null,
    })),
  };
}
