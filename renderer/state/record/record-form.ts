import type { Params } from '#core/contract/contract.ts';
import { MAX_STACK_BYTES } from '#core/contract/schemas.ts';
import type { PerfOptions, ProcessRow, Scope, Side } from '#core/contract/schemas.ts';
import { LOCAL_TARGET } from '#core/contract/target.ts';
import { shortTarget } from '../../ui/status/target-words.ts';
import { splitCommand } from './split-command.ts';

export type ScopeKind = PerfOptions['scope']['kind'];

/** What a recording is for: the library alone, two sides that take turns (null: of a new experiment), or a side of an experiment. */
export type RecordPurpose =
  | { readonly kind: 'library' }
  | { readonly kind: 'in-turn'; readonly experimentId: string | null }
  | { readonly kind: 'side'; readonly experimentId: string; readonly side: Side };

/** The dialog's fields, as typed. */
export interface RecordForm {
  readonly purpose: RecordPurpose;
  /** Ids of those that record at the same time. */
  readonly targets: readonly string[];
  readonly scope: ScopeKind;
  /** By target. */
  readonly processes: ReadonlyMap<string, ProcessRow>;
  readonly command: string;
  /** Of the after side, where two take turns. */
  readonly afterProcesses: ReadonlyMap<string, ProcessRow>;
  readonly afterCommand: string;
  readonly rate: string;
  /** Empty: the best event that works. */
  readonly event: string;
  readonly callGraph: PerfOptions['callGraph'];
  /** Bytes of each stack that are copied with dwarf; empty: perf's default. */
  readonly stackBytes: string;
  /** Empty: until stopped. */
  readonly seconds: string;
  readonly repeat: string;
  readonly pause: string;
  readonly name: string;
  /** perf's own stream too, where it comes over a link. */
  readonly keepPerfData: boolean;
  /** By sudo, on hosts that are reached over a link. */
  readonly asRoot: boolean;
}

/** 99 Hz: a common choice that does not run in step with timers of 100 Hz. */
export const EMPTY_FORM: RecordForm = {
  purpose: { kind: 'library' },
  targets: [LOCAL_TARGET],
  scope: 'pid',
  processes: new Map(),
  command: '',
  afterProcesses: new Map(),
  afterCommand: '',
  rate: '99',
  event: '',
  callGraph: 'fp',
  stackBytes: '',
  seconds: '10',
  repeat: '1',
  pause: '0',
  name: '',
  keepPerfData: false,
  asRoot: false,
};

export type FormField = keyof RecordForm;

/** What to ask the engine, or which field keeps it from being asked and why. */
export type FormResult =
  | { readonly ok: true; readonly params: Params<'record.plan'> }
  | { readonly ok: false; readonly field: FormField; readonly message: string };

export function readForm(form: RecordForm): FormResult {
  const isInTurn = form.purpose.kind === 'in-turn';
  if (isInTurn && form.scope === 'system') {
    return refuse('scope', 'Two sides in turn are two processes or two commands: the whole system is one.');
  }
  const scopes = readScopes(form, isInTurn ? 'before' : null);
  if (!Array.isArray(scopes)) return scopes;
  const afterScopes = isInTurn ? readScopes(form, 'after') : [];
  if (!Array.isArray(afterScopes)) return afterScopes;
  const [scope] = scopes;
  const [afterScope] = afterScopes;
  if (scope === undefined) return refuse('targets', 'Choose a target to record on.');
  const rateHz = wholeNumber(form.rate, 1, 50_000);
  if (rateHz === null) return refuse('rate', 'The rate is a whole number from 1 to 50,000 samples per second.');
  const seconds = form.seconds.trim() === '' ? null : decimal(form.seconds, 86_400);
  if (seconds === undefined || seconds === 0) {
    return refuse('seconds', 'The duration is a number of seconds up to 86,400, or empty to record until stopped.');
  }
  const stackBytes = form.stackBytes.trim() === '' ? undefined : wholeNumber(form.stackBytes, 1024, MAX_STACK_BYTES);
  if (form.callGraph === 'dwarf' && (stackBytes === null || (stackBytes ?? 0) % 8 !== 0)) {
    return refuse(
      'stackBytes',
      'The copied stack is a multiple of 8 from 1,024 to 65,528 bytes, or empty for perf’s default.',
    );
  }
  const repeat = wholeNumber(form.repeat, 1, 100);
  if (repeat === null) return refuse('repeat', 'Repeat is a whole number from 1 to 100.');
  if (repeat > 1 && seconds === null && form.scope !== 'command') {
    return refuse('seconds', 'Repeated runs need a duration.');
  }
  const pauseSeconds = decimal(form.pause, 3600);
  if (pauseSeconds === undefined) return refuse('pause', 'The pause is a number of seconds up to 3,600.');
  const options: PerfOptions = {
    scope,
    rateHz,
    event: form.event.trim() || null,
    callGraph: form.callGraph,
    seconds,
    ...(form.callGraph === 'dwarf' && typeof stackBytes === 'number' ? { stackBytes } : {}),
    ...(form.keepPerfData && hasLink(form) ? { keepPerfData: true } : {}),
    ...(form.asRoot && hasLink(form) ? { asRoot: true } : {}),
  };
  const name = form.name.trim() || null;
  const into = intoOf(form.purpose);
  const params: Params<'record.plan'> = {
    targets: form.targets.map((target, index) => {
      const own = { target, scope: scopes[index]! };
      if (form.scope !== 'pid' || form.targets.length === 1) return { target };
      return isInTurn ? { ...own, afterScope: afterScopes[index]! } : own;
    }),
    collector: 'perf',
    options,
    repeat,
    pauseSeconds,
    name,
    ...(afterScope === undefined ? {} : { after: { ...options, scope: afterScope } }),
    ...(into === null ? {} : { into }),
  };
  return { ok: true, params };
}

/** Whether one of the targets is reached over a link. */
export const hasLink = ({ targets }: Pick<RecordForm, 'targets'>): boolean => targets.some((id) => id !== LOCAL_TARGET);

/** The experiment that the captures are added to. Of sides that take turns each goes to its own. */
function intoOf(purpose: RecordPurpose): NonNullable<Params<'record.plan'>['into']> | null {
  if (purpose.kind === 'library' || purpose.experimentId === null) return null;
  return { experimentId: purpose.experimentId, side: purpose.kind === 'side' ? purpose.side : 'before' };
}

/** One for each target. `side`: of two that take turns. */
function readScopes(form: RecordForm, side: Side | null): Scope[] | Extract<FormResult, { ok: false }> {
  const scopes: Scope[] = [];
  for (const target of form.targets) {
    const scope = readScope(form, target, side);
    if ('message' in scope) return { ok: false, ...scope };
    scopes.push(scope);
  }
  return scopes;
}

function readScope(form: RecordForm, target: string, side: Side | null): Scope | { field: FormField; message: string } {
  const isAfter = side === 'after';
  switch (form.scope) {
    case 'system':
      return { kind: 'system' };
    case 'pid': {
      const process = (isAfter ? form.afterProcesses : form.processes).get(target);
      if (process === undefined) {
        const where = form.targets.length > 1 ? ` on ${shortTarget(target)}` : '';
        const message = side === null ? `Choose a process${where}.` : `Choose the process${where} that is ${side}.`;
        return { field: isAfter ? 'afterProcesses' : 'processes', message };
      }
      return { kind: 'pid', pid: process.pid, startTicks: process.startTicks };
    }
    case 'command': {
      const field = isAfter ? 'afterCommand' : 'command';
      const split = splitCommand(form[field]);
      if (!split.ok) return { field, message: split.message };
      if (split.argv.length === 0) {
        const message = side === null ? 'Type the command to launch.' : `Type the command that is ${side}.`;
        return { field, message };
      }
      return { kind: 'command', argv: split.argv };
    }
  }
}

function refuse(field: FormField, message: string): FormResult {
  return { ok: false, field, message };
}

function wholeNumber(text: string, low: number, high: number): number | null {
  const value = Number(text.trim() || Number.NaN);
  return Number.isInteger(value) && value >= low && value <= high ? value : null;
}

/** Undefined where it is no number from 0 to `high`. */
function decimal(text: string, high: number): number | undefined {
  const value = Number(text.trim() || Number.NaN);
  return value >= 0 && value <= high ? value : undefined;
}
