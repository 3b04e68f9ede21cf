import { useState, type ReactElement } from 'react';
import { readComponent, type AskedComponents } from '#core/contract/load/component.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { LOAD_RECIPES, loadProfile, type LoadProfile, type LoadRecipe } from '#core/contract/load/profile.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { RECIPES } from '#core/contract/recipes.ts';
import { MAX_SERVER_PROCESSES, type LoadPlan, type Watched } from '#core/contract/load/load-test.ts';
import { CheckField, MonoField, SelectField } from '../../ui/fields/labelled-fields.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { ProcessPicker } from '../targets/process-picker.tsx';
import { useProcesses } from '../targets/use-processes.ts';
import { Button } from '../../ui/buttons.tsx';

export const COLLECTORS = [
  { value: 'none', label: 'No profile' },
  { value: 'perf', label: 'perf' },
  { value: 'pprof', label: 'pprof' },
  { value: 'node', label: 'Node' },
  { value: 'java', label: 'Java' },
  { value: 'python', label: 'Python' },
  { value: 'bpftrace', label: 'bpftrace' },
  { value: 'stap', label: 'SystemTap' },
] as const;

/** When a profile is recorded. */
export const PLACES = [
  { value: 'each', label: 'in each run' },
  { value: 'knee', label: 'at the knee, in more runs' },
] as const;

/** What to watch of the server, as typed. */
export interface WatchedServer {
  /** PIDs, separated by commas; `auto` finds them, and empty or `none` watches nothing. */
  readonly pids: string;
  /** `gateway=:8080`, separated by commas. */
  readonly components: string;
  /** Null for the machine that sends the requests. */
  readonly target: string | null;
  /** Components on further machines. */
  readonly others: readonly OtherMachine[];
  readonly collector: (typeof COLLECTORS)[number]['value'];
  readonly at: LoadProfile['at'];
  readonly recipe: LoadRecipe;
  /** Samples per second and CPU, as typed. */
  readonly rate: string;
  readonly asRoot: boolean;
}

interface OtherMachine {
  readonly target: string;
  readonly pids: string;
}

export const FOUND: WatchedServer = {
  pids: 'auto',
  components: '',
  target: null,
  others: [],
  collector: 'none',
  at: 'each',
  recipe: 'on-cpu',
  rate: '99',
  asRoot: false,
};

const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

const pidsOf = ({ pids }: Pick<WatchedServer, 'pids'>): number[] =>
  ['auto', 'none'].includes(pids.trim()) ? [] : wordsOf(pids).map(Number);

const hasProcesses = ({ pids, components }: WatchedServer): boolean =>
  !['', 'none'].includes(pids.trim()) || components.trim() !== '';

export const hasValidServer = (watched: WatchedServer): boolean =>
  [watched, ...watched.others].flatMap(pidsOf).every((pid) => Number.isInteger(pid) && pid > 0) &&
  watched.others.every((one) => pidsOf(one).length > 0) &&
  wordsOf(watched.components).every((word) => readComponent(word) !== null) &&
  (!hasRate(watched) || (/^\d{1,5}$/.test(watched.rate) && Number(watched.rate) > 0));

/** The collectors that sample at a chosen rate. */
const hasRate = ({ collector }: WatchedServer): boolean => !['none', 'pprof', 'node', 'java'].includes(collector);

/** Returns what to find on the server's machine before the plan is made; null: nothing. */
export function askedOf(watched: WatchedServer, url: string): AskedComponents | null {
  const components = wordsOf(watched.components).flatMap((word) => readComponent(word) ?? []);
  const isAuto = watched.pids.trim() === 'auto';
  if (!isAuto && components.length === 0) return null;
  const isRequired = watched.collector !== 'none' || watched.target !== null;
  return {
    url,
    find: isAuto ? (isRequired ? 'auto' : 'if-found') : 'no',
    isServer: watched.target !== null,
    components,
    pids: pidsOf(watched),
  };
}

/** Returns the plan's part about the server; `target` sends the requests. `found`: null if nothing was. */
export function serverOf(watched: WatchedServer, target: string, found: Watched | null): Pick<LoadPlan, 'server'> {
  const own = found ?? { pids: pidsOf(watched) };
  if (own.pids.length === 0) return {};
  return {
    server: {
      target: watched.target ?? target,
      ...own,
      ...(watched.others.length === 0
        ? {}
        : { others: watched.others.map((one) => ({ target: one.target, pids: pidsOf(one) })) }),
      profile: profileOf(watched, target),
    },
  };
}

/** Recording as root is for hosts that ssh reaches, and for collectors that are programs there. */
const mayBeRoot = (watched: WatchedServer, from: string): boolean =>
  hasRate(watched) &&
  [watched.target ?? from, ...watched.others.map(({ target }) => target)].every((target) => target !== LOCAL_TARGET);

const recipesOf = (collector: WatchedServer['collector']): LoadRecipe[] =>
  LOAD_RECIPES.filter((id) => collector === 'stap' || RECIPES[id].onlyStap === null);

/** Returns the chosen recipe, or the first if the collector lacks it. */
const recipeOf = ({ collector, recipe }: WatchedServer): LoadRecipe =>
  recipesOf(collector).find((id) => id === recipe) ?? 'on-cpu';

function profileOf(watched: WatchedServer, from: string): LoadProfile | null {
  const { collector, at } = watched;
  if (collector === 'none') return null;
  const asRoot = watched.asRoot && mayBeRoot(watched, from);
  return loadProfile(collector, { at, rateHz: Number(watched.rate), recipe: recipeOf(watched), asRoot });
}

interface ServerFieldsProps {
  readonly watched: WatchedServer;
  /** The machine that sends the requests. */
  readonly from: string;
  readonly hosts: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (watched: WatchedServer) => void;
}

const SAME = '';

/** Fields for the server's processes, their machine, and the profile that is recorded of them. */
export function ServerFields({ watched, from, hosts, onChange }: ServerFieldsProps): ReactElement {
  const isWatched = hasProcesses(watched);
  const used = [watched.target ?? from, ...watched.others.map(({ target }) => target)];
  const unused = hosts.filter(({ value }) => !used.includes(value));
  /** Each machine is offered once. */
  const hostsFor = (target: string | null): typeof hosts =>
    hosts.filter((one) => one.value === target || unused.includes(one));
  return (
    <div className="sweep-fields">
      <MonoField
        label="PIDs of the server"
        value={watched.pids}
        placeholder="none, or auto, or 4711, 4712"
        onChange={(pids) => onChange({ ...watched, pids })}
      />
      <PickProcesses
        target={watched.target ?? from}
        pids={watched.pids}
        onChange={(pids) => onChange({ ...watched, pids })}
      />
      <MonoField
        label="Components"
        value={watched.components}
        placeholder="api=:8080, app=4711"
        onChange={(components) => onChange({ ...watched, components })}
      />
      {isWatched && (
        <>
          <SelectField
            label="They run on"
            value={watched.target ?? SAME}
            options={[
              ...(watched.others.some(({ target }) => target === from)
                ? []
                : [{ value: SAME, label: 'the same machine' }]),
              ...hostsFor(watched.target).filter(({ value }) => value !== from || value === watched.target),
            ]}
            onChange={(target) => onChange({ ...watched, target: target === SAME ? null : target })}
          />
          {watched.others.map((machine, place) => (
            <OtherFields
              key={place}
              machine={machine}
              place={place}
              hosts={hostsFor(machine.target)}
              onChange={(changed) =>
                onChange({
                  ...watched,
                  others: watched.others.flatMap((one, at) => (at === place ? (changed ?? []) : one)),
                })
              }
            />
          ))}
          {unused[0] !== undefined && watched.others.length < MAX_SERVER_PROCESSES - 1 && (
            <Button
              onClick={() =>
                onChange({ ...watched, others: [...watched.others, { target: unused[0]!.value, pids: '' }] })
              }
            >
              Add a machine
            </Button>
          )}
          {unused[0] === undefined && watched.others.length === 0 && (
            <p className="faint-hint">To watch processes on other machines too, add the machines under Targets.</p>
          )}
          <SelectField
            label="Profile"
            value={watched.collector}
            options={COLLECTORS}
            onChange={(collector) => onChange({ ...watched, collector })}
          />
          {watched.collector !== 'none' && (
            <SelectField
              label="Recorded"
              value={watched.at}
              options={PLACES}
              onChange={(at) => onChange({ ...watched, at })}
            />
          )}
          {(watched.collector === 'bpftrace' || watched.collector === 'stap') && (
            <SelectField
              label="Recipe"
              value={recipeOf(watched)}
              options={recipesOf(watched.collector).map((id) => ({ value: id, label: RECIPES[id].label }))}
              onChange={(recipe) => onChange({ ...watched, recipe })}
            />
          )}
          {hasRate(watched) && (
            <MonoField
              label="Samples per second and CPU"
              value={watched.rate}
              placeholder="99"
              onChange={(rate) => onChange({ ...watched, rate })}
            />
          )}
          {mayBeRoot(watched, from) && (
            <CheckField checked={watched.asRoot} onChange={(asRoot) => onChange({ ...watched, asRoot })}>
              As root, with passwordless sudo
            </CheckField>
          )}
        </>
      )}
    </div>
  );
}

interface PickProcessesProps {
  readonly target: string;
  readonly pids: string;
  readonly onChange: (pids: string) => void;
}

/** A list of the machine's processes, as for a recording; a click adds a process or takes it out again. */
function PickProcesses({ target, pids, onChange }: PickProcessesProps): ReactElement {
  const { engine } = useWorkbench();
  const isReachable = useWorkbenchState(({ reachable }) => reachable.has(target));
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<ProcessRow | null>(null);
  const list = useProcesses(engine, isOpen && isReachable ? target : null);
  const toggle = (process: ProcessRow): void => {
    const known = pidsOf({ pids });
    const isIn = known.includes(process.pid);
    setChosen(isIn ? null : process);
    onChange((isIn ? known.filter((pid) => pid !== process.pid) : [...known, process.pid]).join(', '));
  };
  return (
    <details className="sweep-more" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Select processes</summary>
      {isOpen && isReachable && <ProcessPicker key={target} list={list} chosen={chosen} onChoose={toggle} />}
      {isOpen && !isReachable && (
        <p className="faint-hint">Connect to this machine under Targets to list its processes.</p>
      )}
    </details>
  );
}

interface OtherFieldsProps {
  readonly machine: OtherMachine;
  readonly place: number;
  readonly hosts: ServerFieldsProps['hosts'];
  /** Null removes it. */
  readonly onChange: (machine: OtherMachine | null) => void;
}

/** Fields for the components of the server on a further machine. */
const OtherFields = ({ machine, place, hosts, onChange }: OtherFieldsProps): ReactElement => (
  <>
    <MonoField
      label={`PIDs on machine ${place + 2}`}
      value={machine.pids}
      placeholder="812"
      onChange={(pids) => onChange({ ...machine, pids })}
    />
    <SelectField
      label={`Machine ${place + 2}`}
      value={machine.target}
      options={hosts}
      onChange={(target) => onChange({ ...machine, target })}
    />
    <Button onClick={() => onChange(null)}>Remove machine {place + 2}</Button>
  </>
);
