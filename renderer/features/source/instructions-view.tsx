import { useMemo, useState, type ReactElement } from 'react';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { ANNOTATION_TRUNCATED, type Annotation, type AnnotationPlan } from '#core/contract/source.ts';
import { unitOfEvent } from '#core/import/perf-script/events.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { useTabState, useView, useViewState } from '../../state/profile/context.ts';
import { weightFormat } from '../../state/weight-format.ts';
import { CheckList } from '../../ui/status/check-list.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { clock, countOf } from '../../ui/format.ts';
import { CodePane } from './code-pane.tsx';
import { SourceNote } from './source-note.tsx';
import { instructionTable } from '../../ui/source/source-rows.ts';
import { TrustCapture } from './trust-capture.tsx';
import { useAnnotation, type AnnotationState } from './use-annotation.ts';
import { useElapsed } from './use-elapsed.ts';
import { NOT_KEPT } from './use-source-text.ts';
import { Button } from '../../ui/buttons.tsx';
import { CheckField } from '../../ui/fields/labelled-fields.tsx';

interface InstructionsViewProps {
  readonly func: FunctionIndex;
  readonly name: string;
}

/** The weight of each instruction of a function in the whole recording, from `perf annotate`. */
export function InstructionsView({ func, name }: InstructionsViewProps): ReactElement {
  const captureId = useTabState((state) => state.captureId);
  const isMade = useTabState((state) => func >= (state.profile?.functions.length ?? 0));
  if (captureId === null) return <SourceNote kind="info" lines={[NOT_KEPT.message, NOT_KEPT.remedy]} />;
  if (isMade) {
    const remedy = 'Switch the transform off, or select one of the functions it joined.';
    return <SourceNote kind="info" lines={['A transform created this function; it has no code.', remedy]} />;
  }
  return <Disassembly captureId={captureId} func={func} name={name} />;
}

function Disassembly({ captureId, func, name }: InstructionsViewProps & { captureId: string }): ReactElement {
  const { lookAtSource } = useView();
  const look = useViewState((state) => state.source);
  const state = useAnnotation({ captureId, func }, look.lookUp, look.runsAtOnce);
  if (state.status !== 'planning' && state.status !== 'failed' && state.plan.name !== name) {
    return <SourceNote kind="info" lines={['The file was opened in a different format than the detected one.']} />;
  }
  switch (state.status) {
    case 'planning':
      return <p className="panel-hint">Looking for perf, objdump and the binary…</p>;
    case 'planned':
      return <Planned captureId={captureId} state={state} onRun={() => lookAtSource({ runsAtOnce: true })} />;
    case 'running':
      return <Running state={state} />;
    case 'failed':
      return (
        <SourceNote kind="warn" lines={[state.problem.message, state.problem.remedy]}>
          {state.plan?.command !== null && state.plan !== null && <CommandLine plan={state.plan} />}
          <LookUpChoice />
          <div className="source-actions">
            <Button onClick={state.retry}>Try again</Button>
          </div>
        </SourceNote>
      );
    case 'ready':
      return <Instructions plan={state.plan} annotation={state.annotation} />;
  }
}

interface PlannedProps {
  readonly captureId: string;
  readonly state: Extract<AnnotationState, { status: 'planned' }>;
  readonly onRun: () => void;
}

function Planned({ captureId, state: { plan, run, planAgain }, onRun }: PlannedProps): ReactElement {
  if (run === null) {
    const why = plan.checks.filter(({ status }) => status === 'failed');
    return (
      <div className="source-run">
        <p>It can’t be disassembled:</p>
        <CheckList checks={why} />
        <TrustCapture captureId={captureId} checks={why} onTrusted={planAgain} />
      </div>
    );
  }
  const warnings = plan.checks.filter(({ status }) => status === 'warning' || status === 'unknown');
  return (
    <div className="source-run">
      {warnings.length > 0 && <CheckList checks={warnings} />}
      <p>This command disassembles the function and weighs its instructions over the whole recording:</p>
      <CommandLine plan={plan} />
      <LookUpChoice />
      <div className="source-actions">
        <Button
          className="primary"
          onClick={() => {
            onRun();
            run();
          }}
        >
          Run
        </Button>
        <span className="dim">Further functions of this capture run without asking.</span>
      </div>
    </div>
  );
}

function CommandLine({ plan }: { plan: AnnotationPlan }): ReactElement {
  return <pre className="source-command">{quoteArgv(plan.command ?? [])}</pre>;
}

function LookUpChoice(): ReactElement {
  const { lookAtSource } = useView();
  const lookUp = useViewState((state) => state.source.lookUp);
  return (
    <CheckField checked={lookUp} onChange={(checked) => lookAtSource({ lookUp: checked })}>
      Resolve source lines (slow for large binaries)
    </CheckField>
  );
}

function Running({ state }: { state: Extract<AnnotationState, { status: 'running' }> }): ReactElement {
  const elapsed = useElapsed(state.since);
  return (
    <div className="source-running" role="status">
      <progress aria-label="perf annotate" />
      <span className="dim">perf annotate · {clock(elapsed)}</span>
      <Button onClick={state.cancel}>Cancel</Button>
    </div>
  );
}

function Instructions({ plan, annotation }: { plan: AnnotationPlan; annotation: Annotation }): ReactElement {
  const [chosen, choose] = useState(0);
  const event = annotation.events[chosen] ?? annotation.events[0]!;
  const weights = useMemo(() => weightFormat(unitOfEvent(event.event)), [event]);
  const table = useMemo(() => instructionTable(event, weights), [event, weights]);
  const warnings = plan.checks.filter(({ status }) => status === 'warning').map(({ found }) => `${found}.`);
  if (annotation.truncated) warnings.push(ANNOTATION_TRUNCATED);
  if (event.omitted.rows > 0) {
    warnings.push(`${countOf(event.omitted.rows, 'row')} more, with ${weights.value(event.omitted.period)}.`);
  }
  return (
    <>
      {warnings.length > 0 && <SourceNote kind="warn" lines={warnings} />}
      <CodePane
        label="Instructions"
        table={table}
        caption={`whole recording: ${weights.value(event.total)} in ${countOf(event.samples, 'sample')}`}
      >
        {annotation.events.length > 1 && (
          <select
            aria-label="Event"
            value={chosen}
            onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
          >
            {annotation.events.map(({ event: name, samples }, index) => (
              // Functions with the same name and binary are listed one after another, for the same event.
              <option key={`${index} ${name}`} value={index}>
                {`${name} · ${countOf(samples, 'sample')}`}
              </option>
            ))}
          </select>
        )}
        <Button title={quoteArgv(plan.command ?? [])} onClick={() => void copyText(quoteArgv(plan.command ?? []))}>
          Copy command
        </Button>
      </CodePane>
    </>
  );
}
