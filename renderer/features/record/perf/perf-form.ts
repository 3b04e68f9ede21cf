import { quoteArgv } from '#core/contract/quote-argv.ts';
import { MAX_STACK_BYTES } from '#core/contract/schemas.ts';
import type { PerfOptions, Scope, Side } from '#core/contract/schemas.ts';
import { hasLink, isRefusal, readProcess, readSeconds, wholeNumber } from '../form-fields.ts';
import type { CommonFields, Refusal, TargetSides } from '../form-fields.ts';
import { splitCommand } from './split-command.ts';

/** perf's fields, as typed. */
export interface PerfFields {
  readonly scope: Scope['kind'];
  readonly command: string;
  /** Of the after side, where two take turns. */
  readonly afterCommand: string;
  readonly rate: string;
  /** Empty: the best event that works. */
  readonly event: string;
  readonly callGraph: PerfOptions['callGraph'];
  /** Bytes of each stack that are copied with dwarf; empty: perf's default. */
  readonly stackBytes: string;
  /** perf's own stream too, where it comes over a link. */
  readonly keepPerfData: boolean;
  /** By sudo, on hosts that are reached over a link. */
  readonly asRoot: boolean;
}

export type PerfForm = CommonFields & PerfFields;

/** 99 Hz: a common choice that does not run in step with timers of 100 Hz. */
export const EMPTY_PERF: PerfFields = {
  scope: 'pid',
  command: '',
  afterCommand: '',
  rate: '99',
  event: '',
  callGraph: 'fp',
  stackBytes: '',
  keepPerfData: false,
  asRoot: false,
};

/** What each target records, or which field keeps it from recording. */
export function readPerfForm(form: PerfForm): TargetSides[] | Refusal<PerfForm> {
  const isInTurn = form.purpose.kind === 'in-turn';
  if (isInTurn && form.scope === 'system') {
    return {
      field: 'scope',
      message: 'Alternating sides need two processes or two commands, not the whole system.',
    };
  }
  const scopes = readScopes(form, isInTurn ? 'before' : null);
  if (!Array.isArray(scopes)) return scopes;
  const afterScopes = isInTurn ? readScopes(form, 'after') : [];
  if (!Array.isArray(afterScopes)) return afterScopes;
  const options = readOptions(form);
  if (isRefusal<PerfForm>(options)) return options;
  return scopes.map((scope, index) => {
    const afterScope = afterScopes[index];
    return {
      options: { ...options, scope },
      ...(afterScope === undefined ? {} : { after: { ...options, scope: afterScope } }),
    };
  });
}

function readOptions(form: PerfForm): Omit<PerfOptions, 'scope'> | Refusal<PerfForm> {
  const rateHz = wholeNumber(form.rate, 1, 50_000);
  if (rateHz === null) {
    return { field: 'rate', message: 'Invalid rate: give a whole number from 1 to 50,000 samples per second.' };
  }
  const seconds = readSeconds(form);
  if (seconds === undefined) {
    return {
      field: 'seconds',
      message: 'Invalid duration: give up to 86,400 seconds, or leave it empty to record until stopped.',
    };
  }
  const stackBytes = form.stackBytes.trim() === '' ? undefined : wholeNumber(form.stackBytes, 1024, MAX_STACK_BYTES);
  if (form.callGraph === 'dwarf' && (stackBytes === null || (stackBytes ?? 0) % 8 !== 0)) {
    return {
      field: 'stackBytes',
      message:
        'Invalid stack size: give a multiple of 8 from 1,024 to 65,528 bytes, or leave it empty for perf’s default.',
    };
  }
  if (form.repeat.trim() !== '1' && seconds === null && form.scope !== 'command') {
    return { field: 'seconds', message: 'Repeated runs need a duration.' };
  }
  return {
    collector: 'perf',
    rateHz,
    event: form.event.trim() || null,
    callGraph: form.callGraph,
    seconds,
    ...(form.callGraph === 'dwarf' && typeof stackBytes === 'number' ? { stackBytes } : {}),
    ...(form.keepPerfData && hasLink(form) ? { keepPerfData: true } : {}),
    ...(form.asRoot && hasLink(form) ? { asRoot: true } : {}),
  };
}

/** One for each target. `side`: of two that take turns. */
function readScopes(form: PerfForm, side: Side | null): Scope[] | Refusal<PerfForm> {
  const scopes: Scope[] = [];
  for (const target of form.targets) {
    const scope = readScope(form, target, side);
    if (isRefusal<PerfForm>(scope)) return scope;
    scopes.push(scope);
  }
  return scopes;
}

function readScope(form: PerfForm, target: string, side: Side | null): Scope | Refusal<PerfForm> {
  switch (form.scope) {
    case 'system':
      return { kind: 'system' };
    case 'pid':
      return readProcess(form, target, side);
    case 'command': {
      const field = side === 'after' ? 'afterCommand' : 'command';
      const split = splitCommand(form[field]);
      if (!split.ok) return { field, message: split.message };
      if (split.argv.length === 0) {
        const message = side === null ? 'Type the command to launch.' : `Type the ${side} command.`;
        return { field, message };
      }
      return { kind: 'command', argv: split.argv };
    }
  }
}

/** The fields that ask for these options; a process is chosen beside them. */
export function perfFieldsOf(options: PerfOptions): Partial<PerfForm> {
  const { scope, rateHz, event, callGraph, stackBytes, seconds, keepPerfData, asRoot } = options;
  return {
    scope: scope.kind,
    ...(scope.kind === 'command' ? { command: quoteArgv(scope.argv) } : {}),
    rate: String(rateHz),
    event: event ?? '',
    callGraph,
    stackBytes: stackBytes === undefined ? '' : String(stackBytes),
    seconds: seconds === null ? '' : String(seconds),
    keepPerfData: keepPerfData === true,
    asRoot: asRoot === true,
  };
}
