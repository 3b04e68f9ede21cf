import { functionRef } from '#core/analyze/function-ref.ts';
import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { usageError } from '../errors.ts';

/** So many are listed where one has to be chosen. */
const LISTED = 8;

/** The one of `functions` that the user means: by its name, else by a part of it that no other has. */
export function chooseFunction(
  table: NamedFunctions,
  functions: Int32Array,
  wanted: string,
  module: string | undefined,
): FunctionIndex {
  const candidates = Array.from(functions, (func) => ({ func, ...functionRef(table, func) })).filter(
    (one) => module === undefined || isOfModule(one.module, module),
  );
  const exact = candidates.filter(({ name }) => name === wanted);
  const found = exact.length > 0 ? exact : candidates.filter(({ name }) => name.includes(wanted));
  if (found.length === 1) return found[0]!.func as FunctionIndex;
  const place = module === undefined ? 'in this view' : `of ${module} in this view`;
  if (found.length === 0) throw usageError(`no function ${place} is called '${wanted}'`, 'flamebench top lists them');
  const listed = found.slice(0, LISTED).map(({ name, module: own }) => (own === '' ? name : `${name} [${own}]`));
  const more = found.length > LISTED ? ` and ${found.length - LISTED} more` : '';
  throw usageError(
    `'${wanted}' means ${found.length} functions`,
    `name one, with --module if several share the name: ${listed.join(', ')}${more}`,
  );
}

const isOfModule = (module: string, wanted: string): boolean =>
  module === wanted || module.slice(module.lastIndexOf('/') + 1) === wanted;
