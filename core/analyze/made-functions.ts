import { FunctionKind as Kind, type FunctionKind } from '../model/profile.ts';
import { functionRef, type FunctionRef, type NamedFunctions } from './function-ref.ts';

/** A function made by a transform, which no profile contains: a renamed function, a collapsed module. */
export interface MadeFunction extends FunctionRef {
  readonly kind: FunctionKind;
}

/** Appends functions to the table. Existing indices stay valid, and no string is duplicated. */
export function appendFunctions(table: NamedFunctions, made: readonly MadeFunction[]): NamedFunctions {
  if (made.length === 0) return table;
  const strings = [...table.strings];
  const rows = new Map(strings.map((text, row) => [text, row]));
  const intern = (text: string): number => {
    const known = rows.get(text);
    if (known !== undefined) return known;
    rows.set(text, strings.length);
    return strings.push(text) - 1;
  };
  const { functions } = table;
  const first = functions.length;
  const longer = (column: Int32Array, values: readonly number[]): Int32Array => {
    const joined = new Int32Array(first + values.length);
    joined.set(column);
    joined.set(values, first);
    return joined;
  };
  const kind = new Uint8Array(first + made.length);
  kind.set(functions.kind);
  kind.set(
    made.map((one) => one.kind),
    first,
  );
  return {
    strings,
    functions: {
      length: first + made.length,
      name: longer(
        functions.name,
        made.map(({ name }) => intern(name)),
      ),
      module: longer(
        functions.module,
        made.map(({ module }) => intern(module)),
      ),
      file: longer(
        functions.file,
        made.map(({ file }) => intern(file)),
      ),
      line: longer(
        functions.line,
        made.map(({ line }) => line),
      ),
      kind,
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
