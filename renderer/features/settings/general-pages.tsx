import { useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { MAX_NOTE_AUTHOR } from '#core/contract/limits.ts';
import { createFormatter } from '#core/units/format.ts';
import { usePreference } from '../../state/appearance.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { CheckSetting, SelectSetting } from './setting-row.tsx';
import { Button } from '../../ui/buttons.tsx';

const px = (sizes: readonly number[]) => sizes.map((value) => ({ value, label: `${value} px` }));

export function AppearancePage(): ReactElement {
  const { set } = useWorkbench().preferences;
  return (
    <>
      <SelectSetting
        label="Theme"
        value={usePreference('theme')}
        choices={[
          { value: 'system', label: 'System' },
          { value: 'dark', label: 'Dark' },
          { value: 'light', label: 'Light' },
        ]}
        onChange={(theme) => set({ theme })}
      />
      <SelectSetting
        label="Density"
        hint="Height of table rows and of frames"
        value={usePreference('density')}
        choices={[
          { value: 'compact', label: 'Compact, 22 and 18 px' },
          { value: 'comfortable', label: 'Comfortable, 28 and 22 px' },
        ]}
        onChange={(density) => set({ density })}
      />
      <SelectSetting
        label="Graphs"
        hint="For new tabs; I turns a graph over"
        value={usePreference('orientation')}
        choices={[
          { value: 'icicle', label: 'Icicle: root on top' },
          { value: 'flame', label: 'Flame: root at the bottom' },
        ]}
        onChange={(orientation) => set({ orientation })}
      />
      <SelectSetting
        label="Long names"
        hint="Where they do not fit; tooltips and copies have the whole name"
        value={usePreference('names')}
        choices={[
          { value: 'short', label: 'Short: without arguments, then namespaces' },
          { value: 'full', label: 'In full, cut in the middle' },
        ]}
        onChange={(names) => set({ names })}
      />
      <SelectSetting
        label="Text size"
        value={usePreference('fontPx')}
        choices={px([11, 11.5, 12, 12.5, 13, 14, 15, 16])}
        onChange={(fontPx) => set({ fontPx })}
      />
      <MonoFontSetting />
      <SelectSetting
        label="Size of names and numbers"
        value={usePreference('monoFontPx')}
        choices={px([10, 11, 11.5, 12, 12.5, 13, 14, 15])}
        onChange={(monoFontPx) => set({ monoFontPx })}
      />
      <SelectSetting
        label="Motion"
        hint="Flamebench has no animations; Reduced also stops the browser’s"
        value={usePreference('motion')}
        choices={[
          { value: 'system', label: 'System' },
          { value: 'reduced', label: 'Reduced' },
        ]}
        onChange={(motion) => set({ motion })}
      />
    </>
  );
}

const FONT = /^[\p{L}\p{N} _-]{0,100}$/u;

/** A text field, because a page cannot list the installed fonts. */
function MonoFontSetting(): ReactElement {
  const { set } = useWorkbench().preferences;
  const chosen = usePreference('monoFont');
  const [text, setText] = useState(chosen);
  const usable = FONT.test(text);
  return (
    <div className="setting">
      <label htmlFor="setting-mono-font">
        Font of names and numbers
        <small>Name of an installed monospace font; empty for the default</small>
      </label>
      <span className={usable ? 'field' : 'field invalid'}>
        <input
          id="setting-mono-font"
          type="text"
          className="mono"
          placeholder="JetBrains Mono"
          spellCheck={false}
          aria-invalid={!usable}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            if (FONT.test(event.target.value)) set({ monoFont: event.target.value });
          }}
        />
      </span>
      {!usable && <p className="setting-problem">Only letters, digits, spaces, hyphens and underscores.</p>}
    </div>
  );
}

/** Author of new notes; never read from the system. */
function NoteAuthorSetting(): ReactElement {
  const { set } = useWorkbench().preferences;
  const author = usePreference('noteAuthor');
  return (
    <div className="setting">
      <label htmlFor="setting-note-author">
        Author of notes
        <small>Shown on new notes; optional</small>
      </label>
      <span className="field">
        <input
          id="setting-note-author"
          type="text"
          maxLength={MAX_NOTE_AUTHOR}
          value={author}
          onChange={(event) => set({ noteAuthor: event.target.value })}
        />
      </span>
    </div>
  );
}

/** Projects whose source text is shown for captures recorded here; each can be withdrawn. */
function SourceFoldersSetting(): ReactElement {
  const { set } = useWorkbench().preferences;
  const folders = usePreference('sourceFolders');
  return (
    <>
      <div className="setting">
        <span>
          Source text
          <small>
            {folders.length === 0
              ? 'The Source page asks once for each project'
              : 'Shown for captures recorded here, of these projects'}
          </small>
        </span>
      </div>
      {folders.map((folder) => (
        <div key={folder} className="setting">
          <span className="mono ellipsis" title={visibleText(folder)}>
            {visibleText(folder)}
          </span>
          <Button
            aria-label={`Withdraw ${visibleText(folder)}`}
            onClick={() => set({ sourceFolders: folders.filter((one) => one !== folder) })}
          >
            Withdraw
          </Button>
        </div>
      ))}
    </>
  );
}

const LOCALES = ['en-US', 'en-GB', 'de-DE', 'de-CH', 'fr-FR', 'sv-SE', 'pl-PL', 'pt-BR', 'hi-IN', 'ja-JP'];

/** Returns the English name of a locale, since the window is in English. */
function localeName(tag: string): string {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return `${names.of(tag) ?? tag}: ${createFormatter(tag).number(1_234_567.8)}`;
}

export function NumbersPage(): ReactElement {
  const { set } = useWorkbench().preferences;
  const [locale, digits, percentDigits] = [
    usePreference('locale'),
    usePreference('digits'),
    usePreference('percentDigits'),
  ];
  const sample = createFormatter(locale === '' ? navigator.language : locale, { digits, percentDigits });
  return (
    <>
      <SelectSetting
        label="Format of numbers and dates"
        value={locale}
        choices={[
          { value: '', label: `System: ${createFormatter(navigator.language).number(1_234_567.8)}` },
          ...LOCALES.map((tag) => ({ value: tag, label: localeName(tag) })),
        ]}
        onChange={(chosen) => set({ locale: chosen })}
      />
      <SelectSetting
        label="Digits of scaled values"
        hint="Counts below a million are exact"
        value={digits}
        choices={[2, 3, 4, 5, 6].map((value) => ({ value, label: `${value} significant` }))}
        onChange={(chosen) => set({ digits: chosen })}
      />
      <SelectSetting
        label="Decimals of shares"
        value={percentDigits}
        choices={[0, 1, 2, 3].map((value) => ({ value, label: String(value) }))}
        onChange={(chosen) => set({ percentDigits: chosen })}
      />
      <p className="setting-sample mono" aria-label="Sample">
        {sample.value(1_234_567_890, 'nanoseconds')} · {sample.value(7_654_321, 'bytes')} ·{' '}
        {sample.share(12_345, 100_000)} · {sample.value(1_234_567, 'count')}
      </p>
    </>
  );
}

export function StartPage(): ReactElement {
  const { preferences, engine, report } = useWorkbench();
  const recent = useWorkbenchState((state) => state.recent.length);
  return (
    <>
      <CheckSetting
        label="Restore session"
        hint="Reopen tabs, panes and views of the last window, also after a page reload"
        value={usePreference('restoreSession')}
        onChange={(restoreSession) => preferences.set({ restoreSession })}
      />
      <NoteAuthorSetting />
      <SelectSetting
        label="Empty the trash"
        hint="Permanently deletes what was trashed longer ago, while Flamebench runs"
        value={usePreference('trashDays') ?? 0}
        choices={[
          { value: 0, label: 'Only by hand' },
          ...[7, 30, 90, 365].map((days) => ({ value: days, label: `After ${days} days` })),
        ]}
        onChange={(days) => preferences.set({ trashDays: days === 0 ? null : days })}
      />
      <SourceFoldersSetting />
      <div className="setting">
        <span>
          Recent files
          <small>{recent === 0 ? 'None' : `${recent} in the list; the files are not deleted`}</small>
        </span>
        <Button
          disabled={recent === 0}
          onClick={() => {
            engine.call('recent.forget', { id: null }).catch(report);
          }}
        >
          Forget them
        </Button>
      </div>
    </>
  );
}
