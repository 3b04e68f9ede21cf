import { DEFAULT_PYTHON_HZ, MAX_PYTHON_HZ, MAX_PYTHON_SECONDS, type PythonOptions } from '#core/contract/python.ts';
import { readAttachedForm } from '../attached-form.ts';
import { hasLink, wholeNumber, type CommonFields, type FieldRefusal, type TargetSides } from '../form-fields.ts';

export interface PythonFields {
  readonly pythonRate: string;
  readonly pythonThreads: PythonOptions['threads'];
  readonly pythonStacks: PythonOptions['stacks'];
  readonly subprocesses: boolean;
  readonly pythonAsRoot: boolean;
  readonly sendPySpy: boolean;
}

export type PythonForm = CommonFields & PythonFields;

export const EMPTY_PYTHON: PythonFields = {
  pythonRate: String(DEFAULT_PYTHON_HZ),
  pythonThreads: 'running',
  pythonStacks: 'python',
  subprocesses: false,
  pythonAsRoot: false,
  sendPySpy: false,
};

export function readPythonForm(form: PythonForm): TargetSides[] | FieldRefusal<PythonForm> {
  const rateHz = wholeNumber(form.pythonRate, 1, MAX_PYTHON_HZ);
  if (rateHz === null && form.purpose.kind !== 'live')
    return { field: 'pythonRate', message: 'Invalid rate: give a whole number from 1 to 1,000.' };
  return readAttachedForm(form, { name: 'py-spy', maxSeconds: MAX_PYTHON_SECONDS }, (scope, seconds) => ({
    collector: 'python',
    scope,
    rateHz: rateHz!,
    seconds,
    threads: form.pythonThreads,
    stacks: form.pythonStacks,
    subprocesses: form.subprocesses,
    ...(form.pythonAsRoot && hasLink(form) ? { asRoot: true } : {}),
    ...(form.sendPySpy ? { send: 'fetched' } : {}),
  }));
}

/** Returns the fields for these options; the process is chosen separately. */
export const pythonFieldsOf = (options: PythonOptions): Partial<PythonForm> => ({
  pythonRate: String(options.rateHz),
  seconds: String(options.seconds),
  pythonThreads: options.threads,
  pythonStacks: options.stacks,
  subprocesses: options.subprocesses,
  pythonAsRoot: options.asRoot === true,
  sendPySpy: options.send !== undefined,
});
