import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { TargetState } from '#core/contract/target.ts';
import { Icon } from '../icons.tsx';
import { STATE_LOOKS } from './target-words.ts';

/** The state as an icon; the text stands beside it, or is for screen readers. */
export function StateIcon({ state, spoken }: { state: TargetState; spoken: boolean }): ReactElement {
  const { icon, sentence } = STATE_LOOKS[state.kind];
  return (
    <span className={`target-icon ${state.kind}`}>
      <Icon name={icon} />
      {spoken && <span className="sr-only">{sentence}</span>}
    </span>
  );
}

/** What a connection says of itself, and what to do. */
export function StateText({ state }: { state: TargetState }): ReactElement {
  const { sentence } = STATE_LOOKS[state.kind];
  const said = state.message === null ? sentence : visibleText(state.message);
  return (
    <span className="target-state-text">
      {said}
      {state.remedy !== null && (
        <>
          {/[.?!:]$/.test(said) ? ' ' : '. '}
          <span className="dim">{visibleText(state.remedy)}</span>
        </>
      )}
    </span>
  );
}
