import { baseName } from '#core/model/base-name.ts';
import type { FunctionFacts } from '#core/model/function-facts.ts';

/**
 * Suffixes that compilers add to C and C++ or Rust symbols, and versions that linkers add (`f@GLIBC_2.34`); their dot
 * does not separate packages.
 */
const COMPILER_SUFFIX = /@.*$|\.(?:isra|part|constprop|cold|llvm|lto_priv|localalias|str|clone)\b.*$/;

/** Matches the package before the class: `java.util.stream` in `java.util.stream.ReduceOps$5.evaluate`. */
const JAVA_PACKAGE = /^((?:[a-z_]\w*\.)*[a-z_]\w*)\.[A-Z]/;
/** Matches what follows a class without a package: `W$$Lambda$88`. */
const NESTED_CLASS = /(?<=^[A-Z][^$]*)\$.*$/s;

/**
 * Returns the package of a function as derived from its name: a Go or Java package, or the outermost C++ or Rust
 * namespace; else the module's file name, else the source file.
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

/** Matches Go's receiver: `net/http.(*conn)` in `net/http.(*conn).serve`. */
const RECEIVER = /^([^\s()]*\.\(\*?[\w.]+\))\./;
/** Matches a class or namespaces in dots: `java.util.HashMap` in `java.util.HashMap.put`. */
const DOTTED = /^((?:[A-Za-z_$][\w$]*\.)+)[\w$<>]+$/;

/**
 * Returns the class or innermost namespace of a function without template arguments: `svc::Router` of
 * `svc::Router<int>::dispatch(int)`; else the source file, else as {@link packageOf}.
 */
export function classOf(facts: FunctionFacts): string {
  const name = facts.name.slice(0, 500);
  const receiver = RECEIVER.exec(name);
  if (receiver !== null) return receiver[1]!;
  let plain = name;
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replace(/<[^<>]*>/g, '');
  }
  // An unpaired bracket, as in operators, ends the name.
  const path = /(?:[A-Za-z_]\w*::)+/.exec(plain.split(/[(<[{]/, 1)[0]!);
  if (path !== null) return path[0].slice(0, -2);
  const dotted = DOTTED.exec(plain.replace(COMPILER_SUFFIX, ''));
  if (dotted !== null && !plain.includes('/')) return dotted[1]!.slice(0, -1);
  return facts.file === '' ? packageOf(facts) : baseName(facts.file);
}
