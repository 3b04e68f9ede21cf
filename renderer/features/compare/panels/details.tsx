import { UNION } from '../../../state/compare/source.ts';
import { useMemo, type JSX } from 'react';
import { ROOT_LABEL, shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { countOf } from '../../../ui/format.ts';
import { useAnswer } from '../../../ui/table/use-answer.ts';
import { VERDICTS } from '#core/compare/frame-delta.ts';
import type { Compared, ComparePathEntry } from '../../../analysis/comparison/protocol.ts';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import { DeltaFacts } from '../table/facts.tsx';
import { relativeChange, SIGNS } from '../../../ui/flame/chart/delta-style.ts';
import { deltaGroupOf, presenceOf } from '#core/compare/frame-delta.ts';
import { ChangeDetails } from './function-change.tsx';
import { useValueText, verdictReason } from '../../../state/comparison-texts.ts';
import { DetailsRow } from '../../../ui/lists/details-row.tsx';

/** The change of the selected function, and of the path in which it was selected. */
export function CompareDetails({ compared }: { readonly compared: Compared }): JSX.Element {
  const picked = useCompareState((state) => state.picked);
  if (picked === null) {
    return <p className="panel-hint">Select a frame in a graph or a row of the table to see how it changed.</p>;
  }
  return (
    <div className="details">
      <ChangeDetails compared={compared} func={picked.func} />
      {picked.node === null ? null : <PickedPath compared={compared} node={picked.node} />}
    </div>
  );
}

interface PickedPathProps {
  readonly compared: Compared;
  readonly node: CallNodeIndex;
}

function PickedPath({ compared, node }: PickedPathProps): JSX.Element | null {
  const tab = useCompare();
  const text = useValueText(compared);
  const { revision } = compared;
  const answer = useAnswer(
    useMemo(
      () => () =>
        Promise.all([
          tab.ask('describe-path', { revision, node, root: 0 as CallNodeIndex }),
          tab.ask('path', { revision, tree: UNION, node }),
        ]),
      [tab, revision, node],
    ),
  );
  if (answer === null) return null;
  const [detail, path] = answer;
  const { delta } = path.at(-1)!;
  return (
    <>
      <section>
        <h4>This call path</h4>
        <DeltaFacts
          self={{ before: delta.selfBefore, after: delta.selfAfter }}
          total={delta}
          whole={{ before: compared.before.total, after: compared.after.total }}
          verdict={VERDICTS[delta.verdict]!}
          judgement={detail.tested ?? detail.judgement}
          reason={verdictReason(compared)}
          text={text}
        />
      </section>
      <section>
        <h4>
          Its callers <span className="dim">root first</span>
        </h4>
        <PathList path={path} relative={(entry) => changeOf(entry, text)} />
      </section>
    </>
  );
}

/** Maximum number of rows; a deeper path is cut in the middle. */
const MAX_ROWS = 400;

interface PathListProps {
  readonly path: readonly ComparePathEntry[];
  readonly relative: (entry: ComparePathEntry) => string;
}

function PathList({ path, relative }: PathListProps): JSX.Element {
  const tab = useCompare();
  const hidden = Math.max(0, path.length - MAX_ROWS);
  const shown = hidden === 0 ? path : [...path.slice(0, MAX_ROWS / 2), ...path.slice(-MAX_ROWS / 2)];
  return (
    <>
      {hidden === 0 ? null : <p className="dim">{countOf(hidden, 'frame')} in the middle not shown here</p>}
      <ol className="details-list">
        {shown.map((entry) => (
          <li key={entry.node} className={entry === path.at(-1) ? 'on' : ''}>
            <DetailsRow
              title={nameOf(entry, 300)}
              onClick={() => {
                if (entry.func !== null) tab.pick({ func: entry.func, node: entry.node });
              }}
            >
              {nameOf(entry, 120)}
            </DetailsRow>
            <span className="mono dim">{relative(entry)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

const nameOf = ({ facts }: ComparePathEntry, most: number): string =>
  facts === null ? ROOT_LABEL : shortenMiddle(visibleText(facts.name.slice(0, 4000)), most);

/** Returns `▲ +12.3 %` or `only after`. */
function changeOf({ delta }: ComparePathEntry, text: ValueText): string {
  const presence = presenceOf(delta);
  const change = presence === 'both' ? relativeChange(delta.before, delta.after, text) : presence.replace('-', ' ');
  return `${SIGNS[deltaGroupOf(delta)]} ${change}`.trim();
}
