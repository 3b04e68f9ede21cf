import { demangle } from '../../symbols/demangle/demangle.ts';
import type { FunctionKey } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';
import { kindOfModule, nameOfUnresolved } from '../../symbols/perf-modules.ts';

export interface BpfFrame {
  readonly func: FunctionKey;
  /** null where the line has none. */
  readonly address: bigint | null;
}

/** Between the kernel's part of a stack and the user's, with bcc's -d. */
export const DELIMITER = '--';

/** `ffffffff816d2f25 schedule`, as bcc prints with -v and bpftrace in its mode `perf`. */
const WITH_ADDRESS = /^([0-9a-f]{8,16}) (\S.*)$/;
/** `0x7f12`: no symbol. */
const ONLY_ADDRESS = /^0x([0-9a-f]{1,16})$/;
/** `schedule+36`, `schedule+0x24`, each also with ` (/path/of/module)` or ` [module]`. */
const SYMBOL = /^(.+?)(?:\+(?:0x[0-9a-f]+|\d+))?(?: \((.+)\)| \[([^\]]+)\])?$/;

/** A frame's line without the blanks around it. `isKernel`: it stands above the delimiter. */
export function parseBpfFrame(line: string, isKernel: boolean): BpfFrame {
  if (line === DELIMITER) return { func: { name: '-', kind: FunctionKind.synthetic }, address: null };
  const [, bare] = ONLY_ADDRESS.exec(line) ?? [];
  if (bare !== undefined) return { func: unresolved(''), address: BigInt(`0x${bare}`) };
  const [, digits, rest = line] = WITH_ADDRESS.exec(line) ?? [];
  const address = digits === undefined ? null : BigInt(`0x${digits}`);
  const [, symbol = rest, path, name] = SYMBOL.exec(rest) ?? [];
  const module = path ?? name ?? '';
  if (symbol === '[unknown]') return { func: unresolved(module), address };
  const kind = isKernel ? FunctionKind.kernel : module === '' ? FunctionKind.unknown : kindOfModule(module);
  return { func: { name: demangle(symbol) ?? symbol, module, kind }, address };
}

function unresolved(module: string): FunctionKey {
  return { name: nameOfUnresolved(module), module, kind: FunctionKind.unresolved };
}
