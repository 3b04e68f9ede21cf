import type { CollectorId, CollectorOptions, ProcessRow, Scope } from '#core/contract/schemas.ts';
import type { LiveLimits } from '#core/contract/live.ts';
import { DEFAULT_MAX_CPUS } from '#core/contract/live-defaults.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import type { Side } from '#core/contract/side.ts';
import { shortTarget } from '../../ui/status/target-words.ts';
import type { RecordPurpose } from '../../state/workbench-state.ts';

/** The dialog's fields that all collectors share, as typed. */
export interface CommonFields {
  readonly collector: CollectorId;
  readonly purpose: RecordPurpose;
  /** IDs of the targets that record concurrently. */
  readonly targets: readonly string[];
  /** By target. */
  readonly processes: ReadonlyMap<string, ProcessRow>;
  /** The processes of the after side, if two sides alternate. */
  readonly afterProcesses: ReadonlyMap<string, ProcessRow>;
  /** Empty records until stopped. */
  readonly seconds: string;
  readonly repeat: string;
  readonly pause: string;
  /** Of several targets: how many record at the same time; empty: all. */
  readonly wave: string;
  /** Of several targets: percent of a host's CPU time beyond which recording ends; empty: any. */
  readonly maxOverhead: string;
  readonly name: string;
  /** Of a live view: percent of a CPU that the collector may take; 0: any. */
  readonly maxCpu: string;
  /** Of a live view: what is kept of the raw output. */
  readonly raw: RawChoice;
}

/** Kept raw output in bytes; null keeps all, undefined nothing. */
const RAW_BYTES = { none: undefined, '256M': 256e6, '1G': 1e9, full: null } as const;
export type RawChoice = keyof typeof RAW_BYTES;

export const RAW_CHOICES: readonly { readonly value: RawChoice; readonly label: string }[] = [
  { value: 'none', label: 'not kept' },
  { value: '256M', label: 'the newest 256 MB' },
  { value: '1G', label: 'the newest GB' },
  { value: 'full', label: 'in full' },
];

/** Returns what a live view keeps of the raw output, as part of its limits. */
export function rawLimit({ raw }: Pick<CommonFields, 'raw'>): Pick<LiveLimits, 'raw'> {
  const maxBytes = RAW_BYTES[raw];
  return maxBytes === undefined ? {} : { raw: { maxBytes } };
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
  wave: '',
  maxOverhead: '',
  name: '',
  maxCpu: String(DEFAULT_MAX_CPUS * 100),
  raw: 'none',
};

/** The first invalid field, and why. */
export interface FieldRefusal<Fields = CommonFields> {
  readonly field: keyof Fields;
  readonly message: string;
}

/** What one target records; `after` is set if two sides alternate. */
export interface TargetSides {
  readonly options: CollectorOptions;
  readonly after?: CollectorOptions;
}

export const isRefusal = <Fields>(read: object): read is FieldRefusal<Fields> => 'message' in read;

/** Returns whether a target is reached over a link. */
export const hasLink = ({ targets }: Pick<CommonFields, 'targets'>): boolean =>
  targets.some((id) => id !== LOCAL_TARGET);

/** Returns the process chosen on a target. `side` is one of two that alternate. */
export function readProcess(
  form: CommonFields,
  target: string,
  side: Side | null,
): Extract<Scope, { kind: 'pid' }> | FieldRefusal {
  const field = side === 'after' ? 'afterProcesses' : 'processes';
  const process = form[field].get(target);
  if (process !== undefined) return { kind: 'pid', pid: process.pid, startTicks: process.startTicks };
  const where = form.targets.length > 1 ? ` on ${shortTarget(target)}` : '';
  return {
    field,
    message: side === null ? `Choose a process${where}.` : `Choose the ${side} process${where}.`,
  };
}

/** Returns what each target records; `read` reads one target, of one of two sides if they alternate. */
export function readSides<Fields>(
  { targets, purpose }: CommonFields,
  read: (target: string, side: Side | null) => CollectorOptions | FieldRefusal<Fields>,
): TargetSides[] | FieldRefusal<Fields> {
  const isInTurn = purpose.kind === 'in-turn';
  const sides: TargetSides[] = [];
  for (const target of targets) {
    const options = read(target, isInTurn ? 'before' : null);
    if (isRefusal<Fields>(options)) return options;
    const after = isInTurn ? read(target, 'after') : null;
    if (after !== null && isRefusal<Fields>(after)) return after;
    sides.push({ options, ...(after === null ? {} : { after }) });
  }
  return sides;
}

/** Returns null to record until stopped, and undefined if the text is not a duration. */
export function readSeconds({ seconds }: Pick<CommonFields, 'seconds'>): number | null | undefined {
  if (seconds.trim() === '') return null;
  return decimal(seconds, 86_400) || undefined;
}

export const NO_DURATION = {
  field: 'seconds',
  message: 'Invalid duration: give at most 86,400 seconds, or leave it empty to record until stopped.',
} as const;

export function wholeNumber(text: string, low: number, high: number): number | null {
  const value = Number(text.trim() || Number.NaN);
  return Number.isInteger(value) && value >= low && value <= high ? value : null;
}

/** Returns undefined if the text is not a number from 0 to `high`. */
export function decimal(text: string, high: number): number | undefined {
  const value = Number(text.trim() || Number.NaN);
  return value >= 0 && value <= high ? value : undefined;
}
