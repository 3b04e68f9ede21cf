import type { EngineAndStore, Reporting } from './workbench-state.ts';
import type { EngineEvent, Result } from '#core/contract/contract.ts';
import type { Check } from '#core/contract/schemas.ts';
import type { TargetList, TargetRow, TargetState } from '#core/contract/target.ts';
import { createTerminalLog, type TerminalLog } from './terminal/terminal-log.ts';
import { createTypedText, type TypedText } from './terminal/typed-text.ts';
import type { DoctorReport } from './targets/doctor-report.ts';
import { EngineError } from './engine-client.ts';
import { toProblem } from './problem.ts';
import { createStore, type Store } from './store.ts';

/** A target's terminal, as panes use it. */
interface TargetTerminal {
  readonly log: TerminalLog;
  readonly typed: TypedText;
  /** True if input was typed while no prompt was waiting; false again when one is. */
  readonly facts: Store<{ readonly refused: boolean }>;
}

export interface TargetActions {
  readonly refresh: () => Promise<void>;
  /** Throws the engine's error. */
  readonly save: (target: string, name: string) => Promise<void>;
  readonly remove: (row: TargetRow) => Promise<void>;
  /** Asks for confirmation of the commands for a new target; shows the terminal if ssh prompts. */
  readonly connect: (target: string) => Promise<void>;
  /** Connects with the token of a plan that was shown. */
  readonly connectConfirmed: (target: string, confirmation: string | null) => Promise<void>;
  readonly disconnect: (target: string) => Promise<void>;
  /** Runs the doctor on a target and, with a PID, on a process; the report in the state grows as checks finish. */
  readonly examine: (target: string, pid: number | null) => Promise<void>;
  readonly terminal: (target: string) => TargetTerminal;
  readonly resizeTerminal: (target: string, size: { readonly columns: number; readonly rows: number }) => void;
  /** Opens the terminal pane with this target's terminal, or the one shown last. */
  readonly showTerminal: (target?: string) => void;
  readonly hideTerminal: () => void;
  readonly receive: (event: EngineEvent) => void;
  /** Called when the engine is reachable again. */
  readonly catchUp: () => void;
}

export function createTargetActions({ engine, store, notify, report }: EngineAndStore & Reporting): TargetActions {
  const terminals = new Map<string, TargetTerminal>();
  /** Targets that this window is connecting; their prompts open its terminal pane. */
  const own = new Set<string>();

  const refresh = (): Promise<void> => engine.call('target.list', {}).then(put).catch(report);

  function put(list: TargetList): void {
    store.set({ targets: list, reachable: reachableOf(list.targets, store.get().reachable) });
  }

  function putState(target: string, state: TargetState): void {
    const list = store.get().targets;
    if (list === null) return;
    const targets = list.targets.map((row) => (row.id === target ? { ...row, state } : row));
    put({ ...list, targets });
    if (state.kind === 'needs-you') terminal(target).facts.set({ refused: false });
    // The target's dialog has its own terminal.
    if (state.kind === 'needs-you' && own.has(target) && store.get().dialog === null) showTerminal(target);
  }

  function terminal(target: string): TargetTerminal {
    const known = terminals.get(target);
    if (known !== undefined) return known;
    const facts = createStore({ refused: false });
    const made: TargetTerminal = {
      facts,
      log: createTerminalLog(() => engine.call('target.terminal', { target })),
      typed: createTypedText(
        async (text) => (await engine.call('target.answer', { target, text })).accepted,
        () => facts.set({ refused: true }),
      ),
    };
    terminals.set(target, made);
    return made;
  }

  function showTerminal(target?: string): void {
    const { terminalTarget, targets } = store.get();
    const shown = target ?? terminalTarget ?? targets?.targets.find(({ id }) => id !== 'local')?.id ?? null;
    store.set({ terminalOpen: true, terminalTarget: shown });
  }

  async function connect(target: string): Promise<void> {
    let plan: Result<'target.plan'>;
    try {
      plan = await engine.call('target.plan', { target });
    } catch (error) {
      report(error);
      return;
    }
    if (plan.confirmation === null) await connectConfirmed(target, null);
    else store.set({ dialog: { kind: 'connect', target } });
  }

  async function connectConfirmed(target: string, confirmation: string | null): Promise<void> {
    own.add(target);
    try {
      putState(target, await engine.call('target.connect', { target, confirmation }));
    } catch (error) {
      tellFailure(target, error);
    } finally {
      own.delete(target);
      void refresh();
    }
  }

  /** Reports a failure unless the terminal or a dialog of the target already shows it. */
  function tellFailure(target: string, error: unknown): void {
    const { terminalOpen, terminalTarget, dialog } = store.get();
    if (!(error instanceof EngineError) || error.code !== 'not-connected') report(error);
    else if (dialog === null && !(terminalOpen && terminalTarget === target)) {
      const action = { label: 'Terminal', run: () => showTerminal(target) };
      const { message, remedy } = toProblem(error);
      notify({ kind: 'error', text: message, remedy, action });
    }
  }

  async function remove({ id, name, origin }: TargetRow): Promise<void> {
    try {
      put(await engine.call('target.remove', { target: id }));
      if (store.get().terminalTarget === id) store.set({ terminalTarget: null, terminalOpen: false });
      if (origin !== 'saved') return;
      const action = { label: 'Undo', run: () => void save(id, name).catch(report) };
      notify({ kind: 'info', text: `${name} is no longer a target.`, remedy: null, action });
    } catch (error) {
      report(error);
    }
  }

  async function save(target: string, name: string): Promise<void> {
    put(await engine.call('target.save', { target, name }));
  }

  async function examine(target: string, pid: number | null): Promise<void> {
    const run = crypto.randomUUID();
    const change = (part: Partial<DoctorReport>): void => {
      const report = store.get().doctors.get(target);
      if (report?.run === run) store.set({ doctors: new Map(store.get().doctors).set(target, { ...report, ...part }) });
    };
    const report: DoctorReport = { run, pid, checks: [], running: true, problem: null };
    store.set({ doctors: new Map(store.get().doctors).set(target, report) });
    try {
      const { checks } = await engine.call('target.doctor', { target, pid, run });
      change({ checks, running: false });
    } catch (error) {
      change({ running: false, problem: toProblem(error) });
    }
  }

  function addCheck(run: string, check: Check): void {
    const { doctors } = store.get();
    for (const [target, report] of doctors) {
      if (report.run !== run || !report.running) continue;
      store.set({ doctors: new Map(doctors).set(target, { ...report, checks: [...report.checks, check] }) });
    }
  }

  return {
    refresh,
    save,
    examine,
    remove,
    connect,
    connectConfirmed,
    terminal,
    showTerminal,
    disconnect: (target) =>
      engine
        .call('target.disconnect', { target })
        .then((state) => putState(target, state))
        .catch(report),
    resizeTerminal: (target, size) => {
      engine.call('target.resize', { target, ...size }).catch(report);
    },
    hideTerminal: () => store.set({ terminalOpen: false }),
    receive: (event) => {
      if (event.kind === 'targets-changed') void refresh();
      else if (event.kind === 'target-state') putState(event.target, event.state);
      else if (event.kind === 'target-check') addCheck(event.run, event.check);
      else if (event.kind === 'target-terminal') terminals.get(event.target)?.log.receive(event.text, event.end);
    },
    catchUp: () => {
      void refresh();
      for (const { log } of terminals.values()) log.reload();
    },
  };
}

/** Returns the reachable targets. A prompt of a connected target comes from sudo, so its connection stays usable. */
function reachableOf(rows: readonly TargetRow[], before: ReadonlySet<string>): ReadonlySet<string> {
  const isReachable = ({ id, state: { kind } }: TargetRow): boolean =>
    kind === 'up' || (kind === 'needs-you' && before.has(id));
  return new Set(rows.filter(isReachable).map(({ id }) => id));
}
