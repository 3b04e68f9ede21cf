import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { chordText } from '../../../../renderer/ui/keys/chord.ts';
import { PLACE_NAMES, SHORTCUTS } from '../../../../renderer/ui/keys/shortcuts.ts';
import type { KeyPlace } from '../../../../renderer/ui/keys/shortcuts.ts';

const START = '<!-- keys: as renderer/ui/keys/shortcuts.ts has them -->';
const END = '<!-- end of keys -->';

/** The table of docs/window.md. */
function keysTable(): string {
  const rows = (Object.keys(PLACE_NAMES) as KeyPlace[]).flatMap((place) =>
    SHORTCUTS.filter((shortcut) => shortcut.place === place).map((shortcut) => {
      const keys = shortcut.keys.map((chord) => `\`${chordText(chord, false)}\``).join(' · ');
      const changeable = 'fixed' in shortcut ? '' : 'yes';
      return `| ${PLACE_NAMES[place]} | ${shortcut.what} | ${keys.replaceAll('|', '\\|')} | ${changeable} |`;
    }),
  );
  return ['| Where | What | Keys | Can be changed |', '|---|---|---|---|', ...rows].join('\n');
}

it('docs/window.md lists every key', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../../../docs/window.md'), 'utf8');
  const listed = text.slice(text.indexOf(START) + START.length, text.indexOf(END)).trim();
  // Where this fails, what was received is the table to put there.
  expect(keysTable()).toBe(listed);
});
