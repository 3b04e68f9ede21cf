import { useEffect, useState } from 'react';
import { NO_GROUP, type FunctionGroups } from '#core/analyze/time/group-histograms.ts';
import { colourGroup, colourLabel } from '#core/colour/frame-colour.ts';
import type { ColourGroup, ColourMode, ColourScheme } from '#core/colour/frame-colour.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { functionFacts } from '../../../core/model/function-facts.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { useColours } from '../../state/use-colours.ts';
import type { Analysis, FunctionNames } from '../../analysis/profile/protocol.ts';
import type { ColouredBars } from '../../ui/time/bars-canvas.tsx';
import type { TimeStrip } from '#core/analyze/time/strip.ts';
import { useTimeWindow } from './use-time-data.ts';
import { takeAnswerAfter } from '../../ui/take-answer.ts';

/** A group of functions over time, in the graph's colours. */
export interface GroupBars extends ColouredBars {
  readonly label: string;
}

/**
 * Colour modes with few groups. A bar represents a few samples, which would be spread over the many packages of a
 * program.
 */
const FEW_GROUPS: readonly ColourMode[] = ['kind', 'module'];
/** Number of groups with their own colour; more are indistinguishable in bars of three pixels, so the rest is grey. */
const MAX_GROUPS = 8;
/** Delay in ms before the first request, because the graph and the user's first actions take precedence. */
const FIRST_MS = 700;
const SETTLE_MS = 120;

interface Known {
  readonly strip: TimeStrip;
  readonly key: string;
  readonly bars: readonly GroupBars[];
}

/**
 * Returns the parts of the strip by the graph's colours if these are kinds or modules; null otherwise, and while
 * unknown.
 */
export function useGroupBars(theme: Theme, strip: TimeStrip | null, wanted: boolean): readonly GroupBars[] | null {
  const view = useView();
  const { mode, slots } = useColours();
  const analysis = useViewState((state) => state.analysis);
  const window = useTimeWindow();
  const [known, setKnown] = useState<Known | null>(null);
  const asks = wanted && FEW_GROUPS.includes(mode);
  const key = `${mode} ${theme}`;
  const first = known === null;

  useEffect(() => {
    if (!asks || analysis === null || strip === null) return undefined;
    const ask = async (): Promise<readonly GroupBars[] | null> => {
      const { labels, groups } = heaviestGroups(analysis, analysis.functions ?? view.profile.functions, {
        mode,
        theme,
        slots,
      });
      const asked = { revision: analysis.revision, window, buckets: strip.columns, groups };
      const found = await view.ask('time-groups', asked);
      return found && labels.map((group, index) => ({ ...group, weight: found.weights[index]! }));
    };
    return takeAnswerAfter(
      first ? FIRST_MS : SETTLE_MS,
      ask,
      (bars) => bars !== null && setKnown({ strip, key, bars }),
      // The strip sends the same request and reports the error.
      () => undefined,
    );
  }, [view, asks, analysis, strip, window, mode, theme, slots, key, first]);

  // Another strip has other buckets.
  return asks && known !== null && known.strip === strip && known.key === key ? known.bars : null;
}

/** Returns the groups with the most weight, and the group of each function. */
function heaviestGroups(
  { rows }: Analysis,
  functions: FunctionNames,
  scheme: ColourScheme,
): { readonly labels: readonly ColourGroup[]; readonly groups: FunctionGroups } {
  const names = { strings: functions.strings, functions };
  const labelOf = new Map<number, string>();
  const weights = new Map<string, { weight: number; readonly func: number }>();
  for (const [row, func] of rows.func.entries()) {
    if (rows.self[row] === 0) continue;
    const label = colourLabel(functionFacts(names, func), scheme.mode);
    labelOf.set(func, label);
    const known = weights.get(label) ?? { weight: 0, func };
    weights.set(label, known);
    known.weight += rows.self[row]!;
  }
  weights.delete('');
  const heaviest = [...weights].sort(([, a], [, b]) => b.weight - a.weight).slice(0, MAX_GROUPS);
  const labels = heaviest.map(([, { func }]) => colourGroup(functionFacts(names, func), scheme));
  const numberOf = new Map(heaviest.map(([label], index) => [label, index]));
  const ofFunction = new Uint8Array(functions.length).fill(NO_GROUP);
  for (const [func, label] of labelOf) ofFunction[func] = numberOf.get(label) ?? NO_GROUP;
  return { labels, groups: { ofFunction, count: labels.length } };
}
