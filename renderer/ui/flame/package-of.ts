import type { FunctionFacts } from '#core/analyze/graph/flame-slice.ts';

/** Compilers append these to C and Rust symbols, linkers a version (`f@GLIBC_2.34`); the dot is no package separator. */
const COMPILER_SUFFIX = /@.*$|\.(?:isra|part|constprop|cold|llvm|lto_priv|localalias|str|clone)\b.*$/;

/** `java.util.stream` of `java.util.stream.ReduceOps$5.evaluate`: what comes before the class. */
const JAVA_PACKAGE = /^((?:[a-z_]\w*\.)*[a-z_]\w*)\.[A-Z]/;
/** What follows the class of a class without a package: `W$$Lambda$88`. */
const NESTED_CLASS = /(?<=^[A-Z][^$]*)\$.*$/s;

/**
 * The package that a function belongs to, as far as its name tells: Go and Java packages, the outermost C++ or Rust namespace;
 * else the module's file name, else the source file.
 */
export function packageOf(facts: FunctionFacts): string {
  const head = facts.name.slice(0, 500).split(/[(<[{]/, 1)[0]!;
  const namespace = /(?:^|[\s*&])([A-Za-z_]\w*)::/.exec(head);
  if (namespace !== null) return namespace[1]!;
  const path = head.replace(COMPILER_SUFFIX, '');
  const slash = path.lastIndexOf('/');
  const dot = path.indexOf('.', slash + 1);
  if (dot > 0 && !path.includes(' ')) {
    const [, dotted] = slash < 0 ? (JAVA_PACKAGE.exec(path) ?? []) : [];
    if (dotted !== undefined) return dotted;
    const isType = slash > 0 && /[A-Z]/.test(path[slash + 1] ?? '');
    return path.slice(0, isType ? slash : dot).replace(NESTED_CLASS, '');
  }
  return facts.module === '' ? facts.file : baseName(facts.module);
}

/** The name without the folders that it lies in. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1);
}
