import { FunctionKind } from '../../model/profile.ts';
import type { FunctionKey } from '../../model/profile-builder.ts';
import {
  identity,
  librariesOf,
  isAddress,
  kindOfLabel,
  sampleTimes,
  scriptAt,
  type GeckoFrame,
  type GeckoThread,
} from './thread.ts';
import { arrayOrNone, isObject, numberAt, numberOr, objectAt, textOr, type JsonObject } from '../text/json-value.ts';

type Cell = (column: string, row: number) => unknown;

/**
 * Reads a thread as written by the Firefox Profiler and samply: one table per kind of thing, one column per fact. Newer
 * files share tables.
 */
export function processedThread(thread: JsonObject, profile: JsonObject, where: string): GeckoThread {
  const shared = isObject(profile['shared']) ? profile['shared'] : {};
  const table = (name: string): JsonObject => {
    const own = thread[name] ?? shared[name];
    return own === undefined || own === null ? {} : objectAt(own, `${where}.${name}`);
  };
  const strings = arrayOrNone(thread['stringArray'] ?? shared['stringArray'], `${where}.stringArray`);
  const samples = objectAt(thread['samples'], `${where}.samples`);
  const sampleStack = columnOf(samples, 'stack', `${where}.samples`);
  const weight = samples['weight'];
  const cpu = samples['threadCPUDelta'];
  return {
    ...identity(thread),
    frames: processedFrames(thread, profile, table, strings, where),
    stackPrefix: prefixes(table('stackTable'), `${where}.stackTable`),
    stackFrame: columnOf(table('stackTable'), 'frame', `${where}.stackTable`),
    sampleStack,
    sampleTime: sampleTimes(samples, sampleStack.length),
    sampleWeight: Array.isArray(weight) ? (weight as unknown[]) : null,
    weightType: textOr(samples['weightType'], 'samples'),
    sampleCpu: Array.isArray(cpu) ? (cpu as unknown[]) : null,
    otherSamples: numberOr(table('jsAllocations')['length'], 0) + numberOr(table('nativeAllocations')['length'], 0),
  };
}

/** Returns each stack's caller. Since version 66 the table has distances to callers, 0 for a root. */
function prefixes(stackTable: JsonObject, where: string): readonly unknown[] {
  if (stackTable['prefix'] !== undefined) return columnOf(stackTable, 'prefix', where);
  return columnOf(stackTable, 'prefixOffset', where).map((value, row) => {
    const offset = numberAt(value, `${where}.prefixOffset[${row}]`);
    return offset === 0 ? null : row - offset;
  });
}

const columnOf = (table: JsonObject, name: string, where: string): readonly unknown[] =>
  arrayOrNone(table[name], `${where}.${name}`);

const cellsOf =
  (table: JsonObject): Cell =>
  (column, row) => {
    const values = table[column];
    return Array.isArray(values) ? (values as unknown[])[row] : undefined;
  };

function processedFrames(
  thread: JsonObject,
  profile: JsonObject,
  table: (name: string) => JsonObject,
  strings: readonly unknown[],
  where: string,
): GeckoFrame[] {
  const [frame, func] = [cellsOf(table('frameTable')), cellsOf(table('funcTable'))];
  const [resource, sources] = [cellsOf(table('resourceTable')), cellsOf(table('sources'))];
  const categories = kernelCategories(profile);
  const libraries = librariesOf(thread, profile).map(({ name }) => name);
  const text = (index: unknown): string => (typeof index === 'number' ? textOr(strings[index], '') : '');
  const funcs = columnOf(table('frameTable'), 'func', `${where}.frameTable`);
  return funcs.map((value, row) => {
    const at = numberAt(value, `${where}.frameTable.func[${row}]`);
    const name = text(func('name', at));
    const address = numberOr(frame('address', row), -1);
    const source = func('source', at);
    const file = text(typeof source === 'number' ? sources('filename', source) : func('fileName', at));
    const place = numberOr(func('resource', at), -1);
    const isScript = func('isJS', at) === true;
    // The resource of a script may be its host.
    const isModule = !isScript || resource('type', place) === LIBRARY;
    // Since version 70 a frame names its library; before, its function's resource does.
    const library = libraries[numberOr(frame('lib', row) ?? (isModule ? resource('lib', place) : null), -1)];
    const module = library || (place >= 0 && isModule ? text(resource('name', place)) : '');
    const isKernel = categories.has(numberOr(frame('category', row), -1));
    const script = file === '' && isScript ? scriptAt(name) : null;
    const key: FunctionKey = script ?? {
      name: name || '(unnamed)',
      file,
      module,
      line: numberOr(func('lineNumber', at), 0),
      column: numberOr(func('columnNumber', at), 0),
      kind: isScript ? FunctionKind.jit : kindOf(name, address, isKernel),
    };
    return {
      func: key,
      address,
      line: numberOr(frame('line', row), 0),
      inline: numberOr(frame('inlineDepth', row), 0) > 0,
    };
  });
}

/** Source: resourceTypes in src/profile-logic/data-structures.js of the Firefox Profiler. */
const LIBRARY = 1;

function kindOf(name: string, address: number, isKernel: boolean): FunctionKind {
  if (address >= 0 && isAddress(name)) return FunctionKind.unresolved;
  return isKernel ? FunctionKind.kernel : kindOfLabel(name);
}

function kernelCategories(profile: JsonObject): ReadonlySet<number> {
  const meta = isObject(profile['meta']) ? profile['meta'] : {};
  const categories = arrayOrNone(meta['categories'], 'meta.categories');
  const kernel = categories.flatMap((category, row) =>
    isObject(category) && category['name'] === 'Kernel' ? [row] : [],
  );
  return new Set(kernel);
}
