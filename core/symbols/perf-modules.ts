import { FunctionKind } from '../model/profile.ts';

const KERNEL_MODULE =
  /^\[(?!vdso|vsyscall|heap|stack|anon|uprobes|JIT)|^(?:.*\/)?(?:vmlinux(?:-\S*)?|kcore)$|\.ko(?:\.(?:gz|xz|zst))?$/;
const JIT_MODULE = /^\[JIT\] tid \d+|\/perf-\d+\.map$|\/jitted-\d+-\d+\.so$/;

/** What kind of code is in a module that perf calls so. */
export function kindOfModule(module: string): FunctionKind {
  if (module === '') return FunctionKind.unknown;
  if (KERNEL_MODULE.test(module)) return FunctionKind.kernel;
  return JIT_MODULE.test(module) ? FunctionKind.jit : FunctionKind.user;
}

/** Without a name, a function is called by its module, as FlameGraph and inferno do. */
export function nameOfUnresolved(module: string): string {
  return `[${module === '' ? 'unknown' : module.slice(module.lastIndexOf('/') + 1)}]`;
}

/** As {@link nameOfUnresolved}; where not even the module is known, the address tells functions apart, as pprof has it. */
export function nameOfAddress(module: string, address: bigint): string {
  return module === '' && address !== 0n ? `0x${address.toString(16)}` : nameOfUnresolved(module);
}
