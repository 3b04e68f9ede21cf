import type { ReactElement } from 'react';
import { describeTransform } from '#core/analyze/describe-transform.ts';
import { Icon } from '../shell/icons.tsx';
import { format } from '../shell/format.ts';
import { useView, useViewState } from './profile-context.ts';
import { transformMeaning } from './transform-text.ts';
import { weightFormat } from './weight-format.ts';

/** What changes the view, in the order it is applied; each can be taken away. */
export function TransformChips(): ReactElement | null {
  const view = useView();
  const transforms = useViewState((state) => state.transforms);
  const selection = useViewState((state) => state.selection);
  const analysis = useViewState((state) => state.analysis);
  if (transforms.length === 0 && selection.timeRange === null) return null;
  const unit = view.profile.valueTypes[selection.valueType]?.unit ?? 'count';
  return (
    <ul className="chips" aria-label="Applied to this view">
      {selection.timeRange !== null && (
        <Chip
          text={`time: ${format.value(selection.timeRange.end - selection.timeRange.start, 'nanoseconds')}`}
          title="Only samples of the chosen time"
          onRemove={() => {
            view.select({ timeRange: null });
          }}
        />
      )}
      {transforms.map((transform, index) => (
        <Chip
          key={JSON.stringify(transform)}
          text={describeTransform(transform)}
          title={transformMeaning(transform)}
          onRemove={() => {
            view.setTransforms(transforms.filter((_, other) => other !== index));
          }}
        />
      ))}
      {analysis !== null && analysis.hidden > 0 && (
        <li className="dim hidden-weight" title="Weight that the steps before leave out">
          {weightFormat(unit).value(analysis.hidden)} left out
        </li>
      )}
    </ul>
  );
}

function Chip({ text, title, onRemove }: { text: string; title: string; onRemove: () => void }): ReactElement {
  return (
    <li className="chip" title={title}>
      <span className="ellipsis">{text}</span>
      <button type="button" className="icon-button" aria-label={`Remove ${text}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  );
}
