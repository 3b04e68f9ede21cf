import { useState, type JSX } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { Merge } from '#core/compare/match/match-functions.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { count, countOf } from '../../../ui/format.ts';
import { functionName } from '../../../state/function-text.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import { useCompare } from '../../../state/compare/context.ts';
import { LinkButton } from '../../../ui/buttons.tsx';
import { DetailsRow } from '../../../ui/lists/details-row.tsx';

/** Number of functions listed at first and added by each click. */
const STEP = 50;
/** Number of merged names shown. */
const MOST_NAMES = 12;

interface MergeListProps {
  readonly merges: readonly Merge[];
  readonly compared: Compared;
}

/** The functions that a rule merged, with their names in the captures. */
export function MergeList({ merges, compared }: MergeListProps): JSX.Element {
  const [shown, setShown] = useState(STEP);
  return (
    <details className="merges">
      <summary>merged into {countOf(merges.length, 'function')}</summary>
      <ul>
        {merges.slice(0, shown).map((merge) => (
          <MergeRow key={merge.func} merge={merge} compared={compared} />
        ))}
      </ul>
      {merges.length > shown && (
        <LinkButton onClick={() => setShown(shown + STEP)}>{count(merges.length - shown)} more</LinkButton>
      )}
    </details>
  );
}

function MergeRow({ merge: { func, from }, compared }: { readonly merge: Merge; readonly compared: Compared }) {
  const tab = useCompare();
  return (
    <li>
      <DetailsRow onClick={() => tab.pick({ func: func as FunctionIndex, node: null })}>
        {shown(functionName(compared.functions, func))}
      </DetailsRow>
      <ul className="merged-names">
        {from.slice(0, MOST_NAMES).map(({ name, module, inBefore, inAfter }) => (
          <li key={`${name} ${module}`}>
            <span className="mono ellipsis" title={visibleText(`${name}\n${module}`.slice(0, 2000))}>
              {shown(name)}
              {module !== '' && <span className="faint"> {shown(module, 40)}</span>}
            </span>
            <span className="dim">{inBefore && inAfter ? 'both' : inBefore ? 'before' : 'after'}</span>
          </li>
        ))}
        {from.length > MOST_NAMES && <li className="dim">and {count(from.length - MOST_NAMES)} more names</li>}
      </ul>
    </li>
  );
}

const shown = (text: string, length = 80): string => shortenMiddle(visibleText(text.slice(0, 2000)), length);
