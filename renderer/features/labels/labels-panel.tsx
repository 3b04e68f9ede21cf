import { useMemo, useState, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { valuesInRanges } from '#core/analyze/reading/label-ranges.ts';
import type { LabelBreakdown, LabelValue } from '#core/analyze/reading/labels.ts';
import { parseLabelFilter } from '#core/analyze/reading/parse-label-filter.ts';
import type { LabelFilter } from '#core/analyze/reading/label-filter.ts';
import { count } from '../../ui/format.ts';
import { useAnswer } from '../../ui/table/use-answer.ts';
import { useLineage, useView, useViewState } from '../../state/profile/context.ts';
import { toggledLabel, withLabel } from '../../state/transforms/list.ts';
import { weightFormat } from '../../state/weight-format.ts';
import type { WeightFormat } from '../../ui/flame/graph.types.ts';
import './labels.css';
import { Button, IconButton } from '../../ui/buttons.tsx';

/** Number of values shown per key; the others are counted. */
const MAX_VALUES = 20;

/**
 * The weight of each label key's values in the view, heaviest first, with shares of the view. Each value can be kept or
 * hidden, and each key can group the stacks.
 */
export function LabelsPanel(): ReactElement {
  const { ask, profile } = useView();
  const analysis = useViewState((state) => state.analysis);
  const valueType = useViewState((state) => state.selection.valueType);
  const unit = profile.valueTypes[valueType]?.unit ?? 'count';
  const weights = useMemo(() => weightFormat(unit), [unit]);
  const known = useAnswer(
    useMemo(() => {
      if (analysis === null) return null;
      const { revision, total } = analysis;
      return async () => ({ keys: await ask('labels', { revision }), total });
    }, [ask, analysis]),
    useLineage(),
  );
  const keys = known?.keys ?? null;
  if (keys?.length === 0) return <p className="panel-hint">No sample of this view has a label.</p>;
  return (
    <div className="details labels" aria-busy={keys === null}>
      {known?.keys.map((key) => (
        <LabelKey key={key.key} breakdown={key} total={known.total} weights={weights} />
      ))}
    </div>
  );
}

interface LabelKeyProps {
  readonly breakdown: LabelBreakdown;
  readonly total: number;
  readonly weights: WeightFormat;
}

function LabelKey({ breakdown, total, weights }: LabelKeyProps): ReactElement {
  const { key, unit } = breakdown;
  const values = useMemo(() => valuesInRanges(breakdown), [breakdown]);
  const rest = values.slice(MAX_VALUES);
  const restWeight = rest.reduce((sum, { weight }) => sum + weight, 0);
  const name = shortenMiddle(visibleText(key), 80);
  return (
    <section aria-label={`Label ${name}`}>
      <div className="label-head">
        <h4>{name}</h4>
        <GroupButton label={key} kind="label-root" />
        <GroupButton label={key} kind="label-leaf" />
      </div>
      <ul className="details-list">
        {values.slice(0, MAX_VALUES).map((value) => (
          <ValueRow key={value.text} label={key} unit={unit} value={value} total={total} weights={weights} />
        ))}
        {rest.length > 0 && (
          <li className="dim">
            <span>and {count(rest.length)} more</span>
            <span className="mono">{weights.share(restWeight, total)}</span>
          </li>
        )}
      </ul>
      {values.some(({ numbers }) => numbers !== null) && <RangeField label={key} />}
    </section>
  );
}

/** Toggles whether the key's values are added as root or leaf frames. */
function GroupButton({ label, kind }: { label: string; kind: 'label-root' | 'label-leaf' }): ReactElement {
  const view = useView();
  const transforms = useViewState((state) => state.transforms);
  const isOn = transforms.some((one) => one.kind === kind && one.key === label && one.enabled);
  const place = kind === 'label-root' ? 'root' : 'leaf';
  const name = shortenMiddle(visibleText(label), 80);
  return (
    <Button
      className="small"
      aria-pressed={isOn}
      aria-label={`Group by ${name} at the ${place}`}
      title={`Group stacks by ${name}: its value becomes the ${place} frame`}
      onClick={() => view.setTransforms(toggledLabel(transforms, kind, label))}
    >
      {place}
    </Button>
  );
}

interface ValueRowProps {
  readonly label: string;
  readonly unit: string;
  readonly value: LabelValue;
  readonly total: number;
  readonly weights: WeightFormat;
}

function ValueRow({ label, unit, value, total, weights }: ValueRowProps): ReactElement {
  const view = useView();
  const transforms = useViewState((state) => state.transforms);
  const { text, weight, numbers } = value;
  const shown = text === '' ? '(empty)' : shortenMiddle(visibleText(text), 80);
  const filter: LabelFilter =
    numbers === null ? { key: label, values: [text] } : { key: label, from: numbers.from, to: numbers.to, unit };
  const apply = (kind: 'keep-label' | 'hide-label') => (): void => {
    view.setTransforms(withLabel(transforms, kind, filter));
  };
  return (
    <li>
      <span className="mono ellipsis" title={shortenMiddle(visibleText(text), 300)}>
        {shown}
      </span>
      <span className="label-weight">
        <span className="mono dim" title={weights.share(weight, total)}>
          {weights.value(weight)} · {weights.share(weight, total)}
        </span>
        <IconButton
          icon="funnel"
          label={`Only ${shown}`}
          title={`Only samples with ${shown}`}
          onClick={apply('keep-label')}
        />
        <IconButton
          icon="minus"
          label={`Hide ${shown}`}
          title={`Hide samples with ${shown}`}
          onClick={apply('hide-label')}
        />
      </span>
    </li>
  );
}

/** Keeps samples whose number lies in a typed range. */
function RangeField({ label }: { label: string }): ReactElement {
  const view = useView();
  const transforms = useViewState((state) => state.transforms);
  const [text, setText] = useState('');
  const filter = parseLabelFilter(`x=${text.trim()}`);
  const range = 'from' in filter ? { ...filter, key: label } : null;
  const isWrong = text.trim() !== '' && range === null;
  return (
    <form
      className="label-range"
      onSubmit={(event) => {
        event.preventDefault();
        if (range === null) return;
        view.setTransforms(withLabel(transforms, 'keep-label', range));
        setText('');
      }}
    >
      <span className={isWrong ? 'field invalid' : 'field'}>
        <input
          className="mono"
          aria-label={`Range of ${shortenMiddle(visibleText(label), 80)}`}
          aria-invalid={isWrong}
          placeholder="range: 4kb:64kb, 4kb:, :64kb"
          spellCheck={false}
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </span>
      <Button type="submit" className="small" disabled={range === null}>
        Only
      </Button>
    </form>
  );
}
