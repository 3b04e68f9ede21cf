import type { ReactElement } from 'react';
import type { CompareStep } from '#core/compare/comparison.ts';
import { bytes, countOf } from '../../ui/format.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useCompare, useCompareState } from '../../state/compare/context.ts';
import type { CompareState } from '../../state/compare/compare.types.ts';
import { allCaptures } from '../../state/compare/sides.ts';
import { captureName } from '../../state/compare/title.ts';
import { Button } from '../../ui/buttons.tsx';
import { SIDES } from '#core/contract/side.ts';

const STEPS: Readonly<Record<CompareStep, string>> = {
  measure: 'Weighing captures',
  match: 'Matching functions',
  test: 'Testing differences',
  tree: 'Joining call trees',
  paths: 'Testing call paths',
};

/** Progress of reading and comparing, and problems with their remedies. */
export function CompareProgress(): ReactElement | null {
  const tab = useCompare();
  const reading = useCompareState((state) => state.reading);
  const comparing = useCompareState((state) => state.comparing);
  const stopped = useCompareState((state) => state.stopped);
  const problem = useCompareState((state) => state.problem);
  const shows = useCompareState((state) => state.analysis !== null);
  const emptySide = useCompareState(({ before, after }) => SIDES.find((side) => isEmpty({ before, after }[side])));
  return (
    <>
      {reading !== null && <Reading {...reading} />}
      {reading === null && comparing !== null && (
        <Running text={STEPS[comparing.step]} share={comparing.done} detail={format(comparing.done)} />
      )}
      <Unreadable />
      {problem !== null && (
        <ProblemView problem={problem}>
          <ProblemWays shows={shows} refused={problem.code === 'refused'} />
        </ProblemView>
      )}
      {stopped && (
        <div className="compare-wait">
          <p>The comparison was cancelled.</p>
          <Button className="primary" onClick={() => void tab.load()}>
            Compare
          </Button>
        </div>
      )}
      {!stopped && reading === null && emptySide !== undefined && (
        <div className="compare-wait">
          <p>
            The {emptySide} side has no readable capture. Add one with the + next to its name, or move one from the
            other side below.
          </p>
        </div>
      )}
    </>
  );
}

const isEmpty = ({ captures }: { readonly captures: readonly { readonly phase: string }[] }): boolean =>
  captures.every(({ phase }) => phase === 'failed');

const format = (done: number): string => `${Math.round(done * 100)} %`;

type ReadingState = NonNullable<CompareState['reading']>;

/** Its parent gives the state: read again here, it might already be null. */
function Reading({ number, of, fileName, readBytes, totalBytes }: ReadingState): ReactElement {
  const share = totalBytes === null || totalBytes === 0 ? 0 : Math.min(1, readBytes / totalBytes);
  return (
    <Running
      text={`Reading ${number} of ${countOf(of, 'capture')}`}
      share={(number - 1 + share) / of}
      detail={`${fileName} · ${bytes(readBytes)}${totalBytes === null ? '' : ` of ${bytes(totalBytes)}`}`}
    />
  );
}

function Running({ text, share, detail }: { text: string; share: number; detail: string }): ReactElement {
  const tab = useCompare();
  return (
    <div className="compare-running" aria-busy="true">
      <span role="status">{text}</span>
      <progress className="progress" aria-label={text} value={share} />
      <span className="dim mono ellipsis">{detail}</span>
      <Button onClick={tab.cancel}>Cancel</Button>
    </div>
  );
}

/** Captures that could not be read; the others are compared. */
function Unreadable(): ReactElement | null {
  const tab = useCompare();
  const before = useCompareState((state) => state.before);
  const after = useCompareState((state) => state.after);
  const failed = allCaptures({ before, after }).filter(({ problem }) => problem !== null);
  if (failed.length === 0) return null;
  return (
    <ul className="compare-unreadable" aria-label="Unreadable captures">
      {failed.map((capture) => (
        <li key={capture.key}>
          <span className={`side-tag ${before.captures.includes(capture) ? 'before' : 'after'}`}>
            {before.captures.includes(capture) ? 'before' : 'after'}
          </span>
          <ProblemView
            problem={{
              ...capture.problem!,
              message: `${captureName(capture)} is left out: ${capture.problem!.message}`,
            }}
          >
            <Button onClick={() => void tab.load()}>Read it again</Button>
            <Button onClick={() => tab.remove(capture.key)}>Remove it</Button>
          </ProblemView>
        </li>
      ))}
    </ul>
  );
}

/** The actions after a comparison was refused or has failed. */
function ProblemWays({ shows, refused }: { shows: boolean; refused: boolean }): ReactElement {
  const tab = useCompare();
  const normalisation = useCompareState((state) => state.options.normalisation);
  const canUndo = useCompareState((state) => state.canUndo);
  return (
    <>
      {refused && normalisation !== null && (
        <Button onClick={() => tab.setOptions({ normalisation: null })}>Use the default normalisation</Button>
      )}
      {shows && canUndo && <Button onClick={tab.cancel}>Keep the current view</Button>}
      <Button onClick={() => void tab.load()}>Try again</Button>
    </>
  );
}
