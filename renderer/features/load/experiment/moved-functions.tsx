import { useEffect, useMemo, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { machineDifference } from '#core/compare/circumstances.ts';
import { answerText } from '#core/compare/describe-answer.ts';
import { describeChange } from '#core/compare/describe-change.ts';
import { limitingWarnings } from '#core/compare/describe-comparison.ts';
import type { CompareTab } from '../../../state/compare/compare.types.ts';
import { functionName } from '../../../state/function-text.ts';
import { useStore } from '../../../state/store.ts';
import { useWorkbench } from '../../../state/workbench-context.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import { fitName } from '../../../ui/format.ts';
import { verdictTone } from '../../../ui/table/delta-columns.ts';
import { useAnswer } from '../../../ui/table/use-answer.ts';
import { useValueText, verdictReason } from '../../../state/comparison-texts.ts';

const SHOWN_FUNCTIONS = 5;

interface MovedFunctionsProps {
  readonly id: string;
  /** As in ` of app`; empty: of all. */
  readonly part: string;
}

/** The functions that changed between an experiment's sides, per request; read and compared beside the tabs. */
export function MovedFunctions({ id, part }: MovedFunctionsProps): ReactElement {
  const { experiments, report } = useWorkbench();
  const [tab, setTab] = useState<CompareTab | null>(null);
  useEffect(() => {
    let made: CompareTab | null = null;
    let isOld = false;
    experiments.read(id).then((read) => {
      if (isOld) {
        read.dispose();
        return;
      }
      made = read;
      setTab(read);
      void read.load();
    }, report);
    return () => {
      isOld = true;
      made?.dispose();
    };
  }, [experiments, report, id]);
  return (
    <section className="experiment-functions" aria-label="Functions">
      <h4>{visibleText(`Functions${part}`)}</h4>
      {tab === null ? <p className="dim">Reading the captures…</p> : <OfTab tab={tab} />}
    </section>
  );
}

function OfTab({ tab }: { readonly tab: CompareTab }): ReactElement {
  const compared = useStore(tab.store, ({ analysis }) => analysis);
  const problem = useStore(tab.store, (state) => state.problem);
  if (compared !== null) return <Movers tab={tab} compared={compared} />;
  return <p className="dim">{problem === null ? 'Comparing…' : visibleText(problem.message)}</p>;
}

function Movers({ tab, compared }: { readonly tab: CompareTab; readonly compared: Compared }): ReactElement {
  const { revision, functions, circumstances } = compared;
  const values = useValueText(compared);
  const top = useAnswer(useMemo(() => () => tab.ask('movers', { revision, most: SHOWN_FUNCTIONS }), [tab, revision]));
  const name = (func: number): string => fitName(visibleText(functionName(functions, func).slice(0, 2000)), 80);
  const machine = machineDifference(circumstances);
  if (top === null) return <p className="dim">Looking for changes…</p>;
  return (
    <>
      <p>{answerText(compared, top, name, values)}</p>
      {limitingWarnings(compared.warnings).map((line) => (
        <p key={line} className="dim">
          {visibleText(line)}
        </p>
      ))}
      {machine !== null && <p className="load-worse">{visibleText(machine)}</p>}
      <ol aria-label="Largest changes">
        {top.movers.map(({ func, column, judgement }) => {
          const { headline, detail } = describeChange(judgement, column, values, verdictReason(compared));
          return (
            <li key={`${func} ${column}`}>
              <b className="mono">{name(func)}</b> <span className={`tone-${verdictTone(judgement)}`}>{headline}</span>:{' '}
              <span className="dim">{detail}</span>
            </li>
          );
        })}
      </ol>
    </>
  );
}
