import { memo, useLayoutEffect, useRef, useState, type JSX, type RefObject } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { WeightFormat } from '../graph.types.ts';
import type { LegendEntry } from './entries.ts';
import { LegendMore, Swatch } from './more-entries.tsx';
import { fillerLabel } from '../chart/frame-label.ts';

/** Number of entries that fit on a line; the others are counted and listed on demand. */
const MAX_ENTRIES = 12;
const MAX_LABEL = 40;

interface FlameLegendProps {
  /** Heaviest first; their weights add up to what is shown. */
  readonly entries: readonly LegendEntry[];
  /** Total of the zoomed root. */
  readonly rootTotal: number;
  readonly direction: 'top-down' | 'bottom-up';
  readonly format: WeightFormat;
  /** Label for frames that share a colour but have no name. */
  readonly nameless: string;
  /** Number of frames inside fillers, and their weight. */
  readonly hidden: { readonly frames: number; readonly weight: number };
  /** The active search; its matches have this colour, or their own if null. */
  readonly search: { readonly colour: string | null } | null;
  /** Label of the entry whose frames are highlighted; null for none. */
  readonly lit: string | null;
  readonly onLight: (label: string | null) => void;
}

/**
 * The legend: what the colours mean, and how much of what is shown is each colour's own. Selecting an entry
 * dims all others.
 */
export const FlameLegend = memo(function FlameLegend(props: FlameLegendProps): JSX.Element {
  const { entries, rootTotal, direction, format, hidden, search, lit, onLight } = props;
  const list = useRef<HTMLUListElement>(null);
  const named = entries.filter(({ label }) => label !== '');
  // An entry chosen in the full list is moved to the front, so that it is visible.
  const chosen = named.slice(MAX_ENTRIES).filter(({ label }) => label === lit);
  const shown = [...chosen, ...named.slice(0, MAX_ENTRIES)];
  const first = chosen[0]?.label;
  useLayoutEffect(() => {
    if (first !== undefined) list.current!.scrollTop = 0;
  }, [first]);
  const fits = useFitting(list);
  const whole = entries.reduce((sum, { weight }) => sum + weight, 0);
  const shareOf = ({ weight }: LegendEntry): string => format.share(weight, whole);
  const own = direction === 'top-down' ? 'of what is shown is its self weight' : 'of what is shown, by the first row';
  const light = (label: string): void => onLight(lit === label ? null : label);
  const isAway = lit !== null && !named.some(({ label }) => label === lit);
  const hasNameless = entries.length > named.length && (search === null || search.colour === null);
  /** Items before the entries: the matches' colour, and the chosen one that is away. */
  const leading = (search === null || search.colour === null ? 0 : 1) + (isAway ? 1 : 0);
  const isEmpty = leading === 0 && shown.length === 0 && !hasNameless && search === null && lit === null;
  const more = named.length - Math.min(shown.length, Math.max(0, fits - leading));
  return (
    <div className="legend-line">
      <ul ref={list} className="flame-legend" aria-label="Colours" aria-hidden={isEmpty}>
        {search === null || search.colour === null ? null : (
          <li>
            <Swatch colour={search.colour} />
            matches
          </li>
        )}
        {isAway ? (
          <li>
            <button
              type="button"
              aria-pressed
              title={`Nothing in view belongs to ${visibleText(lit.slice(0, 500))}, so everything is dimmed. Click to undim.`}
              onClick={() => onLight(null)}
            >
              {shortLabel(lit)} <span className="share">not in view</span>
            </button>
          </li>
        ) : null}
        {shown.map((entry) => {
          const { label, colour } = entry;
          const share = shareOf(entry);
          return (
            <li key={`${label} ${colour}`}>
              <button
                type="button"
                aria-pressed={lit === label}
                title={`${visibleText(label.slice(0, 500))}: ${share} ${own}. Click to dim everything else.`}
                onClick={() => light(label)}
              >
                <Swatch colour={colour} />
                {shortLabel(label)} <span className="share">{share}</span>
              </button>
            </li>
          );
        })}
        {hasNameless ? (
          <li>
            <Swatch colour={entries.find(({ label }) => label === '')!.colour} />
            {props.nameless}
          </li>
        ) : null}
        {search === null && lit === null ? null : <li>dimmed: {lit === null ? 'no match' : 'everything else'}</li>}
      </ul>
      {more > 0 || hidden.frames > 0 ? (
        <div className="legend-end">
          {more > 0 ? <LegendMore entries={named} more={more} share={shareOf} lit={lit} onLight={light} /> : null}
          {hidden.frames > 0 ? (
            <TooNarrow fillers={fillerLabel(hidden.frames, format.share(hidden.weight, rootTotal))} />
          ) : null}
        </div>
      ) : null}
    </div>
  );
});

/**
 * Returns how many items of a list are on its first line; the others wrap out of sight, so that none is cut off. Infinite
 * before the first layout.
 */
function useFitting(list: RefObject<HTMLUListElement | null>): number {
  const [fits, setFits] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const count = (): void => {
      const items = [...element.children] as HTMLElement[];
      const first = items[0]?.offsetTop ?? 0;
      const next = items.findIndex(({ offsetTop }) => offsetTop > first);
      setFits(next < 0 ? Number.POSITIVE_INFINITY : next);
    };
    count();
    const resized = new ResizeObserver(count);
    resized.observe(element);
    const changed = new MutationObserver(count);
    changed.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      resized.disconnect();
      changed.disconnect();
    };
  }, [list]);
  return fits;
}

function TooNarrow({ fillers }: { readonly fillers: string }): JSX.Element {
  return (
    <span className="fillers" title={`${fillers} are too narrow to draw as frames; click there to spread them out.`}>
      <span className="flame-swatch hatched" />
      too narrow to draw <span className="share">{fillers.slice(2)}</span>
    </span>
  );
}

function shortLabel(label: string): string {
  return visibleText(label.length > MAX_LABEL ? `…${label.slice(1 - MAX_LABEL)}` : label);
}
