import type { StackIndex, ValueTypeIndex } from '../model/brand.ts';
import { malformed, type ImportFailure } from '../model/failure.ts';
import { ProfileBuilder } from '../model/profile-builder.ts';
import type { Profile, ProfileMetadata, ValueType } from '../model/profile.ts';
import { isSampleCount } from '../model/sample-counts.ts';
import { EMPTY_STACK, type FleetFrame, type FleetStack } from './capture-rows.ts';

/** Samples that a store summed over captures. */
export interface MergedSample {
  readonly thread: string;
  readonly stack: bigint;
  readonly weight: number;
  readonly samples: number;
}

export interface MergedDictionary {
  readonly frames: readonly FleetFrame[];
  readonly stacks: readonly FleetStack[];
}

/** The value type and facts of merged captures. */
export interface MergedFacts {
  readonly type: string;
  readonly unit: string;
  /** Weight of one observation; null if weights are not counts. */
  readonly period: number | null;
  readonly metadata: Partial<ProfileMetadata>;
}

export const FLEET_FORMAT = 'fleet';
const NO_STACK = -1 as StackIndex;

/**
 * Returns a function that makes profiles of merged samples. They share the tables of functions and stacks, so that a
 * comparison of many hosts has these once. Throws an ImportFailure for a stack or a function that the dictionary lacks.
 */
export function profilesOver({ frames, stacks }: MergedDictionary) {
  const builder = new ProfileBuilder(2);
  const frameRows = new Map(
    frames.map(({ id, func, module, file, line, kind }) => {
      const row = builder.function({ name: func, module, file, line, kind });
      return [id, builder.frame({ func: row })];
    }),
  );
  const rows = new Map<bigint, StackIndex>([[EMPTY_STACK, NO_STACK]]);
  for (const { id, frames: path } of stacks) {
    let row = NO_STACK;
    for (const frame of path) {
      const known = frameRows.get(frame);
      if (known === undefined) throw lacking(`function ${frame} of stack ${id}`);
      row = builder.stack(row, known);
    }
    rows.set(id, row);
  }
  const base = builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: FLEET_FORMAT });
  return (samples: readonly MergedSample[], facts: MergedFacts): Profile => {
    const own = new ProfileBuilder(2);
    const strings = [...base.strings];
    const names = new Map<string, number>();
    const nameOf = (thread: string): number => {
      const known = names.get(thread);
      if (known !== undefined) return known;
      names.set(thread, strings.length);
      return strings.push(thread) - 1;
    };
    for (const { thread, stack, weight, samples: count } of samples) {
      const row = rows.get(stack);
      if (row === undefined) throw lacking(`stack ${stack}`);
      own.sample({ stack: row, thread: own.thread(-1, -1, thread) }, weight, count);
    }
    const built = own.finish(typesOf(facts), metadataOf(facts));
    return {
      ...base,
      ...built,
      strings,
      functions: base.functions,
      frames: base.frames,
      stacks: base.stacks,
      threads: { ...built.threads, name: built.threads.name.map((row) => nameOf(built.strings[row]!)) },
    };
  };
}

const lacking = (what: string): ImportFailure => malformed(`the fleet lacks ${what}, which samples refer to`);

/** The value type of the weights, and the number of samples behind them if that is another. */
function typesOf({ type, unit }: MergedFacts): ValueType[] {
  const own = { type, unit, event: -1, column: 0 };
  return isSampleCount(own) ? [own] : [own, { type: 'samples', unit: 'count', event: -1, column: 1 }];
}

const metadataOf = ({ type, unit, period, metadata }: MergedFacts) => ({
  ...metadata,
  format: FLEET_FORMAT,
  defaultValueType: 0 as ValueTypeIndex,
  period: period === null ? null : { type, unit, value: period },
});
