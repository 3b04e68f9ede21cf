import { useMemo, useState, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Theme, WeightFormat } from '../../ui/flame/graph.types.ts';
import { count } from '../../ui/format.ts';
import { Select } from '../../ui/fields/select.tsx';
import { DetailsWeight } from '../../ui/lists/details-row.tsx';
import { profileColours } from '../../state/colour-choice.ts';
import { useFunctions, useLineage, useView, useViewState } from '../../state/profile/context.ts';
import type { LeafRows, FunctionNames } from '../../analysis/profile/protocol.ts';
import { useAnswer } from '../../ui/table/use-answer.ts';
import './composition.css';
import { colourGroup, colourLabel, type ColourGroup, type ColourScheme } from '#core/colour/frame-colour.ts';
import { functionFacts } from '#core/model/function-facts.ts';

interface CompositionProps {
  /** Null for the whole view. */
  readonly func: FunctionIndex | null;
  readonly theme: Theme;
  readonly weights: WeightFormat;
}

type Grouping = 'kind' | 'module' | 'package' | 'function';

const GROUPINGS = (['kind', 'module', 'package', 'function'] as const satisfies Grouping[]).map((value) => ({
  value,
  label: `by ${value}`,
}));
/** Number of groups shown; the others are counted. */
const MAX_ROWS = 8;

const NOTHING: GroupBreakdown = { total: 0, rows: [], rest: { groups: 0, weight: 0 } };

/** The kinds of code, modules, packages or functions in which a function's weight is spent, including its callees. */
export function Composition({ func, theme, weights }: CompositionProps): ReactElement {
  const { profile } = useView();
  const functions = useFunctions();
  const leaves = useLeafWeights(func);
  const [mode, setMode] = useState<Grouping>('kind');
  const slots = useMemo(() => profileColours(profile, mode), [profile, mode]);
  const made = useMemo(
    () => (leaves === null ? null : madeOf(leaves, functions, { mode, theme, slots }, MAX_ROWS)),
    [leaves, functions, mode, theme, slots],
  );
  const { rows, rest, total } = made ?? NOTHING;
  return (
    <section>
      <div className="details-title">
        <h4>Spent in {func === null ? null : <span className="dim">of its total</span>}</h4>
        <Select name="Spent in, by" value={mode} options={GROUPINGS} onChange={setMode} />
      </div>
      <ul className="details-list composition" aria-busy={made === null}>
        {rows.map(({ label, colour, weight }) => (
          <li key={label}>
            <span className="composition-name">
              <span
                className="composition-bar"
                style={{ width: `${(weight / total) * 100}%`, backgroundColor: colour }}
              />
              <span className="mono ellipsis" title={shortenMiddle(visibleText(label), 300)}>
                {label === '' ? '(not known)' : shortenMiddle(visibleText(label), 80)}
              </span>
            </span>
            <DetailsWeight weight={weight} total={total} weights={weights} />
          </li>
        ))}
        {rest.groups > 0 && (
          <li className="dim">
            <span>and {count(rest.groups)} lighter</span>
            <span className="mono">{weights.share(rest.weight, total)}</span>
          </li>
        )}
        {made?.rows.length === 0 && <li className="dim">(nothing)</li>}
      </ul>
    </section>
  );
}

/**
 * Returns where a function's weight is spent in the current view, or where the whole view's is if null; null until
 * known.
 */
function useLeafWeights(func: FunctionIndex | null): LeafRows | null {
  const { ask } = useView();
  const revision = useViewState((state) => state.analysis?.revision) ?? null;
  const known = useAnswer(
    useMemo(
      () => (revision === null ? null : async () => ({ func, leaves: await ask('leaf-weights', { revision, func }) })),
      [ask, revision, func],
    ),
    useLineage(),
  );
  return known?.func === func ? known.leaves : null;
}

/** A group of functions with its part of a weight. */
interface CompositionRow extends ColourGroup {
  readonly weight: number;
}

interface GroupBreakdown {
  readonly total: number;
  /** The heaviest groups. */
  readonly rows: readonly CompositionRow[];
  /** All other groups. */
  readonly rest: { readonly groups: number; readonly weight: number };
}

/** Groups functions by colour and returns the weight of each group; at most `most` are listed. */
export function madeOf(
  { func, weight }: LeafRows,
  functions: FunctionNames,
  scheme: ColourScheme,
  most: number,
): GroupBreakdown {
  const names = { strings: functions.strings, functions };
  const groups = new Map<string, { readonly func: number; weight: number }>();
  let total = 0;
  for (const [row, one] of func.entries()) {
    const label = colourLabel(functionFacts(names, one), scheme.mode);
    let group = groups.get(label);
    if (group === undefined) {
      group = { func: one, weight: 0 };
      groups.set(label, group);
    }
    group.weight += weight[row]!;
    total += weight[row]!;
  }
  const ordered = [...groups.values()].sort((a, b) => b.weight - a.weight);
  return {
    total,
    rows: ordered
      .slice(0, most)
      .map((group) => ({ ...colourGroup(functionFacts(names, group.func), scheme), weight: group.weight })),
    rest: {
      groups: Math.max(0, ordered.length - most),
      weight: ordered.slice(most).reduce((sum, group) => sum + group.weight, 0),
    },
  };
}
