import { DEFAULT_PYTHON_HZ, MAX_PYTHON_HZ, MAX_PYTHON_SECONDS, type PythonOptions } from '#core/contract/python.ts';
import { hasLink, isRefusal, readProcess, wholeNumber } from '../form-fields.ts';
import type { CommonFields, FieldRefusal, TargetSides } from '../form-fields.ts';

/** The fields of python. */
export interface PythonFields {
  readonly pythonRate: string;
  readonly pythonThreads: PythonOptions['threads'];
  readonly pythonStacks: PythonOptions['stacks'];
  readonly subprocesses: boolean;
  readonly pythonAsRoot: boolean;
}

export type PythonForm = CommonFields & PythonFields;

export const EMPTY_PYTHON: PythonFields = {
  pythonRate: String(DEFAULT_PYTHON_HZ),
  pythonThreads: 'running',
  pythonStacks: 'python',
  subprocesses: false,
  pythonAsRoot: false,
};

export function readPythonForm(form: PythonForm): TargetSides[] | FieldRefusal<PythonForm> {
  if (form.purpose.kind === 'live')
    return { field: 'collector', message: 'py-spy’s samples arrive at the end of a recording; watch it with perf.' };
  const seconds = wholeNumber(form.seconds, 1, MAX_PYTHON_SECONDS);
  if (seconds === null)
    return { field: 'seconds', message: 'Invalid duration: give a whole number of seconds from 1 to 600.' };
  const rateHz = wholeNumber(form.pythonRate, 1, MAX_PYTHON_HZ);
  if (rateHz === null) return { field: 'pythonRate', message: 'Invalid rate: give a whole number from 1 to 1,000.' };
  const isInTurn = form.purpose.kind === 'in-turn';
  const common = {
    collector: 'python',
    rateHz,
    seconds,
    threads: form.pythonThreads,
    stacks: form.pythonStacks,
    subprocesses: form.subprocesses,
    ...(form.pythonAsRoot && hasLink(form) ? { asRoot: true } : {}),
  } as const;
  const sides: TargetSides[] = [];
  for (const target of form.targets) {
    const scope = readProcess(form, target, isInTurn ? 'before' : null);
    if (isRefusal<PythonForm>(scope)) return scope;
    const after = isInTurn ? readProcess(form, target, 'after') : null;
    if (after !== null && isRefusal<PythonForm>(after)) return after;
    sides.push({ options: { ...common, scope }, ...(after === null ? {} : { after: { ...common, scope: after } }) });
  }
  return sides;
}

/** Returns the fields for these options; the process is chosen separately. */
export const pythonFieldsOf = (options: PythonOptions): Partial<PythonForm> => ({
  pythonRate: String(options.rateHz),
  seconds: String(options.seconds),
  pythonThreads: options.threads,
  pythonStacks: options.stacks,
  subprocesses: options.subprocesses,
  pythonAsRoot: options.asRoot === true,
});
