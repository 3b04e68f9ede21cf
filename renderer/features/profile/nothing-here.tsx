import type { ReactElement } from 'react';
import { ALL_TIME } from '../../ui/time/committed-ranges.ts';
import { count, countOf } from '../../ui/format.ts';
import type { Analysis } from '../../analysis/profile/protocol.ts';
import { EmptyGraph } from './empty-graph.tsx';
import { useView, useViewState } from '../../state/profile/context.ts';
import { valueTypeText } from '../../state/value-type-text.ts';
import { weightFormat } from '../../state/weight-format.ts';
import { Button } from '../../ui/buttons.tsx';

/** Number of value types offered by an empty view; the field above lists all. */
const MAX_OTHERS = 5;

/** Explains why a view has no weight, and offers the way back. */
export function NothingHere({ analysis }: { analysis: Analysis }): ReactElement {
  const view = useView();
  const { profile } = view;
  const selection = useViewState((state) => state.selection);
  const transforms = useViewState((state) => state.transforms);
  const { unit } = profile.valueTypes[selection.valueType]!;
  const others = analysis.otherTypes;
  const before = analysis.withoutRange;
  const hidden = weightFormat(unit).value(analysis.hidden);
  return (
    <EmptyGraph>
      <h3>Nothing to show</h3>
      {analysis.hidden > 0 && (
        <Reason
          text={`Transforms hide the whole selection: ${hidden}.`}
          action="Switch all off"
          onAction={() => view.setTransforms(transforms.map((transform) => ({ ...transform, enabled: false })))}
        />
      )}
      {selection.timeRange !== null && (
        <Reason
          text={
            before === null
              ? 'The time range may contain no samples.'
              : `The time range excludes ${countOf(before.sampleCount, 'sample')}.`
          }
          action="Show the whole time"
          onAction={() => view.commitTime(ALL_TIME)}
        />
      )}
      {selection.threads !== null && (
        <Reason
          text={`${count(selection.threads.length)} of ${countOf(profile.threads.length, 'thread')} selected.`}
          action="Show all threads"
          onAction={() => view.select({ threads: null })}
        />
      )}
      {analysis.hidden === 0 && selection.timeRange === null && selection.threads === null && (
        <p>
          No sample has weight in {valueTypeText(profile.valueTypes, selection.valueType)}.
          {profile.valueTypes.length > 1 && others.length === 0 && ' All other value types are empty too.'}
        </p>
      )}
      {others.slice(0, MAX_OTHERS).map((valueType) => (
        <Reason
          key={valueType}
          text={`${valueTypeText(profile.valueTypes, valueType)} is not empty.`}
          action={`Show ${valueTypeText(profile.valueTypes, valueType)}`}
          onAction={() => view.select({ valueType })}
        />
      ))}
    </EmptyGraph>
  );
}

function Reason({ text, action, onAction }: { text: string; action: string; onAction: () => void }): ReactElement {
  return (
    <p className="empty-reason">
      {text} <Button onClick={onAction}>{action}</Button>
    </p>
  );
}

/** Explains that all samples lack a stack, so that graph and tables contain only the root. */
export function NoStacks(): ReactElement {
  return (
    <p className="graph-hint">
      None of these samples has a stack. Record with call graphs (on by default in Record…; perf: <code>-g</code>, or{' '}
      <code>--call-graph dwarf</code> for programs without frame pointers).
    </p>
  );
}
