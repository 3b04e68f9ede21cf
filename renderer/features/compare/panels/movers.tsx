import type { JSX } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { callersText } from '#core/compare/describe-answer.ts';
import { changeSentence, describeChange } from '#core/compare/describe-change.ts';
import { methodName } from '#core/compare/describe-comparison.ts';
import { nothingMoved } from '#core/compare/describe-sizes.ts';
import type { Mover, TopMovers } from '#core/compare/top-movers.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { countOf, fitName, format } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icons.tsx';
import { functionModuleName, functionName } from '../../../state/function-text.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import { verdictTone } from '../../../ui/table/delta-columns.ts';
import { useValueText, verdictReason } from '../../../state/comparison-texts.ts';
import './panels.css';
import { Button, LinkButton } from '../../../ui/buttons.tsx';

/** The largest changes first, in sentences; a click selects the function. */
export function MoversPanel({ compared, top }: { readonly compared: Compared; readonly top: TopMovers | null }) {
  if (top === null) return <p className="panel-hint">Looking for changes…</p>;
  return <MoverList compared={compared} top={top} />;
}

function MoverList({ compared, top }: { readonly compared: Compared; readonly top: TopMovers }): JSX.Element {
  const values = useValueText(compared);
  const picked = useCompareState((state) => state.picked?.func ?? null);
  if (top.movers.length === 0) return <NothingMoved compared={compared} />;
  return (
    <div className="movers">
      <ol className="mover-list" aria-label="Top movers">
        {top.movers.map((mover) => (
          <MoverRow
            key={`${mover.func} ${mover.column}`}
            mover={mover}
            compared={compared}
            values={values}
            isPicked={picked === mover.func}
          />
        ))}
      </ol>
      <Remainder top={top} />
      <Button className="movers-copy" onClick={() => void copyText(moverLines(compared, top, values).join('\n'))}>
        <Icon name="copy" />
        Copy as text
      </Button>
    </div>
  );
}

/** Returns the sentences, and the line that describes their numbers. */
function moverLines(compared: Compared, { movers }: TopMovers, values: ValueText): string[] {
  const { functions, normalised } = compared;
  const reason = verdictReason(compared);
  const sentences = movers.map(({ func, column, judgement }) =>
    changeSentence(visibleText(functionName(functions, func)), judgement, column, values, reason),
  );
  return [...sentences, '', `${normalised.formula} (${methodName(compared)})`];
}

interface MoverRowProps {
  readonly mover: Mover;
  readonly compared: Compared;
  readonly values: ValueText;
  readonly isPicked: boolean;
}

function MoverRow({ mover, compared, values, isPicked }: MoverRowProps): JSX.Element {
  const tab = useCompare();
  const { func, column, judgement } = mover;
  const { headline, detail } = describeChange(judgement, column, values, verdictReason(compared));
  const name = visibleText(functionName(compared.functions, func).slice(0, 2000));
  const module = visibleText(functionModuleName(compared.functions, func).slice(0, 200));
  return (
    <li>
      <button
        type="button"
        className={isPicked ? 'mover on' : 'mover'}
        aria-pressed={isPicked}
        title={module === '' ? name : `${name}\n${module}`}
        onClick={() => tab.pick({ func: func as FunctionIndex, node: null })}
      >
        <span className={`mover-sign tone-${verdictTone(judgement)}`} aria-hidden="true">
          {judgement.delta > 0 ? '▲' : '▼'}
        </span>
        <span className="mover-text">
          <b className="mono">{fitName(name, 120)}</b>{' '}
          <span className={`mover-headline tone-${verdictTone(judgement)}`}>{headline}</span>
          <span className="mover-detail">{detail}</span>
        </span>
      </button>
    </li>
  );
}

/** The changes that are not listed, with the reason. */
function Remainder({ top }: { readonly top: TopMovers }): JSX.Element | null {
  const tab = useCompare();
  const { more } = top;
  const callers = callersText(top, format);
  if (more === 0 && callers === null) return null;
  return (
    <p className="faint-hint">
      {more > 0 && (
        <>
          <LinkButton
            onClick={() =>
              tab.lookAtTable({ measure: 'self', show: 'all', sort: { column: 'verdict', direction: 'descending' } })
            }
          >
            {countOf(more, 'more function')}
          </LinkButton>{' '}
          also changed; see the table.{' '}
        </>
      )}
      {callers}
    </p>
  );
}

function NothingMoved({ compared }: { readonly compared: Compared }): JSX.Element {
  const { warnings, whole, normalised, isReplicated } = compared;
  const total = normalised.kind === 'share' ? null : whole;
  const text = nothingMoved(warnings, total, normalised.isRelative === true, isReplicated);
  const hint = isReplicated ? ' Select a function to see how many more runs would show a smaller change of it.' : '';
  return <p className="panel-hint">{text + hint}</p>;
}
