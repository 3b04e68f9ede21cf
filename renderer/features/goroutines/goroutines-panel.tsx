import { useMemo, useState, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { GoroutineGroup } from '#core/analyze/tables/goroutines.ts';
import { useLineage, useView, useViewState } from '../../state/profile/context.ts';
import { count } from '../../ui/format.ts';
import { useAnswer } from '../../ui/table/use-answer.ts';
import './goroutines.css';
import { Button, LinkButton } from '../../ui/buttons.tsx';

/** Number of stacks that are added at a time. */
const PAGE = 50;

/** The goroutines of the view by stack, most frequent first, with their states and longest waits. */
export function GoroutinesPanel(): ReactElement {
  const { ask } = useView();
  const revision = useViewState((state) => state.analysis?.revision ?? null);
  const [shown, setShown] = useState(PAGE);
  const groups = useAnswer(
    useMemo(() => (revision === null ? null : () => ask('goroutines', { revision })), [ask, revision]),
    useLineage(),
  );
  if (groups?.length === 0) return <p className="panel-hint">No goroutine in this view.</p>;
  return (
    <div className="details" aria-busy={groups === null}>
      <ol className="goroutine-list">
        {groups?.slice(0, shown).map((group, row) => (
          <GroupItem key={row} group={group} />
        ))}
      </ol>
      {groups !== null && groups.length > shown && (
        <Button className="small" onClick={() => setShown(shown + PAGE)}>
          Show {count(Math.min(PAGE, groups.length - shown))} more of {count(groups.length - shown)} stacks
        </Button>
      )}
    </div>
  );
}

function GroupItem({ group }: { readonly group: GoroutineGroup }): ReactElement {
  const view = useView();
  const { func, frames, states, longestWaitNs, createdBy } = group;
  const minutes = Math.round((longestWaitNs ?? 0) / 60e9);
  const facts = [
    ...states.map((state) => (states.length === 1 ? state.text : `${count(state.count)} ${state.text}`)),
    ...(minutes > 0 ? [`longest wait ${count(minutes)} min`] : []),
    ...(createdBy === null ? [] : [`created by ${createdBy}`]),
  ];
  const text = (name: string): string => shortenMiddle(visibleText(name), 120);
  const own = group.own === null ? '(no stack)' : text(group.own);
  return (
    <li>
      <div className="goroutine-head">
        <b className="mono">{count(group.count)}</b>
        <LinkButton
          className="mono ellipsis"
          title="Select this function"
          disabled={func === null}
          onClick={() => {
            if (func !== null) view.pick({ func, node: null });
          }}
        >
          {own}
        </LinkButton>
      </div>
      {facts.length > 0 && <p className="dim">{facts.map(text).join(', ')}</p>}
      {frames.length > 0 && (
        <details>
          <summary>{frames.length === 1 ? '1 frame' : `${count(frames.length)} frames`}</summary>
          <ol className="goroutine-stack mono">
            {frames.map((name, row) => (
              <li key={row} className="ellipsis" title={shortenMiddle(visibleText(name), 300)}>
                {text(name)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}
