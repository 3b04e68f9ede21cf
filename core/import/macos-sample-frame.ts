import { demangle } from '../model/demangle.ts';
import type { FunctionKey } from '../model/profile-builder.ts';
import { FunctionKind } from '../model/profile.ts';
import { nameOfUnresolved } from './perf-modules.ts';

export interface MacosFrame {
  readonly func: FunctionKey;
  /** null where the line has none, or several. */
  readonly address: bigint | null;
  /** Of the line that ran; empty and 0 where unknown. */
  readonly file: string;
  readonly line: number;
}

/** `main  (in rg) + 41  [0x10384b549]  main.rs:12`; each part after the name may be missing. */
const SOURCE = /^(.*\])  (.+):(\d{1,9})$/;
const ADDRESSES = /^(.*?)  \[(0x[0-9a-f]{1,16})(,[^\]]*)?\]$/;
const PLACE = /(?:  load address 0x[0-9a-f]+)? \+ (?:0x[0-9a-f]+|[\d,.]+)$/;
const MODULE = /^(.*?)  \(in (.+)\)$/;
/** LLVM's mark of a function that link-time optimisation made visible. */
const LLVM = / \(\.llvm\.[0-9A-F]+\)$/;

/** A row of a call graph without its indentation and count. */
export function parseMacosFrame(text: string): MacosFrame {
  const [, before = text, file = '', line = '0'] = SOURCE.exec(text) ?? [];
  const [, named = before, address, more] = ADDRESSES.exec(before) ?? [];
  const [, name = named, module = ''] = MODULE.exec(named.replace(PLACE, '')) ?? [];
  const isUnresolved = name === '???' || /^0x[0-9a-f]+$/.test(name);
  const symbol = name.replace(LLVM, '');
  const func: FunctionKey = isUnresolved
    ? { name: nameOfUnresolved(module), module, kind: FunctionKind.unresolved }
    : { name: demangle(symbol) ?? symbol, module, kind: FunctionKind.user };
  return {
    func,
    address: address === undefined || more !== undefined ? null : BigInt(address),
    file,
    line: Number(line),
  };
}
