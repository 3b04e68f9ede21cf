import * as z from 'zod';
import { pidScopeSchema } from './bpftrace.ts';

/** Which threads are sampled: those that run; those that hold the global interpreter lock; all, idle ones too. */
export const PYTHON_THREADS = ['running', 'gil', 'all'] as const;

/** py-spy keeps all samples in memory until the end; ten threads at most then have some 100 MB of JSON. */
export const MAX_PYTHON_SECONDS = 600;
/** Above this, py-spy pauses the process for most of the time. */
export const MAX_PYTHON_HZ = 1000;
/** py-spy's default. */
export const DEFAULT_PYTHON_HZ = 100;

export const pythonOptionsSchema = z.object({
  collector: z.literal('python'),
  scope: pidScopeSchema,
  /** Samples of each thread per second. */
  rateHz: z.number().int().min(1).max(MAX_PYTHON_HZ),
  seconds: z.number().int().min(1).max(MAX_PYTHON_SECONDS),
  threads: z.enum(PYTHON_THREADS),
  /** `native` adds the frames of C and C++ code, which needs pauses; without `pauses`, samples may be wrong. */
  stacks: z.enum(['python', 'native', 'without-pauses']),
  /** Also samples the processes that it started. */
  subprocesses: z.boolean(),
  /** Uses sudo if the target's user may not read the process. */
  asRoot: z.boolean().exactOptional(),
  /**
   * Sends py-spy for the recording if the target has none that can be used: `fetched` from PyPI if this machine keeps
   * none, or only a `kept` one. Absent: it is not sent.
   */
  send: z.enum(['fetched', 'kept']).exactOptional(),
});
export type PythonOptions = z.infer<typeof pythonOptionsSchema>;

/** Returns whether a process is proposed for `record python`: PyPy, of the same runtime, can't be read by py-spy. */
export const isPython = ({ executable }: { readonly executable: string | null }): boolean =>
  /(?:^|\/)python[0-9.]*(?: \(deleted\))?$/.test(executable ?? '');

/** What a user accepts by a recording. */
export const pythonNote = ({ stacks }: Pick<PythonOptions, 'stacks'>): string =>
  stacks === 'without-pauses'
    ? 'py-spy reads the process while it runs: stacks that change meanwhile are wrong or missing.'
    : 'py-spy pauses the process while it reads each sample.';
