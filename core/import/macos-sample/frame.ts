import { demangle } from '../../symbols/demangle/demangle.ts';
import type { FunctionKey } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';
import { nameOfUnresolved } from '../../symbols/perf-modules.ts';

export interface MacosFrame {
  readonly func: FunctionKey;
  /** null where the line has none, or several. */
  readonly address: bigint | null;
  /** Of the line that ran; empty and 0 where unknown. */
  readonly file: string;
  readonly line: number;
}

/** Before the addresses of a row, and before its module. */
const [ADDRESSES, MODULE] = ['  [0x', '  (in '] as const;
const PLACE = /(?:  load address 0x[0-9a-f]+)? \+ (?:0x[0-9a-f]+|[\d,.]+)$/;
/** LLVM's mark of a function that link-time optimisation made visible. */
const LLVM = / \(\.llvm\.[0-9A-F]+\)$/;

/** `main  (in rg) + 41  [0x10384b549]  main.rs:12`, a row without its indentation and count; each part after the name may be missing. */
export function parseMacosFrame(text: string): MacosFrame {
  const opening = text.lastIndexOf(ADDRESSES);
  const closing = opening < 0 ? -1 : text.indexOf(']', opening);
  const named = (closing < 0 ? text : text.slice(0, opening)).replace(PLACE, '');
  const inModule = named.endsWith(')') ? named.lastIndexOf(MODULE) : -1;
  const module = inModule < 0 ? '' : named.slice(inModule + MODULE.length, -1);
  const name = (inModule < 0 ? named : named.slice(0, inModule)).replace(LLVM, '');
  const isUnresolved = name === '???' || /^0x[0-9a-f]+$/.test(name);
  const func: FunctionKey = isUnresolved
    ? { name: nameOfUnresolved(module), module, kind: FunctionKind.unresolved }
    : { name: demangle(name) ?? name, module, kind: FunctionKind.user };
  const address = closing < 0 ? '' : text.slice(opening + 3, closing);
  return {
    func,
    address: /^0x[0-9a-f]{1,16}$/.test(address) ? BigInt(address) : null,
    ...(closing < 0 ? NOWHERE : sourceOf(text.slice(closing + 1))),
  };
}

const NOWHERE = { file: '', line: 0 };

/** `  main.rs:12` */
function sourceOf(text: string): { readonly file: string; readonly line: number } {
  const colon = text.lastIndexOf(':');
  const digits = text.slice(colon + 1);
  return text.startsWith('  ') && colon > 2 && /^\d{1,9}$/.test(digits)
    ? { file: text.slice(2, colon), line: Number(digits) }
    : NOWHERE;
}
