import type { CollectorId, CollectorOptions, ProcessRow, Scope, Side } from '#core/contract/schemas.ts';
import { LOCAL_TARGET } from '#core/contract/target.ts';
import { shortTarget } from '../../ui/status/target-words.ts';
import type { RecordPurpose } from '../../state/workbench-state.ts';

/** The dialog's fields that every collector has, as typed. */
export interface CommonFields {
  readonly collector: CollectorId;
  readonly purpose: RecordPurpose;
  /** Ids of those that record at the same time. */
  readonly targets: readonly string[];
  /** By target. */
  readonly processes: ReadonlyMap<string, ProcessRow>;
  /** Of the after side, where two take turns. */
  readonly afterProcesses: ReadonlyMap<string, ProcessRow>;
  /** Empty: until stopped. */
  readonly seconds: string;
  readonly repeat: string;
  readonly pause: string;
  readonly name: string;
}

export const EMPTY_COMMON: CommonFields = {
  collector: 'perf',
  purpose: { kind: 'library' },
  targets: [LOCAL_TARGET],
  processes: new Map(),
  afterProcesses: new Map(),
  seconds: '10',
  repeat: '1',
  pause: '0',
  name: '',
};

/** The field that keeps the engine from being asked, and why. */
export interface Refusal<Fields = CommonFields> {
  readonly field: keyof Fields;
  readonly message: string;
}

/** What one target records; `after` where two sides take turns. */
export interface TargetSides {
  readonly options: CollectorOptions;
  readonly after?: CollectorOptions;
}

export const isRefusal = <Fields>(read: object): read is Refusal<Fields> => 'message' in read;

/** Whether one of the targets is reached over a link. */
export const hasLink = ({ targets }: Pick<CommonFields, 'targets'>): boolean =>
  targets.some((id) => id !== LOCAL_TARGET);

/** The process chosen on a target. `side`: of two that take turns. */
export function readProcess(
  form: CommonFields,
  target: string,
  side: Side | null,
): Extract<Scope, { kind: 'pid' }> | Refusal {
  const field = side === 'after' ? 'afterProcesses' : 'processes';
  const process = form[field].get(target);
  if (process !== undefined) return { kind: 'pid', pid: process.pid, startTicks: process.startTicks };
  const where = form.targets.length > 1 ? ` on ${shortTarget(target)}` : '';
  return {
    field,
    message: side === null ? `Choose a process${where}.` : `Choose the ${side} process${where}.`,
  };
}

/** Null: until stopped. Undefined: not a duration. */
export function readSeconds({ seconds }: Pick<CommonFields, 'seconds'>): number | null | undefined {
  if (seconds.trim() === '') return null;
  return decimal(seconds, 86_400) || undefined;
}

export function wholeNumber(text: string, low: number, high: number): number | null {
  const value = Number(text.trim() || Number.NaN);
  return Number.isInteger(value) && value >= low && value <= high ? value : null;
}

/** Undefined where it is not a number from 0 to `high`. */
export function decimal(text: string, high: number): number | undefined {
  const value = Number(text.trim() || Number.NaN);
  return value >= 0 && value <= high ? value : undefined;
}
