import type { FunctionKind, Profile } from './profile.ts';

/** Text about a function, for labels and tooltips. Untrusted: only ever shown as text. */
export interface FunctionFacts {
  readonly name: string;
  /** Empty if unknown, like `file`. */
  readonly module: string;
  readonly file: string;
  /** 1-based; 0 if unknown. */
  readonly line: number;
  readonly kind: FunctionKind;
  /** True if every frame of the function was inlined into its caller. */
  readonly inlined?: boolean;
}

export function functionFacts(
  { functions, strings }: Pick<Profile, 'functions' | 'strings'>,
  func: number,
  inlined?: Uint8Array,
): FunctionFacts {
  return {
    name: strings[functions.name[func]!]!,
    module: strings[functions.module[func]!]!,
    file: strings[functions.file[func]!]!,
    line: functions.line[func]!,
    kind: functions.kind[func] as FunctionKind,
    ...(inlined?.[func] === 1 ? { inlined: true } : {}),
  };
}
