import type { FunctionNames } from '../../analysis/profile/protocol.ts';

/**
 * Joins a profile's functions with those that transforms created; the names of the latter refer to both string tables.
 */
export function joinFunctions(own: FunctionNames, made: FunctionNames): FunctionNames {
  const column = (key: 'name' | 'module' | 'file' | 'line'): Int32Array => {
    const joined = new Int32Array(own.length + made.length);
    joined.set(own[key]);
    joined.set(made[key], own.length);
    return joined;
  };
  const kind = new Uint8Array(own.length + made.length);
  kind.set(own.kind);
  kind.set(made.kind, own.length);
  return {
    length: kind.length,
    strings: [...own.strings, ...made.strings],
    name: column('name'),
    module: column('module'),
    file: column('file'),
    line: column('line'),
    kind,
  };
}
