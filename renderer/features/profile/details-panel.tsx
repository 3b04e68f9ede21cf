import { useMemo, type ReactElement } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { Theme, WeightFormat } from '../../ui/flame/graph.types.ts';
import { countOf, format } from '../../ui/format.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { PickedDetails } from '../../state/profile/view-state.ts';
import { functionModule, functionName, functionSource } from '../../state/function-text.ts';
import type { Analysis, FunctionNames, NeighbourRow } from '../../analysis/profile/protocol.ts';
import { Composition } from './composition.tsx';
import { useFunctions, useView, useViewState } from '../../state/profile/context.ts';
import { stackText } from '../../ui/flame/tooltip/frame-text.ts';
import { shortName } from '../../state/transforms/list.ts';
import { errorText, weightFormat } from '../../state/weight-format.ts';
import { LinkButton } from '../../ui/buttons.tsx';
import { DetailsRow, DetailsWeight } from '../../ui/lists/details-row.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';

/** Facts about the selected function: its location, weight, callers, callees and stack. */
export function DetailsPanel({ theme }: { theme: Theme }): ReactElement {
  const picked = useViewState((state) => state.picked);
  const details = useViewState((state) => state.details);
  const { valueTypes } = useView().profile;
  const functions = useFunctions();
  const analysis = useViewState((state) => state.analysis);
  const valueType = useViewState((state) => state.selection.valueType);
  const unit = valueTypes[valueType]?.unit ?? 'count';
  const weights = useMemo(() => weightFormat(unit), [unit]);
  if (picked === null || analysis === null) {
    return (
      <>
        <p className="panel-hint">
          Select a frame in the graph or a row of the table to see its callers, callees and stack.
        </p>
        {analysis !== null && (
          <div className="details">
            <Composition func={null} theme={theme} weights={weights} />
          </div>
        )}
      </>
    );
  }
  return (
    <div className="details">
      <FunctionFacts
        func={picked.func}
        frame={frameOf(details, analysis)}
        functions={functions}
        analysis={analysis}
        weights={weights}
      />
      <Composition func={picked.func} theme={theme} weights={weights} />
      {details !== null && (
        <Surroundings details={details} functions={functions} total={analysis.total} weights={weights} />
      )}
    </div>
  );
}

/**
 * Returns the selected frame in its own tree; null if the function was selected without a place, and in bottom-up
 * trees, where self has another meaning.
 */
function frameOf(details: PickedDetails | null, { tree }: Analysis): PathEntry | null {
  return details === null || !details.exactStack || tree.kind === 'bottom-up' ? null : (details.stack.at(-1) ?? null);
}

interface FactsProps {
  readonly func: FunctionIndex;
  /** The weight in this stack, shown next to that in all stacks. */
  readonly frame: PathEntry | null;
  readonly functions: FunctionNames;
  readonly analysis: Analysis;
  readonly weights: WeightFormat;
}

function FunctionFacts({ func, frame, functions, analysis, weights }: FactsProps): ReactElement {
  const { rows, total } = analysis;
  const row = rows.func.indexOf(func);
  const weight = (value: number): string =>
    `${weights.value(value)} · ${weights.share(value, total)}${errorText(value, analysis)}`;
  const module = functionModule(functions, func);
  const source = functionSource(functions, func);
  return (
    <section className="details-facts">
      <div className="details-title">
        <h3 className="mono details-name">{shortName(functions, func, 400)}</h3>
        <CopyButton label="Copy function name" text={functionName(functions, func)} />
      </div>
      <dl>
        {module !== '' && <Fact name="module" text={shortenMiddle(visibleText(module), 200)} />}
        {source !== '' && <Fact name="source" text={shortenMiddle(visibleText(source), 200)} />}
        {row < 0 ? (
          <Fact name="self" text="not in this view" />
        ) : (
          <>
            <Fact name="self" text={weight(rows.self[row]!)} />
            <Fact name="total" text={weight(rows.total[row]!)} />
          </>
        )}
        {frame !== null && row >= 0 && frame.total !== rows.total[row] && (
          <>
            <Fact name="self in this call path" text={weight(frame.self)} />
            <Fact name="total in this call path" text={weight(frame.total)} />
          </>
        )}
      </dl>
    </section>
  );
}

function Fact({ name, text }: { name: string; text: string }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="mono">{text}</dd>
    </div>
  );
}

interface SurroundingsProps {
  readonly details: PickedDetails;
  readonly functions: FunctionNames;
  readonly total: number;
  readonly weights: WeightFormat;
}

function Surroundings({ details, functions, total, weights }: SurroundingsProps): ReactElement {
  const { callers, callees, callerCount, calleeCount, stack, exactStack } = details;
  const list = { functions, total, weights };
  return (
    <>
      <NeighbourList title="Callers" empty="(root of the stack)" rows={callers} count={callerCount} {...list} />
      <NeighbourList title="Callees" empty="(none)" rows={callees} count={calleeCount} {...list} />
      <StackList
        details={details}
        title={exactStack ? 'Stack' : 'Heaviest stack'}
        rows={stack}
        functions={functions}
        weights={weights}
        total={total}
      />
    </>
  );
}

interface NeighbourListProps {
  readonly title: string;
  readonly empty: string;
  readonly rows: readonly NeighbourRow[];
  /** Total number, including functions without a row. */
  readonly count: number;
  readonly functions: FunctionNames;
  readonly total: number;
  readonly weights: WeightFormat;
}

/** Number of rows shown; the others are counted. */
const MAX_ROWS = 30;

function NeighbourList({ title, empty, rows, count, functions, total, weights }: NeighbourListProps): ReactElement {
  const { preferences } = useWorkbench();
  const view = useView();
  return (
    <section>
      <h4>
        {title} <span className="dim">{format.number(count)} · weight of calls</span>
      </h4>
      <ul className="details-list">
        {rows.length === 0 && <li className="dim">{empty}</li>}
        {rows.slice(0, MAX_ROWS).map(({ func, weight }) => (
          <li key={func}>
            {func === -1 ? (
              <span className="dim">{empty}</span>
            ) : (
              <DetailsRow title={shortName(functions, func, 300)} onClick={() => view.pick({ func, node: null })}>
                {shortName(functions, func)}
              </DetailsRow>
            )}
            <DetailsWeight weight={weight} total={total} weights={weights} />
          </li>
        ))}
        {count > MAX_ROWS && (
          <li>
            <LinkButton onClick={() => preferences.set({ table: 'edges' })}>
              and {format.number(count - Math.min(rows.length, MAX_ROWS))} lighter ones, in the table
            </LinkButton>
          </li>
        )}
      </ul>
    </section>
  );
}

interface StackListProps {
  readonly details: PickedDetails;
  readonly title: string;
  readonly rows: PickedDetails['stack'];
  readonly functions: FunctionNames;
  readonly total: number;
  readonly weights: WeightFormat;
}

/** Maximum number of rows on screen; a deeper stack is cut in the middle, but copied completely. */
const MAX_STACK_ROWS = 400;

function StackList({ details, title, rows, functions, total, weights }: StackListProps): ReactElement {
  const view = useView();
  const tree = useViewState((state) => state.tree.kind);
  const hiddenRows = Math.max(0, rows.length - MAX_STACK_ROWS);
  const shown = hiddenRows === 0 ? rows : [...rows.slice(0, MAX_STACK_ROWS / 2), ...rows.slice(-MAX_STACK_ROWS / 2)];
  return (
    <section>
      <div className="details-title">
        <h4>
          {title}{' '}
          <span className="dim">{tree === 'bottom-up' ? 'leaf first' : 'root first'} · total in this call path</span>
        </h4>
        <CopyButton label="Copy stack" text={() => stackText(rows)} />
      </div>
      {hiddenRows > 0 && <p className="dim">{countOf(hiddenRows, 'frame')} in the middle not shown here</p>}
      <ol className="details-list">
        {shown.map((entry) => (
          <li key={entry.node} className={entry === rows.at(-1) && details.exactStack ? 'on' : ''}>
            <DetailsRow
              title={entry.func === null ? '' : shortName(functions, entry.func, 300)}
              onClick={() => {
                if (entry.func !== null) view.pick({ func: entry.func, node: entry.node });
              }}
            >
              {entry.func === null ? 'all' : shortName(functions, entry.func)}
            </DetailsRow>
            <DetailsWeight weight={entry.total} total={total} weights={weights} />
          </li>
        ))}
      </ol>
    </section>
  );
}
