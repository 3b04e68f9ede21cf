import { FunctionKind as Kind, type FunctionKind } from '../model/profile.ts';
import { joinColumns } from '../model/intern/column.ts';
import { StringRows } from '../model/intern/string-rows.ts';
import { functionRef, type FunctionRef, type NamedFunctions } from './function-ref.ts';

/** A function made by a transform, which no profile contains: a renamed function, a collapsed module. */
export interface MadeFunction extends FunctionRef {
  readonly kind: FunctionKind;
}

/** Appends functions to the table. Existing indices stay valid, and no string is duplicated. */
export function appendFunctions(table: NamedFunctions, made: readonly MadeFunction[]): NamedFunctions {
  if (made.length === 0) return table;
  const strings = new StringRows(table.strings);
  const { functions } = table;
  const longer = <A extends Int32Array | Uint8Array>(column: A, of: (one: MadeFunction) => number): A =>
    joinColumns<Int32Array | Uint8Array>(column, made.map(of)) as A;
  return {
    strings: strings.list,
    functions: {
      length: functions.length + made.length,
      name: longer(functions.name, ({ name }) => strings.rowOf(name)),
      module: longer(functions.module, ({ module }) => strings.rowOf(module)),
      file: longer(functions.file, ({ file }) => strings.rowOf(file)),
      line: longer(functions.line, ({ line }) => line),
      kind: longer(functions.kind, ({ kind }) => kind),
    },
  };
}

/**
 * Returns one function that replaces several (at least one), with the module, file, line and kind that all of them
 * share.
 */
export function mergeFunctions(table: NamedFunctions, name: string, parts: readonly number[]): MadeFunction {
  const refs = parts.map((part) => functionRef(table, part));
  const { module, file, line } = refs[0]!;
  const sameModule = refs.every((ref) => ref.module === module);
  const sameFile = refs.every((ref) => ref.file === file);
  const sameLine = sameFile && refs.every((ref) => ref.line === line);
  return {
    name,
    module: sameModule ? module : '',
    file: sameFile ? file : '',
    line: sameLine ? line : 0,
    kind: sharedKind(parts.map((part) => table.functions.kind[part] as FunctionKind)),
  };
}

/** Functions without a symbol or of unknown kind take the kind of the others. */
function sharedKind(kinds: readonly FunctionKind[]): FunctionKind {
  const known = kinds.filter((kind) => kind !== Kind.unknown && kind !== Kind.unresolved);
  const shared = known[0] ?? kinds[0]!;
  return (known.length > 0 ? known : kinds).every((kind) => kind === shared) ? shared : Kind.unknown;
}
