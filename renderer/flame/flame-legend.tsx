import { memo, type JSX } from 'react';
import type { LegendEntry } from './frame-colour.ts';
import { visibleText } from './frame-label.ts';

/** More would not fit a line; the rest is counted. */
const MAX_ENTRIES = 12;
const MAX_LABEL = 40;

interface FlameLegendProps {
  /** The most drawn first. */
  readonly entries: readonly LegendEntry[];
  readonly hasFillers: boolean;
  /** A search dims what it does not match; its matches have this colour, null: their own. */
  readonly search: { readonly colour: string | null } | null;
}

/** What the colours of the drawn frames stand for. */
export const FlameLegend = memo(function FlameLegend({ entries, hasFillers, search }: FlameLegendProps): JSX.Element {
  const named = entries.filter(({ label }) => label !== '');
  const shown = named.slice(0, MAX_ENTRIES);
  return (
    <ul className="flame-legend" aria-label="Colours">
      {search === null || search.colour === null ? null : <Swatch colour={search.colour} text="matches" />}
      {shown.map(({ label, colour }) => (
        <Swatch key={`${label} ${colour}`} colour={colour} text={shortLabel(label)} />
      ))}
      {entries.length > named.length && (search === null || search.colour === null) ? (
        <Swatch colour={entries.find(({ label }) => label === '')!.colour} text="nothing to group by" />
      ) : null}
      {named.length > shown.length ? <li>+ {named.length - shown.length} more</li> : null}
      {hasFillers ? (
        <li>
          <span className="flame-swatch hatched" />
          too narrow to draw
        </li>
      ) : null}
      {search === null ? null : <li>dimmed: no match</li>}
    </ul>
  );
});

function Swatch({ colour, text }: { readonly colour: string; readonly text: string }): JSX.Element {
  return (
    <li>
      <span className="flame-swatch" style={{ backgroundColor: colour }} />
      {text}
    </li>
  );
}

function shortLabel(label: string): string {
  return visibleText(label.length > MAX_LABEL ? `…${label.slice(1 - MAX_LABEL)}` : label);
}
