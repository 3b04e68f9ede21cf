import type { FunctionIndex } from '../../model/brand.ts';
import { int32Column, uint8Column } from '../../model/intern/column.ts';
import { StringRows } from '../../model/intern/string-rows.ts';
import type { FunctionKey } from '../../model/profile-builder.ts';
import { FunctionKind, NO_ADDRESS, type FunctionTable, type Profile } from '../../model/profile.ts';

/** A function's final name. */
export interface NamedFunction extends FunctionKey {
  /** As the linker calls it, if that distinguishes functions of one name (overloads); not stored. */
  readonly symbol?: string;
}

/**
 * Returns the profile with the functions of its frames replaced by those that `describe` returns. Frames, stacks and
 * samples are unchanged.
 */
export function nameFrames(
  profile: Profile,
  describe: (func: FunctionIndex, address: bigint) => NamedFunction,
): Profile {
  const { frames } = profile;
  const strings = new StringRows(profile.strings);
  const functions = new FunctionInterner(strings);
  const func = new Int32Array(frames.length);
  for (let row = 0; row < frames.length; row++) {
    const key = describe(frames.func[row]! as FunctionIndex, frames.address?.[row] ?? NO_ADDRESS);
    func[row] = functions.intern(key);
  }
  return { ...profile, strings: strings.list, functions: functions.finish(), frames: { ...frames, func } };
}

class FunctionInterner {
  readonly #strings: StringRows;
  readonly #rows = new Map<string, number>();
  readonly #name = int32Column();
  readonly #module = int32Column();
  readonly #file = int32Column();
  readonly #line = int32Column();
  readonly #kind = uint8Column();

  constructor(strings: StringRows) {
    this.#strings = strings;
  }

  intern({ name, module = '', file = '', line = 0, kind = FunctionKind.unknown, symbol = '' }: NamedFunction): number {
    const strings = this.#strings;
    const rows = [strings.rowOf(name), strings.rowOf(module), strings.rowOf(file)] as const;
    const text = `${rows.join(' ')} ${line} ${kind} ${symbol}`;
    const known = this.#rows.get(text);
    if (known !== undefined) return known;
    const row = this.#name.length;
    this.#rows.set(text, row);
    this.#name.push(rows[0]);
    this.#module.push(rows[1]);
    this.#file.push(rows[2]);
    this.#line.push(line);
    this.#kind.push(kind);
    return row;
  }

  finish(): FunctionTable {
    const { length } = this.#name;
    return {
      length,
      name: this.#name.finish(),
      module: this.#module.finish(),
      file: this.#file.finish(),
      line: this.#line.finish(),
      kind: this.#kind.finish(),
    };
  }
}
