import { useMemo, type ReactElement } from 'react';
import { useFunctions, useView, useViewState } from '../../state/profile/context.ts';
import { shortName } from '../../state/transforms/list.ts';
import { weightFormat } from '../../state/weight-format.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import { functionName } from '../../state/function-text.ts';
import { InstructionsView } from './instructions-view.tsx';
import { LinesView } from './lines-view.tsx';
import type { SourceLook } from '../../state/source/source.types.ts';
import './source.css';

/** Source lines and instructions of the selected function. */
export function SourcePage(): ReactElement {
  const picked = useViewState((state) => state.picked);
  const analysis = useViewState((state) => state.analysis);
  const valueType = useViewState((state) => state.selection.valueType);
  const functions = useFunctions();
  const { profile, lookAtSource } = useView();
  const { valueTypes } = profile;
  const look = useViewState((state) => state.source);
  const unit = valueTypes[valueType]?.unit ?? 'count';
  const weights = useMemo(() => weightFormat(unit), [unit]);
  if (picked === null || analysis === null) {
    return (
      <p className="panel-hint">Select a frame in the graph or a row of the table to see its source lines and code.</p>
    );
  }
  const { func } = picked;
  const setPage = (page: SourceLook['page']): void => lookAtSource({ page });
  const total = analysis.rows.total[analysis.rows.func.indexOf(func)] ?? 0;
  return (
    <div className="source-page">
      <div className="source-bar">
        <Segments
          label="Source as"
          value={look.page}
          options={[
            { value: 'lines', label: 'Lines', title: 'Weight per source line, in the current selection' },
            { value: 'instructions', label: 'Instructions', title: 'Weight per instruction, by perf annotate' },
          ]}
          onChange={setPage}
        />
        <h3 className="mono ellipsis" title={shortName(functions, func, 2000)}>
          {shortName(functions, func, 200)}
        </h3>
        {look.page === 'lines' && <span className="dim mono">{weights.value(total)}</span>}
      </div>
      {look.page === 'lines' ? (
        <LinesView
          key={func}
          func={func}
          total={total}
          weights={weights}
          onInstructions={() => setPage('instructions')}
        />
      ) : (
        <InstructionsView func={func} name={functionName(functions, func)} />
      )}
    </div>
  );
}
