import { useCallback, useId, useState, type JSX } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { Popover } from '../../menu/popover.tsx';
import { SearchedList } from '../../lists/searched-list.tsx';
import { legendMatches, type LegendEntry } from './entries.ts';

interface LegendMoreProps {
  /** All entries, heaviest first. */
  readonly entries: readonly LegendEntry[];
  /** Number of entries not shown in the legend's line. */
  readonly more: number;
  readonly share: (entry: LegendEntry) => string;
  readonly lit: string | null;
  readonly onLight: (label: string) => void;
}

const VISIBLE_ROWS = 12;
/** Maximum length of a name shown; names can have any length. */
const MAX_SHOWN = 500;

/** The `+ 15 more` button, which opens the list of all colours on screen. */
export function LegendMore({ entries, more, share, lit, onLight }: LegendMoreProps): JSX.Element {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = useCallback(() => setAnchor(null), []);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        title="All colours on screen"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        + {more} more
      </button>
      {anchor === null ? null : (
        <Popover label="All colours" anchor={anchor} onClose={close}>
          <LegendList entries={entries} share={share} lit={lit} onLight={onLight} onDone={close} />
        </Popover>
      )}
    </>
  );
}

type LegendListProps = Omit<LegendMoreProps, 'more'> & { readonly onDone: () => void };

function LegendList({ entries, share, lit, onLight, onDone }: LegendListProps): JSX.Element {
  const id = useId();
  const find = useCallback((query: string) => legendMatches(entries, query), [entries]);
  const toggle = ({ label }: LegendEntry): void => onLight(label);
  return (
    <div className="searched legend-list">
      <SearchedList
        id={id}
        label="Colours on screen"
        search={{ label: 'Search colours by meaning', placeholder: `search ${entries.length}` }}
        find={find}
        visibleRows={VISIBLE_ROWS}
        isChosen={({ label }) => label === lit}
        onToggle={toggle}
        onTake={(entry) => {
          toggle(entry);
          onDone();
        }}
        onClick={toggle}
      >
        {(entry) => (
          <>
            <Swatch colour={entry.colour} />
            <span className="ellipsis" title={visibleText(entry.label.slice(0, MAX_SHOWN))}>
              {visibleText(entry.label.slice(0, MAX_SHOWN))}
            </span>
            <span className="mono dim">{share(entry)}</span>
          </>
        )}
      </SearchedList>
      <p className="faint-hint">Click to dim everything else, click again to undo</p>
    </div>
  );
}

export function Swatch({ colour }: { readonly colour: string }): JSX.Element {
  return <span className="flame-swatch" style={{ backgroundColor: colour }} />;
}
