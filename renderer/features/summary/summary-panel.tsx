import { useMemo, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { DEFAULT_KIND_RULES, KindRuleError, parseKindRules, type KindRule } from '#core/analyze/summary/kind-rules.ts';
import { totalText } from '#core/analyze/reading/absolute-total.ts';
import type { KindShare } from '#core/analyze/summary/kind-shares.ts';
import { runtimeLines } from '#core/analyze/summary/runtime-lines.ts';
import type { Summary } from '#core/analyze/summary/summary.ts';
import { previousRun } from '#core/contract/previous-run.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { qualitySentence } from '#core/model/quality-sentence.ts';
import { runsWith } from '../../state/group-captures.ts';
import { usePreference } from '../../state/appearance.ts';
import { toProblem } from '../../state/problem.ts';
import { useFunctions, useLineage, useTabState, useView, useViewState } from '../../state/profile/context.ts';
import { tabQuality } from '../../state/tab-title.ts';
import { threadLabel } from '../../state/thread-names.ts';
import { shortName } from '../../state/transforms/list.ts';
import { weightFormat } from '../../state/weight-format.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import type { WeightFormat } from '../../ui/flame/graph.types.ts';
import { count, countOf } from '../../ui/format.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import type { Problem } from '../../ui/problem.ts';
import { useAnswer } from '../../ui/table/use-answer.ts';
import './summary.css';
import { Button, LinkButton } from '../../ui/buttons.tsx';
import { DetailsRow, DetailsWeight } from '../../ui/lists/details-row.tsx';

interface SummaryPanelProps {
  /** Selects a function and keeps this page in front. */
  readonly onPick: (func: FunctionIndex) => void;
}

/** Where the time goes, in about ten lines; each links to its rows. */
export function SummaryPanel({ onPick }: SummaryPanelProps): ReactElement {
  const { valueTypes } = useView().profile;
  const valueType = useViewState((state) => state.selection.valueType);
  const { type, unit } = valueTypes[valueType]!;
  const analysis = useViewState((state) => state.analysis);
  const weights = useMemo(() => weightFormat(unit, analysis), [unit, analysis]);
  const { summary, problem } = useSummary();
  // The worker loads this analysis on demand, from an engine that may be unreachable, which has its own banner.
  if (problem !== null && !OF_RULES.has(problem.code)) {
    return <p className="panel-hint">The summary could not be loaded. Open this page again to retry.</p>;
  }
  if (problem !== null) {
    return (
      <ProblemView problem={problem}>
        <RulesButton />
      </ProblemView>
    );
  }
  if (summary === null) return <p className="panel-hint">Summarising…</p>;
  const { total, absolute, sampleCount } = summary;
  return (
    <div className="details summary">
      <p>
        <b>{totalText(total, absolute, weights.value)}</b>{' '}
        {type === 'samples' ? (total === 1 ? 'sample' : type) : `of ${type} in ${countOf(sampleCount, 'sample')}`}
      </p>
      <TopFunctions summary={summary} weights={weights} onPick={onPick} />
      <Kinds summary={summary} weights={weights} onPick={onPick} />
      <Threads summary={summary} weights={weights} />
      <Runtime />
      <Quality />
      <PreviousRun />
    </div>
  );
}

/** Codes of failures that the user's rules cause. */
const OF_RULES: ReadonlySet<string> = new Set(['bad-pattern', 'slow-pattern']);

interface Answer {
  readonly summary: Summary | null;
  readonly problem: Problem | null;
}

const NO_ANSWER: Answer = { summary: null, problem: null };

function useSummary(): Answer {
  const { ask } = useView();
  const revision = useViewState((state) => state.analysis?.revision ?? null);
  const text = usePreference('kindRules');
  const rules = useMemo(() => readRules(text), [text]);
  const answer = useAnswer(
    useMemo(() => {
      if (revision === null || 'code' in rules) return null;
      return (): Promise<Answer> =>
        ask('summary', { revision, rules }).then(
          (summary) => ({ summary, problem: null }),
          (error: unknown) => ({ summary: null, problem: toProblem(error) }),
        );
    }, [ask, revision, rules]),
    useLineage(),
  );
  return 'code' in rules ? { summary: null, problem: rules } : (answer ?? NO_ANSWER);
}

function readRules(text: string): readonly KindRule[] | Problem {
  try {
    return parseKindRules(text === '' ? DEFAULT_KIND_RULES : text);
  } catch (error) {
    if (!(error instanceof KindRuleError)) throw error;
    const message = `Line ${error.line} of the rules: ${error.message}.`;
    return { code: 'bad-pattern', message, remedy: 'Change the rules, or restore the default ones.', details: null };
  }
}

interface PartProps {
  readonly summary: Summary;
  readonly weights: WeightFormat;
}

function TopFunctions({ summary, weights, onPick }: PartProps & SummaryPanelProps): ReactElement {
  const { functions, functionCount, total } = summary;
  const view = useView();
  const { preferences } = useWorkbench();
  const rest = functionCount - functions.length;
  return (
    <section>
      <h3>Functions by self weight</h3>
      <ul className="details-list">
        {functions.map(({ func, self }) => (
          <FunctionLine key={func} func={func} weight={self} total={total} weights={weights} onPick={onPick} />
        ))}
        {functions.length === 0 && <li className="dim">(none)</li>}
        {rest > 0 && (
          <li>
            <LinkButton
              onClick={() => {
                preferences.set({ table: 'functions' });
                view.lookAtTables({ functionSort: { column: 'self', direction: 'descending' } });
              }}
            >
              and {count(rest)} more in the table
            </LinkButton>
          </li>
        )}
      </ul>
    </section>
  );
}

interface FunctionLineProps extends SummaryPanelProps {
  readonly func: FunctionIndex;
  readonly weight: number;
  readonly total: number;
  readonly weights: WeightFormat;
}

function FunctionLine({ func, weight, total, weights, onPick }: FunctionLineProps): ReactElement {
  const functions = useFunctions();
  const isPicked = useViewState((state) => state.picked?.func === func);
  return (
    <li className={isPicked ? 'on' : ''}>
      <DetailsRow title={shortName(functions, func, 300)} onClick={() => onPick(func)}>
        {shortName(functions, func)}
      </DetailsRow>
      <DetailsWeight weight={weight} total={total} weights={weights} />
    </li>
  );
}

/** The kinds of work; each opens to the functions in which its stacks end. */
function Kinds({ summary, weights, onPick }: PartProps & SummaryPanelProps): ReactElement {
  return (
    <section>
      <div className="details-title">
        <h3>Kinds of work</h3>
        <RulesButton />
      </div>
      <ul className="summary-kinds">
        {summary.kinds.map((kind) => (
          <Kind key={kind.kind} kind={kind} total={summary.total} weights={weights} onPick={onPick} />
        ))}
      </ul>
    </section>
  );
}

interface KindProps extends SummaryPanelProps {
  readonly kind: KindShare;
  readonly total: number;
  readonly weights: WeightFormat;
}

function Kind({ kind: { kind, weight, functions, functionCount }, total, weights, onPick }: KindProps): ReactElement {
  const share = total === 0 ? 0 : Math.max(0, Math.min(1, weight / total));
  return (
    <li>
      <details>
        <summary>
          <span className="summary-bar" style={{ width: `${share * 100}%` }} />
          <span className="ellipsis">{shortenMiddle(visibleText(kind), 60)}</span>
          <DetailsWeight weight={weight} total={total} weights={weights} />
        </summary>
        <ul className="details-list">
          <li className="dim">Self weight in stacks of this kind</li>
          {functions.map((one) => (
            <FunctionLine
              key={one.func}
              func={one.func}
              weight={one.weight}
              total={total}
              weights={weights}
              onPick={onPick}
            />
          ))}
          {functionCount > functions.length && (
            <li className="dim">and {countOf(functionCount - functions.length, 'function')}</li>
          )}
        </ul>
      </details>
    </li>
  );
}

function RulesButton(): ReactElement {
  const { showDialog } = useWorkbench();
  return <LinkButton onClick={() => showDialog({ kind: 'kind-rules' })}>Rules…</LinkButton>;
}

/** What the runtime reported beside the samples. */
function Runtime(): ReactElement | null {
  const lines = runtimeLines(useView().profile);
  if (lines.length === 0) return null;
  return (
    <section>
      <h3>Runtime</h3>
      <ul className="details-list">
        {lines.map((line) => (
          <li key={line}>{visibleText(line)}</li>
        ))}
      </ul>
    </section>
  );
}

/** A click shows one thread, or all again. */
function Threads({ summary, weights }: PartProps): ReactElement | null {
  const view = useView();
  const chosen = useViewState((state) => state.selection.threads);
  const { threads, threadCount, total } = summary;
  if (view.profile.threads.length < 2) return null;
  return (
    <section>
      <h3>Threads</h3>
      <ul className="details-list">
        {threads.map(({ thread, weight }) => {
          const isChosen = chosen?.length === 1 && chosen[0] === thread;
          return (
            <li key={thread} className={isChosen ? 'on' : ''}>
              <DetailsRow
                aria-pressed={isChosen}
                title={isChosen ? 'Show all threads' : 'Show only this thread'}
                onClick={() => view.select({ threads: isChosen ? null : [thread] })}
              >
                {threadLabel(view.profile.threads, thread)}
              </DetailsRow>
              <DetailsWeight weight={weight} total={total} weights={weights} />
            </li>
          );
        })}
        {threadCount > threads.length && <li className="dim">and {countOf(threadCount - threads.length, 'thread')}</li>}
      </ul>
    </section>
  );
}

/** How far the numbers can be trusted, with a link to the details. */
function Quality(): ReactElement {
  const { preferences } = useWorkbench();
  const captureId = useTabState((state) => state.captureId);
  const profile = useTabState((state) => state.profile);
  const capture = useWorkbenchState((state) => state.captures?.find(({ id }) => id === captureId) ?? null);
  const { sentence, remedy } = qualitySentence(tabQuality(profile, capture), profile?.sampleCount ?? 0);
  return (
    <section>
      <h3>Data quality</h3>
      <p>
        {sentence} {remedy !== null && <span className="dim">{remedy}</span>}{' '}
        <LinkButton onClick={() => preferences.set({ detailsPage: 'diagnostics' })}>More</LinkButton>
      </p>
    </section>
  );
}

/** Offers to compare with the newest earlier capture of the same program; a run represents its series. */
function PreviousRun(): ReactElement | null {
  const { experiments } = useWorkbench();
  const captureId = useTabState((state) => state.captureId);
  const captures = useWorkbenchState((state) => state.captures);
  const capture = captures?.find(({ id }) => id === captureId);
  const previous = capture === undefined ? null : previousRun(capture, captures ?? []);
  if (capture === undefined || previous === null) return null;
  return (
    <section>
      <Button
        title={`${previous.name} is before, ${capture.name} is after`}
        onClick={() => experiments.compare(runsWith(previous, captures ?? []), runsWith(capture, captures ?? []))}
      >
        <span className="ellipsis">Compare with the previous run, {shortenMiddle(visibleText(previous.name), 60)}</span>
      </Button>
    </section>
  );
}
