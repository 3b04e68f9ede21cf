import type { FrameIndex } from '../../model/brand.ts';
import type { ProfileBuilder, ValueTypeKey } from '../../model/profile-builder.ts';
import { FunctionKind, type Label } from '../../model/profile.ts';

/** What the first line of Flamebench's scripts states about their rows; written by collectors/bpftrace and stap. */
export interface RowsHeader {
  readonly type: string;
  readonly unit: string;
  /** Kinds of the stacks of a row, in order. */
  readonly stacks: readonly StackSpace[];
  /** Numbers of a row after its stacks; the thread's name follows. */
  readonly numbers: readonly KeyNumber[];
  readonly rateHz: number | null;
}

type StackSpace = 'kernel' | 'user';
export type KeyNumber = (typeof KEY_NUMBERS)[number];
const KEY_NUMBERS = ['pid', 'tid', 'state', 'call', 'bucket'] as const;

/** Type of a wall clock. Its samples are on or off a CPU, and each has a value type as well. */
const WALL_CLOCK = 'wall-clock';

/** Returns the `name=value` fields of a line that begins with `prefix`; null for any other line. */
export function readFields(line: string, prefix: string): Map<string, string> | null {
  if (!line.startsWith(prefix)) return null;
  return new Map(
    line
      .slice(prefix.length)
      .trim()
      .split(/\s+/)
      .map((field): [string, string] => {
        const at = field.indexOf('=');
        return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)];
      }),
  );
}

export const listField = (fields: ReadonlyMap<string, string>, name: string): string[] =>
  (fields.get(name) ?? '').split(',').filter((one) => one !== '');

/** Returns null without the required fields. */
export function readRowsHeader(fields: ReadonlyMap<string, string>): RowsHeader | null {
  const stacks = listField(fields, 'stacks').filter((one) => one === 'kernel' || one === 'user');
  const keys = listField(fields, 'keys');
  const numbers = keys.slice(0, -1).flatMap((key) => KEY_NUMBERS.find((one) => one === key) ?? []);
  const type = fields.get('type') ?? '';
  const unit = fields.get('unit') ?? '';
  const isWhole =
    type !== '' && unit !== '' && stacks.length > 0 && keys.at(-1) === 'comm' && numbers.length === keys.length - 1;
  if (!isWhole) return null;
  const rate = Number(fields.get('rate') ?? Number.NaN);
  return { type, unit, stacks, numbers, rateHz: rate > 0 ? rate : null };
}

/** A row of a recipe's output. */
export interface RecipeRow {
  /** Frames of each of the header's stacks, leaf first. */
  readonly stacks: readonly (readonly string[])[];
  readonly numbers: Readonly<Partial<Record<KeyNumber, number>>>;
  readonly comm: string;
  readonly weight: number;
}

type CountedRow = Omit<RecipeRow, 'stacks'>;

/** Returns the value types of a recipe, in the order of {@link recipeWeights}. */
export function recipeValueTypes({ type, unit }: RowsHeader): ValueTypeKey[] {
  const types = type === WALL_CLOCK ? [WALL_CLOCK, 'on-cpu', 'off-cpu'] : [type];
  return types.map((one) => ({ type: one, unit }));
}

/** The samples of a recipe's output. */
export class RecipeSamples {
  readonly #builder: ProfileBuilder;
  readonly #header: RowsHeader;
  /** Sum of all rows' weights. */
  #kept = 0;
  /** The same sum as the script counted it; null if the script was killed before it printed it. */
  total: number | null = null;
  durationNs: number | null = null;

  constructor(builder: ProfileBuilder, header: RowsHeader) {
    this.#builder = builder;
    this.#header = header;
  }

  /** Adds a row with its frames, leaf first. Rows of weight 0 are waits shorter than a unit. */
  add(row: CountedRow, frames: FrameIndex[]): void {
    this.#kept += row.weight;
    const { pid = -1, tid = -1, bucket } = row.numbers;
    if (bucket !== undefined) {
      const func = this.#builder.function({ name: bucketName(bucket), kind: FunctionKind.synthetic });
      frames.unshift(this.#builder.frame({ func }));
    }
    const labels = recipeLabels(row);
    this.#builder.sample(
      {
        stack: this.#builder.stackOf(frames),
        thread: this.#builder.thread(pid, tid, row.comm),
        labelSet: labels.length === 0 ? undefined : this.#builder.labelSet(labels),
      },
      ...recipeWeights(this.#header, row),
    );
  }

  /** Adds a warning if the script counted more than it printed. `why` follows *is lost*. */
  diagnoseLoss(why: string, remedy: string): void {
    const lost = (this.total ?? 0) - this.#kept;
    if (lost <= 0) return;
    const share = ((lost / this.total!) * 100).toPrecision(2);
    const message = `${share} % of the weight is lost: ${why}`;
    this.#builder.diagnostics.add('lost-samples', message, { count: lost, remedy });
  }
}

/**
 * Names of a row's `state`, which states why a thread was not running (bits of `prev_state` of sched_switch). 4: it
 * was running.
 */
const STATES = ['runnable', 'sleeping', 'uninterruptible', 'stopped', 'on CPU'] as const;
const ON_CPU = 4;

/** Returns the labels of a row; none if its recipe has no labels. */
function recipeLabels({ numbers: { state, call } }: CountedRow): Label[] {
  const labels: Label[] = [];
  if (state !== undefined) labels.push({ key: 'state', text: STATES[state] ?? `state ${state}` });
  if (call !== undefined) labels.push({ key: 'system call number', number: call, unit: '' });
  return labels;
}

/** Returns one weight per value type of {@link recipeValueTypes}. */
function recipeWeights({ type }: RowsHeader, { weight, numbers }: CountedRow): number[] {
  if (type !== WALL_CLOCK) return [weight];
  return numbers.state === ON_CPU ? [weight, weight, 0] : [weight, 0, weight];
}

/** Names a bucket, which holds times from 2^(bucket − 1) to 2^bucket µs: `64–128 µs`. */
function bucketName(bucket: number): string {
  if (bucket === 0) return '< 1 µs';
  return `${(2 ** (bucket - 1)).toLocaleString('en')}–${(2 ** bucket).toLocaleString('en')} µs`;
}
