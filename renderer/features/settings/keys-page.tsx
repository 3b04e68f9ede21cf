import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { chordOf, chordText, type Chord } from '../../ui/keys/chord.ts';
import { chordProblem, isFixed, type ChordProblem, type Keymap } from '../../ui/keys/keymap.ts';
import { PLACE_NAMES, SHORTCUTS, type KeyPlace, type Shortcut, type ShortcutId } from '../../ui/keys/shortcuts.ts';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { usePreference } from '../../state/appearance.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { CheckSetting } from './setting-row.tsx';
import { containsWords } from '#core/contract/contains-words.ts';
import { Button } from '../../ui/buttons.tsx';

type ChosenKey = Shortcut & { readonly id: ShortcutId };
const CHANGEABLE = SHORTCUTS.filter((shortcut) => !isFixed(shortcut)) as readonly ChosenKey[];
const PLACES = (Object.keys(PLACE_NAMES) as KeyPlace[]).filter((place) =>
  CHANGEABLE.some((one) => one.place === place),
);

/** The shortcut being edited, with the keys pressed so far. */
interface Asking {
  readonly id: string;
  readonly chord: Chord | null;
  readonly problem: ChordProblem | null;
}

export function KeysPage(): ReactElement {
  const { preferences } = useWorkbench();
  const [query, setQuery] = useState('');
  const [asking, setAsking] = useState<Asking | null>(null);
  const isMeant = containsWords(query);
  const shown = CHANGEABLE.filter(({ what }) => isMeant(what));
  return (
    <>
      <CheckSetting
        label="Single-character keys"
        hint="They act only while their part of the window has the focus; switch them off if speech input or typing errors trigger them"
        value={usePreference('singleKeys')}
        onChange={(singleKeys) => preferences.set({ singleKeys })}
      />
      <span className="field keys-filter">
        <input
          type="search"
          aria-label="Filter shortcuts"
          placeholder="Filter shortcuts"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </span>
      {PLACES.map((place) => {
        const rows = shown.filter((shortcut) => shortcut.place === place);
        return rows.length === 0 ? null : (
          <section key={place} className="key-settings" aria-label={PLACE_NAMES[place]}>
            <h3>{PLACE_NAMES[place]}</h3>
            {rows.map((shortcut) => (
              <KeyRow key={shortcut.id} shortcut={shortcut} asking={asking} onAsk={setAsking} />
            ))}
          </section>
        );
      })}
      {shown.length === 0 && <p className="panel-hint">No matching shortcuts.</p>}
    </>
  );
}

interface KeyRowProps {
  readonly shortcut: ChosenKey;
  readonly asking: Asking | null;
  readonly onAsk: (asking: Asking | null) => void;
}

function KeyRow({ shortcut, asking, onAsk }: KeyRowProps): ReactElement {
  const { preferences } = useWorkbench();
  const keymap = useKeymap();
  const chosen = usePreference('keys')[shortcut.id];
  const own = asking?.id === shortcut.id ? asking : null;
  const keys = keymap.textOf(shortcut.id);
  const set = (chords: readonly Chord[] | null): void => {
    preferences.change({ keys: { [shortcut.id]: chords === null ? null : [...chords] } });
    onAsk(null);
  };
  const take = (chord: Chord): void => {
    takeFromOthers(keymap, shortcut, chord, preferences.change);
    set([chord]);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (own === null) return;
    const chord = chordOf(event, navigator.platform.startsWith('Mac'));
    if (chord === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (chord === 'Escape') {
      onAsk(null);
      return;
    }
    const problem = chordProblem(keymap, shortcut, chord);
    if (problem === null || problem.kind === 'warning') set([chord]);
    if (problem !== null) onAsk({ id: shortcut.id, chord, problem });
  };
  return (
    <div className="key-row">
      <span>{shortcut.what}</span>
      {own !== null && own.problem === null ? (
        <kbd className="asking">Press keys…</kbd>
      ) : (
        <span>{keys === null ? <span className="dim">off</span> : <kbd>{keys}</kbd>}</span>
      )}
      <span className="key-actions">
        <Button
          aria-label={`Change the keys: ${shortcut.what}`}
          onKeyDown={onKeyDown}
          onBlur={() => {
            if (own !== null && own.problem === null) onAsk(null);
          }}
          onClick={() => onAsk(own === null ? { id: shortcut.id, chord: null, problem: null } : null)}
        >
          {own !== null && own.problem === null ? 'Esc cancels' : 'Change'}
        </Button>
        <Button
          disabled={chosen !== undefined && chosen.length === 0}
          aria-label={`Switch off: ${shortcut.what}`}
          onClick={() => set([])}
        >
          Off
        </Button>
        <Button
          disabled={chosen === undefined}
          aria-label={`Back to the default: ${shortcut.what}`}
          onClick={() => set(null)}
        >
          Default
        </Button>
      </span>
      {own !== null && own.problem !== null && own.chord !== null && (
        <KeyProblem chord={own.chord} problem={own.problem} onTake={take} onClose={() => onAsk(null)} />
      )}
    </div>
  );
}

interface KeyProblemProps {
  readonly chord: Chord;
  readonly problem: ChordProblem;
  readonly onTake: (chord: Chord) => void;
  readonly onClose: () => void;
}

function KeyProblem({ chord, problem, onTake, onClose }: KeyProblemProps): ReactElement {
  const text = problem.kind === 'taken' ? `Taken: ${problem.by.map(({ what }) => what).join(', ')}.` : problem.message;
  return (
    <p className="key-problem" role="alert">
      <kbd>{chordText(chord, navigator.platform.startsWith('Mac'))}</kbd> {text}
      {problem.kind === 'taken' && <Button onClick={() => onTake(chord)}>Use it here</Button>}
      <Button onClick={onClose}>{problem.kind === 'warning' ? 'Keep it' : 'Cancel'}</Button>
    </p>
  );
}

/** Removes a chord from the other shortcuts that have it. */
function takeFromOthers(
  keymap: Keymap,
  shortcut: Shortcut,
  chord: Chord,
  change: (settings: { keys: Record<string, string[]> }) => void,
): void {
  const problem = chordProblem(keymap, shortcut, chord);
  if (problem?.kind !== 'taken') return;
  const keys = problem.by.map(
    ({ id }) => [id, keymap.keysOf(id as ShortcutId).filter((one) => one !== chord)] as const,
  );
  change({ keys: Object.fromEntries(keys) });
}
