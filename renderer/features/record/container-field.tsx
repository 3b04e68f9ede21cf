import { useState, type FormEvent, type ReactElement } from 'react';
import { parseContainerAddress } from '#core/contract/container-address.ts';
import { readTypedAddress } from '#core/contract/pprof.ts';
import { LOCAL_TARGET, TargetIdFailure } from '#core/contract/target-id.ts';
import { MonoField } from '../../ui/fields/labelled-fields.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import type { Problem } from '../../ui/problem.ts';
import { toProblem } from '../../state/problem.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { RecordForm } from './collector-pages.ts';
import { Button } from '../../ui/buttons.tsx';

interface ContainerFieldProps {
  readonly form: RecordForm;
  /** Called once the container is found. */
  readonly onFound: (change: Partial<RecordForm>) => void;
}

/**
 * A container or pod on this machine, typed as on the command line: perf records its control group, pprof fetches from
 * its address.
 */
export function ContainerField({ form, onFound }: ContainerFieldProps): ReactElement {
  const { engine } = useWorkbench();
  const [typed, setTyped] = useState('');
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const wrong = readWrong(typed, form);

  /** Keeps a user and password in the address, from which they are moved into a header. */
  const reach = async (text: string): Promise<string> => {
    const read = readTypedAddress(text);
    if (read === null) return text;
    const found = await engine.call('target.container', { address: typed.trim(), url: read.url });
    if (found.kind !== 'address') return text;
    const reached = new URL(found.url);
    reached.username = read.credentials?.user ?? '';
    reached.password = read.credentials?.password ?? '';
    return reached.href;
  };
  const find = async (): Promise<Partial<RecordForm>> => {
    if (form.collector === 'pprof') return { url: await reach(form.url), afterUrl: await reach(form.afterUrl) };
    const found = await engine.call('target.container', { address: typed.trim(), url: null });
    return found.kind === 'group' ? { scope: 'cgroup', groupPath: found.path, groupName: found.name } : {};
  };
  const use = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (typed.trim() === '' || wrong !== null) return;
    setAsking(true);
    setProblem(null);
    try {
      onFound({ targets: [LOCAL_TARGET], ...(await find()) });
    } catch (error) {
      setProblem(toProblem(error));
      setAsking(false);
    }
  };
  return (
    <form className="container-field" onSubmit={(event) => void use(event)}>
      <MonoField
        label="Container or pod of this machine"
        value={typed}
        placeholder="docker://web, podman://web, kubectl://prod/web-0"
        isWrong={typed !== '' && wrong !== null}
        onChange={(text) => {
          setTyped(text);
          setProblem(null);
        }}
      />
      {typed !== '' && wrong !== null && <p className="target-wrong">{wrong}</p>}
      {problem !== null && <ProblemView problem={problem} />}
      <Button type="submit" disabled={typed.trim() === '' || wrong !== null || asking}>
        {asking ? 'Looking for it…' : 'Use container'}
      </Button>
    </form>
  );
}

/** Returns why the text can't be used with this form, as a sentence; null if it can. */
function readWrong(typed: string, { collector, place, url }: RecordForm): string | null {
  try {
    if (parseContainerAddress(typed.trim()) === null)
      return 'Not a container: give docker://NAME, podman://NAME or kubectl://NAMESPACE/POD.';
  } catch (error) {
    if (!(error instanceof TargetIdFailure)) throw error;
    return `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
  }
  if (collector !== 'perf' && collector !== 'pprof') return 'Containers as targets are for perf and pprof.';
  if (collector === 'pprof' && (place !== 'url' || readTypedAddress(url) === null))
    return 'Type the service’s address first, as the program in the container listens: http://localhost:6060/.';
  return null;
}
