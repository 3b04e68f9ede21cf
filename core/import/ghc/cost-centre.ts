import type { StackIndex } from '../../model/brand.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';

const TICKS = { type: 'ticks', unit: 'count' };
const BYTES = { type: 'alloc_space', unit: 'bytes' };
const ENTRIES = { type: 'entries', unit: 'count' };
/** Shares of the whole, with one decimal. */
const SHARES = ['time', 'alloc'].map((type) => ({ type, unit: 'percent' }));

/** Weights of a report's row, in this order. */
export const GHC_WEIGHTS = {
  /** `-pj` */
  json: [TICKS, BYTES, ENTRIES],
  /** `-P` */
  exact: [TICKS, BYTES, ENTRIES, ...SHARES],
  /** `-p` */
  shares: [...SHARES, ENTRIES],
} as const;

export interface CostCentre {
  readonly label: string;
  readonly module: string;
  /** `Main.hs:(108,1)-(120,56)`, `Main.hs:95:11-83`, or `<entire-module>` and the like. */
  readonly place: string;
}

const PLACE = /^(.+):\(?(\d{1,9})[,:]/;

export function addCostCentre(
  builder: ProfileBuilder,
  caller: StackIndex,
  { label, module, place }: CostCentre,
): StackIndex {
  const [, file = '', line = '0'] = PLACE.exec(place) ?? [];
  const func = builder.function({ name: label, module, file, line: Number(line), kind: FunctionKind.user });
  return builder.stack(caller, builder.frame({ func }));
}

export function ghcMetadata(
  format: string,
  command: string | null,
  tickMicroseconds: number | null,
): Partial<Profile['metadata']> & { format: string } {
  const period = tickMicroseconds === null ? null : { type: 'time', unit: 'microseconds', value: tickMicroseconds };
  return { format, tool: 'GHC', command, period };
}
