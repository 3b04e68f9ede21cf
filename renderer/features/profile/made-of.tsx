import { useMemo, useState, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Theme, WeightFormat } from '../../ui/flame/flame-graph.types.ts';
import { count } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { profileColours } from '../../state/colour-choice.ts';
import { madeOf, type MadeOf as MadeOfGroups } from './made-of-groups.ts';
import { useFunctions, useView, useViewState } from '../../state/profile/context.ts';
import type { LeafRows } from '../../analysis/profile/protocol.ts';
import { useAnswer } from '../../ui/table/use-answer.ts';
import './made-of.css';

interface MadeOfProps {
  /** Null: of all that is seen. */
  readonly func: FunctionIndex | null;
  readonly theme: Theme;
  readonly weights: WeightFormat;
}

type Grouping = 'kind' | 'module' | 'package' | 'function';

const GROUPINGS: readonly Grouping[] = ['kind', 'module', 'package', 'function'];
/** Groups shown; the rest is counted. */
const MAX_ROWS = 8;

const NOTHING: MadeOfGroups = { total: 0, rows: [], rest: { groups: 0, weight: 0 } };

/** In which kinds of code, modules, packages or functions the weight of a function is spent, with all that it calls. */
export function MadeOf({ func, theme, weights }: MadeOfProps): ReactElement {
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
        <h4>Spent in</h4>
        <span className="select">
          <select
            aria-label="Spent in, by"
            value={mode}
            onChange={(event) => {
              setMode(event.currentTarget.value as Grouping);
            }}
          >
            {GROUPINGS.map((value) => (
              <option key={value} value={value}>
                by {value}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" />
        </span>
      </div>
      <ul className="details-list made-of" aria-busy={made === null}>
        {rows.map(({ label, colour, weight }) => (
          <li key={label}>
            <span className="made-of-name">
              <span className="made-of-bar" style={{ width: `${(weight / total) * 100}%`, backgroundColor: colour }} />
              <span className="mono ellipsis" title={shortenMiddle(visibleText(label), 300)}>
                {label === '' ? '(not known)' : shortenMiddle(visibleText(label), 80)}
              </span>
            </span>
            <span className="mono dim" title={weights.value(weight)}>
              {weights.share(weight, total)}
            </span>
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

/** Where the weight of a function is spent in the view as it is now; null: of all. Null until that is known. */
function useLeafWeights(func: FunctionIndex | null): LeafRows | null {
  const { ask } = useView();
  const revision = useViewState((state) => state.analysis?.revision) ?? null;
  return useAnswer(
    useMemo(() => (revision === null ? null : () => ask('leaf-weights', { revision, func })), [ask, revision, func]),
  );
}
