import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { TargetState } from '#core/contract/target.ts';
import { Icon } from '../icons.tsx';
import { STATE_LOOKS } from './target-words.ts';

/** The state as an icon; its text is next to it, or for screen readers only. */
export function StateIcon({ state, spoken }: { state: TargetState; spoken: boolean }): ReactElement {
  const { icon, sentence } = STATE_LOOKS[state.kind];
  return (
    <span className={`target-icon ${state.kind}`}>
      <Icon name={icon} />
      {spoken && <span className="sr-only">{sentence}</span>}
    </span>
  );
}

/** The connection's message and what to do. */
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
