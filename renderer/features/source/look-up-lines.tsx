import { useState, type ReactElement, useMemo } from 'react';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { Check } from '#core/contract/schemas.ts';
import { useProfileTab } from '../../state/profile/context.ts';
import { CheckList } from '../../ui/status/check-list.tsx';
import { clock, count } from '../../ui/format.ts';
import { TrustCapture } from './trust-capture.tsx';
import { useElapsed } from './use-elapsed.ts';
import type { CommandsPlan } from '#core/contract/source.ts';
import { usePlannedRun, type PlannedRun, type RunCalls } from '../../state/use-planned-run.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Button } from '../../ui/buttons.tsx';
import { CheckField } from '../../ui/fields/labelled-fields.tsx';

/** Offers to resolve the source lines of a capture recorded here, and reloads it afterwards. */
export function LookUpLines({ captureId }: { captureId: string }): ReactElement {
  const tab = useProfileTab();
  const { state, lookUp } = useLineLookUp(captureId, () => void tab.reload());
  switch (state.status) {
    case 'idle':
      return <Button onClick={state.plan}>Resolve source lines…</Button>;
    case 'planning':
      return <p className="dim">Looking for binaries and their debug information…</p>;
    case 'planned':
      return <Planned {...state} captureId={captureId} lookUp={lookUp} />;
    case 'running':
      return <Running cancel={state.cancel} />;
    case 'failed':
      return (
        <>
          <p>{state.problem.message}</p>
          {state.problem.remedy !== null && <p className="dim">{state.problem.remedy}</p>}
          <Button onClick={state.plan}>Try again</Button>
        </>
      );
  }
}

/** Number of commands shown; more would push the button out of view. */
const SHOWN_COMMANDS = 8;

type PlannedProps = Extract<LineLookUp['state'], { status: 'planned' }> &
  Pick<LineLookUp, 'lookUp'> & { readonly captureId: string };

function Planned({ plan, run, planAgain, captureId, lookUp }: PlannedProps): ReactElement {
  const [inlined, setInlined] = useState(false);
  const missing = plan.checks.filter(({ status }) => status !== 'ok').map(withBinary);
  if (run === null) {
    return (
      <div className="source-run">
        <p>Nothing to resolve:</p>
        <CheckList checks={missing} />
        <TrustCapture captureId={captureId} checks={plan.checks} onTrusted={planAgain} />
      </div>
    );
  }
  const { commands } = plan;
  return (
    <div className="source-run">
      <p>
        These commands read the binaries’ debug information. perf’s output stays unchanged; the text with lines is
        stored with it.
      </p>
      <pre className="source-command">
        {commands
          .slice(0, SHOWN_COMMANDS)
          .map((argv) => quoteArgv(argv))
          .join('\n')}
        {commands.length > SHOWN_COMMANDS && `\n… and ${count(commands.length - SHOWN_COMMANDS)} more like these`}
      </pre>
      {missing.length > 0 && <CheckList checks={missing} />}
      <CheckField checked={inlined} onChange={setInlined}>
        Add frames for inlined functions (stacks then differ from captures without them)
      </CheckField>
      <div className="source-actions">
        <Button className="primary" onClick={() => run((confirmation) => lookUp(confirmation, inlined))}>
          Resolve
        </Button>
      </div>
    </div>
  );
}

const withBinary = (check: Check): Check =>
  check.id.startsWith('/') ? { ...check, found: `${check.id}: ${check.found}` } : check;

function Running({ cancel }: { cancel: () => void }): ReactElement {
  const [since] = useState(() => performance.now());
  const elapsed = useElapsed(since);
  return (
    <div className="source-running" role="status">
      <progress aria-label="Resolving source lines" />
      <span className="dim">resolving lines · {clock(elapsed)}</span>
      <Button onClick={cancel}>Cancel</Button>
    </div>
  );
}

interface LineLookUp {
  readonly state: PlannedRun<CommandsPlan>;
  readonly lookUp: (confirmation: string, inlined: boolean) => Promise<void>;
}

/**
 * Resolves the source lines of a capture: planned, shown, and run when the user confirms. Cancelled when the pane
 * closes.
 */
function useLineLookUp(captureId: string, onDone: () => void): LineLookUp {
  const { engine } = useWorkbench();
  const calls = useMemo(
    (): RunCalls<CommandsPlan> => ({
      plan: () => engine.call('lines.plan', { id: captureId }),
      cancel: (confirmation) => engine.call('lines.cancel', { confirmation }),
    }),
    [engine, captureId],
  );
  return {
    state: usePlannedRun(calls),
    lookUp: async (confirmation, inlined) => {
      await engine.call('lines.run', { confirmation, inlined });
      onDone();
    },
  };
}
