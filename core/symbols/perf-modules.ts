import type { FunctionKey } from '../model/profile-builder.ts';
import { FunctionKind } from '../model/profile.ts';

const KERNEL_MODULE =
  /^\[(?!vdso|vsyscall|heap|stack|anon|uprobes|JIT)|^(?:.*\/)?(?:vmlinux(?:-\S*)?|kcore)$|\.ko(?:\.(?:gz|xz|zst))?$/;
const JIT_MODULE = /^\[JIT\] tid \d+|\/perf-\d+\.map$|\/jitted-\d+-\d+\.so$/;

/** Returns the kind of code in a module that perf names this way. */
export function kindOfModule(module: string): FunctionKind {
  if (module === '') return FunctionKind.unknown;
  if (KERNEL_MODULE.test(module)) return FunctionKind.kernel;
  return JIT_MODULE.test(module) ? FunctionKind.jit : FunctionKind.user;
}

/** Names a function without a symbol after its module, like FlameGraph and inferno. */
export function nameOfUnresolved(module: string): string {
  return `[${module === '' ? 'unknown' : module.slice(module.lastIndexOf('/') + 1)}]`;
}

/** Returns the function of code without a symbol in a module. */
export const unresolvedFunction = (module: string): FunctionKey => ({
  name: nameOfUnresolved(module),
  module,
  kind: FunctionKind.unresolved,
});

/**
 * Like {@link nameOfUnresolved}; if not even the module is known, functions are named by their address, like in pprof.
 */
export function nameOfAddress(module: string, address: bigint): string {
  return module === '' && address !== 0n ? `0x${address.toString(16)}` : nameOfUnresolved(module);
}
