import { ENV_WORD } from '#core/contract/limits.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { cgroupPathSchema, type PerfOptions, type Scope } from '#core/contract/schemas.ts';
import { MAX_STACK_BYTES } from '#core/contract/limits.ts';
import type { Side } from '#core/contract/side.ts';
import { REDACTED } from '#core/redact/secret-shapes.ts';
import {
  hasLink,
  isRefusal,
  NO_DURATION,
  readProcess,
  readSeconds,
  readSides,
  wholeNumber,
  type CommonFields,
  type FieldRefusal,
  type TargetSides,
} from '../form-fields.ts';

/** perf's fields, as typed. */
export interface PerfFields {
  readonly scope: Scope['kind'];
  readonly command: string;
  /** The command of the after side, if two sides alternate. */
  readonly afterCommand: string;
  /** Working folder of the commands; empty: where Flamebench was started. */
  readonly cwd: string;
  /** Assignments for the commands' environment, quoted as in a shell. */
  readonly env: string;
  /** Path of the control group, for the scope `cgroup`. */
  readonly groupPath: string;
  /** Name of the container, pod or unit chosen for the path; null if the path was typed. */
  readonly groupName: string | null;
  readonly rate: string;
  /** Empty selects the best event that works. */
  readonly event: string;
  readonly callGraph: PerfOptions['callGraph'];
  /** Bytes copied of each stack with dwarf; empty uses perf's default. */
  readonly stackBytes: string;
  /** True if perf's own stream is also kept when recording over a link. */
  readonly keepPerfData: boolean;
  /** True names functions while it records here, so that its graph can be shown. */
  readonly showsGraph: boolean;
  /** True uses sudo on hosts reached over a link. */
  readonly asRoot: boolean;
}

export type PerfForm = CommonFields & PerfFields;

/** 99 Hz is a common rate that does not run in step with timers of 100 Hz. */
export const EMPTY_PERF: PerfFields = {
  scope: 'pid',
  command: '',
  afterCommand: '',
  cwd: '',
  env: '',
  groupPath: '',
  groupName: null,
  rate: '99',
  event: '',
  callGraph: 'fp',
  stackBytes: '',
  keepPerfData: false,
  showsGraph: false,
  asRoot: false,
};

/** Returns what each target records, or the first invalid field. */
export function readPerfForm(form: PerfForm): TargetSides[] | FieldRefusal<PerfForm> {
  if (form.purpose.kind === 'in-turn' && (form.scope === 'system' || form.scope === 'cgroup')) {
    return { field: 'scope', message: 'Alternating sides need two processes or two commands.' };
  }
  const options = readOptions(form);
  return readSides<PerfForm>(form, (target, side) => {
    const scope = readScope(form, target, side);
    if (isRefusal<PerfForm>(scope)) return scope;
    return isRefusal<PerfForm>(options) ? options : { ...options, scope };
  });
}

function readOptions(form: PerfForm): Omit<PerfOptions, 'scope'> | FieldRefusal<PerfForm> {
  const rateHz = wholeNumber(form.rate, 1, 50_000);
  if (rateHz === null) {
    return { field: 'rate', message: 'Invalid rate: give a whole number from 1 to 50,000 samples per second.' };
  }
  const seconds = readSeconds(form);
  if (seconds === undefined) return NO_DURATION;
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
    ...(canShowGraph(form) && form.showsGraph ? { watched: true } : {}),
    ...(form.asRoot && hasLink(form) ? { asRoot: true } : {}),
  };
}

/** Returns whether the graph of one run on this machine is a choice: over a link, functions are named at once anyway. */
export const canShowGraph = (form: PerfForm): boolean =>
  form.purpose.kind !== 'live' && form.purpose.kind !== 'in-turn' && form.repeat.trim() === '1' && !hasLink(form);

function readScope(form: PerfForm, target: string, side: Side | null): Scope | FieldRefusal<PerfForm> {
  switch (form.scope) {
    case 'system':
      return { kind: 'system' };
    case 'pid':
      return readProcess(form, target, side);
    case 'cgroup': {
      const path = form.groupPath.trim();
      if (cgroupPathSchema.safeParse(path).success) return { kind: 'cgroup', path, name: form.groupName };
      return {
        field: 'groupPath',
        message: 'Select a process of the group, or type a path like /system.slice/nginx.service.',
      };
    }
    case 'command': {
      const field = side === 'after' ? 'afterCommand' : 'command';
      const split = splitCommand(form[field]);
      if (!split.ok) return { field, message: split.message };
      if (split.argv.length === 0) {
        const message = side === null ? 'Type the command to launch.' : `Type the ${side} command.`;
        return { field, message };
      }
      const cwd = form.cwd.trim();
      if (cwd !== '' && !cwd.startsWith('/')) {
        return { field: 'cwd', message: 'Invalid working folder: give a path that starts with /.' };
      }
      const env = splitCommand(form.env);
      if (!env.ok) return { field: 'env', message: `Invalid environment: ${env.message}` };
      const wrong = env.argv.find((word) => !ENV_WORD.test(word));
      if (wrong !== undefined) {
        return { field: 'env', message: `Invalid environment: ${wrong} is not NAME=VALUE.` };
      }
      if ([...split.argv, ...env.argv].some((word) => word.includes(REDACTED))) {
        const hidden = split.argv.some((word) => word.includes(REDACTED)) ? field : 'env';
        return { field: hidden, message: `Secrets are not stored: replace ${REDACTED} by the value.` };
      }
      return {
        kind: 'command',
        argv: split.argv,
        ...(cwd === '' ? {} : { cwd }),
        ...(env.argv.length === 0 ? {} : { env: env.argv }),
      };
    }
  }
}

/** Returns the fields for these options; the process is chosen separately. */
export function perfFieldsOf(options: PerfOptions): Partial<PerfForm> {
  const { scope, rateHz, event, callGraph, stackBytes, seconds, keepPerfData, watched, asRoot } = options;
  return {
    scope: scope.kind,
    ...(scope.kind === 'command' ? commandFields(scope) : {}),
    ...(scope.kind === 'cgroup' ? { groupPath: scope.path, groupName: scope.name } : {}),
    rate: String(rateHz),
    event: event ?? '',
    callGraph,
    stackBytes: stackBytes === undefined ? '' : String(stackBytes),
    seconds: seconds === null ? '' : String(seconds),
    keepPerfData: keepPerfData === true,
    showsGraph: watched === true,
    asRoot: asRoot === true,
  };
}

/** Returns the fields for this command. */
export const commandFields = ({
  argv,
  cwd = '',
  env = [],
}: Extract<Scope, { kind: 'command' }>): Pick<PerfForm, 'command' | 'cwd' | 'env'> => ({
  command: quoteArgv(argv),
  cwd,
  // Only the names of assignments stay unquoted: a first word that is one would be quoted as a whole.
  env: quoteArgv(['', ...env]).slice("'' ".length),
});

type SplitCommand = { readonly ok: true; readonly argv: string[] } | { readonly ok: false; readonly message: string };

/**
 * Splits a typed command into an argv with the quoting rules of a POSIX shell: spaces separate words, single quotes
 * keep everything, double quotes and backslashes work as usual. Nothing is expanded, since no shell runs it; syntax
 * that only a shell could handle is refused.
 */
export function splitCommand(text: string): SplitCommand {
  const argv: string[] = [];
  let word: string | null = null;
  let at = 0;
  while (at < text.length) {
    const character = text[at]!;
    if (/\s/.test(character)) {
      if (word !== null) argv.push(word);
      word = null;
      at += 1;
    } else if (character === "'" || character === '"') {
      const quoted = readQuoted(text, at);
      if (quoted === null) return { ok: false, message: `The quote ${character} is not closed.` };
      word = (word ?? '') + quoted.text;
      at = quoted.end;
    } else if (character === '\\') {
      if (at + 1 >= text.length) return { ok: false, message: 'The command ends with a backslash.' };
      word = (word ?? '') + text[at + 1]!;
      at += 2;
    } else if ('|&;<>()$`'.includes(character)) {
      return {
        ok: false,
        message: `${character} needs a shell, and no shell runs the command. Quote it, or launch a shell: sh -c '…'.`,
      };
    } else {
      word = (word ?? '') + character;
      at += 1;
    }
  }
  if (word !== null) argv.push(word);
  return { ok: true, argv };
}

/** Returns the text between a quote and its partner, and where it ends; null if it is unterminated. */
function readQuoted(text: string, start: number): { text: string; end: number } | null {
  const quote = text[start]!;
  let inside = '';
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === quote) return { text: inside, end: at + 1 };
    const escapes = quote === '"' && text[at] === '\\' && /["\\$`]/.test(text[at + 1] ?? '');
    if (escapes) at += 1;
    inside += text[at]!;
  }
  return null;
}
