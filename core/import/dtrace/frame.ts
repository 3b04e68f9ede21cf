import { demangle } from '../../symbols/demangle/demangle.ts';
import type { FunctionKey } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';
import { nameOfUnresolved } from '../../symbols/perf-modules.ts';

export interface DtraceFrame {
  /** One, or, where a JVM inlined functions into one another, innermost first. */
  readonly functions: readonly FunctionKey[];
  /** null where the line has none. */
  readonly address: bigint | null;
}

/** `0x104d08831`: no symbol and no module. */
const ADDRESS = /^0x([0-9a-f]{1,16})$/;
/** `genunix`open+0x25`; a module is a file's name. */
const IN_MODULE = /^([^`]+)`(.+)$/;
const OFFSET = /\+0x[0-9a-f]+$/;
/** Names of illumos', macOS' and FreeBSD's kernels and of their modules. */
const KERNEL = /^(?:unix|genunix|kernel|mach_kernel)$|\.ko$/;
const LIBRARY = /\.(?:so|dylib)\b/;

export const isDtraceFrame = (line: string): boolean => ADDRESS.test(line) || IN_MODULE.test(line);

/** A frame's line without the blanks around it. */
export function parseDtraceFrame(line: string): DtraceFrame {
  const bare = ADDRESS.exec(line)?.[1];
  if (bare !== undefined) return { functions: [unresolved('')], address: BigInt(`0x${bare}`) };
  const [, module = '', rest = line] = IN_MODULE.exec(line) ?? [];
  const symbol = rest.replace(OFFSET, '');
  const digits = ADDRESS.exec(symbol)?.[1];
  if (digits !== undefined) return { functions: [unresolved(module)], address: BigInt(`0x${digits}`) };
  const [outermost = symbol, ...inlined] = inlineChain(symbol);
  const functions = [{ name: demangle(outermost) ?? outermost, module, kind: kindOf(module) }];
  for (const name of inlined) functions.unshift({ name, module: '', kind: FunctionKind.jit });
  return { functions, address: null };
}

/** A JVM's `caller->callee`, of plain names only: C++ has `operator->`, and arrows within arguments. */
function inlineChain(symbol: string): string[] {
  const chain = symbol.includes('operator->') || /[(<]/.test(symbol) ? [symbol] : symbol.split('->');
  return chain.every((name) => name !== '') ? chain : [symbol];
}

function kindOf(module: string): FunctionKind {
  if (KERNEL.test(module)) return FunctionKind.kernel;
  return LIBRARY.test(module) ? FunctionKind.user : FunctionKind.unknown;
}

function unresolved(module: string): FunctionKey {
  return { name: nameOfUnresolved(module), module, kind: FunctionKind.unresolved };
}
