import { useState, type FormEvent, type ReactElement } from 'react';
import type { Params } from '#core/contract/contract.ts';
import { namesProfile, readTypedAddress } from '#core/contract/pprof.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import type { Problem } from '../../ui/problem.ts';
import { toProblem } from '../../state/problem.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { PlanView } from './plan-view.tsx';
import { credentialsOf } from './pprof/pprof-form.ts';
import { usePlan } from './use-plan.ts';
import { Button } from '../../ui/buttons.tsx';
import { MonoField } from '../../ui/fields/labelled-fields.tsx';

/**
 * Fetches the profile at a URL into the library and opens it. The engine sends the request after the user has seen it.
 */
export function OpenUrlDialog(): ReactElement {
  const { engine, showDialog, recording } = useWorkbench();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const read = readUrl(typed);
  const planned = usePlan(engine, typeof read === 'string' ? null : read, null);
  const confirmation = typeof read === 'string' || planned.outdated ? null : (planned.plan?.confirmation ?? null);
  const close = (): void => showDialog(null);
  const open = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (confirmation === null) return;
    try {
      await recording.start(confirmation);
    } catch (error) {
      setProblem(toProblem(error));
    }
  };
  return (
    <Dialog title="Open a URL" className="target-dialog" onClose={close}>
      <form onSubmit={(event) => void open(event)}>
        <div className="dialog-body">
          <MonoField
            label="URL"
            value={typed}
            placeholder="http://localhost:6060/debug/pprof/heap"
            autoCapitalize="off"
            isWrong={typed !== '' && typeof read === 'string'}
            onChange={(text) => {
              setTyped(text);
              setProblem(null);
            }}
          />
          <PlanView missing={typeof read === 'string' ? read : null} planned={planned} nameOf={(target) => target} />
          {problem !== null && <ProblemView problem={problem} />}
        </div>
        <div className="dialog-actions">
          <Button className="large" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" className="large primary" disabled={confirmation === null}>
            Open
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Returns the parameters for the engine, or what is missing. */
function readUrl(text: string): Params<'record.plan'> | string {
  const typed = readTypedAddress(text);
  if (typed === null) return 'Type the URL of a profile, such as http://localhost:6060/debug/pprof/heap.';
  if (!namesProfile(typed.url))
    return 'This is a service, not a profile: use Record with pprof, or add /debug/pprof/heap.';
  const headers = credentialsOf(typed.credentials);
  return {
    targets: [{ target: LOCAL_TARGET }],
    options: {
      collector: 'pprof',
      scope: { kind: 'url', url: typed.url, exact: true },
      kinds: ['cpu'],
      seconds: 30,
      ...(headers.length === 0 ? {} : { headers }),
    },
    repeat: 1,
    pauseSeconds: 0,
    name: null,
  };
}
