import { useMemo, useState, type JSX } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { count } from '../../../ui/format.ts';
import { functionModuleName, functionName } from '../../../state/function-text.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import { useCompare } from '../../../state/compare/context.ts';
import { useValueText } from '../../../state/comparison-texts.ts';
import { LinkButton } from '../../../ui/buttons.tsx';
import { DetailsRow } from '../../../ui/lists/details-row.tsx';
import type { Side } from '#core/contract/side.ts';

/** The functions of each side that were not matched. */
export function UnmatchedLists({ compared }: { readonly compared: Compared }): JSX.Element {
  return (
    <>
      <UnmatchedList compared={compared} side="before" functions={compared.onlyBefore} />
      <UnmatchedList compared={compared} side="after" functions={compared.onlyAfter} />
    </>
  );
}

/** Number of functions listed at first and added by each click. */
const STEP = 30;

interface UnmatchedListProps {
  readonly compared: Compared;
  readonly side: Side;
  readonly functions: readonly number[];
}

function UnmatchedList({ compared, side, functions }: UnmatchedListProps): JSX.Element {
  const tab = useCompare();
  const values = useValueText(compared);
  const [shown, setShown] = useState(STEP);
  const weights = compared.total[side];
  const sorted = useMemo(() => [...functions].sort((a, b) => weights[b]! - weights[a]! || a - b), [functions, weights]);
  return (
    <section aria-label={`Only ${side}`}>
      <h4>
        Only {side} <span className="dim">{count(functions.length)}, by total</span>
      </h4>
      {functions.length === 0 && <p className="dim">Each function {side} has a match on the other side.</p>}
      <ul className="details-list">
        {sorted.slice(0, shown).map((func) => (
          <li key={func}>
            <DetailsRow
              title={visibleText(functionName(compared.functions, func).slice(0, 2000))}
              onClick={() => tab.pick({ func: func as FunctionIndex, node: null })}
            >
              {shortenMiddle(visibleText(functionName(compared.functions, func).slice(0, 2000)), 60)}
              <span className="faint"> {visibleText(functionModuleName(compared.functions, func).slice(0, 60))}</span>
            </DetailsRow>
            <span className="mono dim">{values.value(weights[func]!)}</span>
          </li>
        ))}
      </ul>
      {functions.length > shown && (
        <LinkButton onClick={() => setShown(shown + STEP)}>{count(functions.length - shown)} more</LinkButton>
      )}
    </section>
  );
}
