import type { ReactElement } from 'react';
import { describeFound } from '#core/analyze/transforms/describe-transform.ts';
import { baseName } from '#core/model/base-name.ts';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { TransformPreview } from '#core/analyze/transforms/preview-transform.ts';
import { Icon } from '../../ui/icons.tsx';
import { format } from '../../ui/format.ts';
import type { PreviewState } from './previewer.ts';

interface PreviewPanelProps {
  readonly state: PreviewState;
  /** What must still be filled in; null if nothing. */
  readonly missing: string | null;
  readonly transform: NamedTransform | null;
  readonly unit: string;
}

/** What a transform would match and hide, while it is being edited. */
export function PreviewPanel({ state, missing, transform, unit }: PreviewPanelProps): ReactElement {
  if (missing !== null || transform === null || state.status === 'none') {
    return <div className="preview dim">{missing}</div>;
  }
  if (state.status === 'refused') {
    const { message, remedy } = state.problem;
    return (
      <div className="preview refused" role="alert">
        <Icon name="warning" />
        <p>
          {message} {remedy !== null && <span className="dim">{remedy}</span>}
        </p>
      </div>
    );
  }
  if (state.status === 'running') return <div className="preview dim">…</div>;
  return (
    <div className="preview">
      <output>
        <Found preview={state.preview} transform={transform} unit={unit} />
        {(state.preview.warning ?? null) !== null && (
          <p className="finds-nothing">
            <Icon name="warning" />
            {state.preview.warning}
          </p>
        )}
      </output>
      <ul>
        {state.preview.functions.map(({ func, total }) => (
          <li key={JSON.stringify(func)}>
            <span className="mono ellipsis">{shown(func.name) || '(no name)'}</span>
            <span className="dim ellipsis">{shown(baseName(func.module))}</span>
            <span className="mono dim">{format.share(total, state.preview.total)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const shown = (text: string): string => shortenMiddle(visibleText(text.slice(0, 20_000)), 120);

interface FoundProps {
  readonly preview: TransformPreview;
  readonly transform: NamedTransform;
  readonly unit: string;
}

function Found({ preview, transform, unit }: FoundProps): ReactElement {
  const { found, weight, total, hides } = preview;
  const finds = describeFound(transform, found);
  if (found === 0) {
    return (
      <p className="finds-nothing">
        <Icon name="warning" />
        Finds nothing here{hides > 0 ? ', so it would hide everything.' : ', so it would change nothing.'}
      </p>
    );
  }
  return (
    <p>
      Finds <b>{finds}</b>, in stacks with <b className="mono">{format.share(weight, total)}</b> of the weight (
      <span className="mono">{format.value(weight, unit)}</span>).{' '}
      {hides > 0 ? (
        <>
          Leaves out <b className="mono">{format.share(hides, total)}</b> (
          <span className="mono">{format.value(hides, unit)}</span>).
        </>
      ) : (
        'Hides nothing.'
      )}
    </p>
  );
}
