import type { FunctionIndex } from '../../model/brand.ts';
import { demangleName } from '../../symbols/demangle/demangle.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';
import type { NamedFunction } from './name-frames.ts';
import type { PerfDataFeatures } from './features.ts';
import { kindOfModule, nameOfUnresolved } from '../../symbols/perf-modules.ts';
import type { FileIdentity, SymbolRequest, SymbolTable } from '../../symbols/symbols.ts';

export const KERNEL = '[kernel.kallsyms]';
export const GUEST_KERNEL = '[guest.kernel.kallsyms]';
/** Module of addresses without a mapping. */
export const NO_MODULE = 0;

interface Module {
  readonly path: string;
  /** The whole module is one symbol: code that the kernel compiled (BPF). */
  readonly isSymbol: boolean;
  readonly func: FunctionIndex;
  hasFrames: boolean;
  buildId: string | null;
  /** undefined: not stated yet; null: mappings of its name belonged to different files. */
  file: FileIdentity | null | undefined;
}

/**
 * The binaries from which code was mapped. Frames are (module, offset) while records are read and get their names at
 * the end, because build ids and symbols come last.
 */
export class PerfDataModules {
  readonly #builder: ProfileBuilder;
  readonly #modules: Module[] = [];
  readonly #rows = new Map<string, number>();
  readonly #byFunction = new Map<FunctionIndex, Module>();
  /** The kernel's reference symbol and its address. */
  kernelReference: SymbolRequest['reference'] = null;

  constructor(builder: ProfileBuilder) {
    this.#builder = builder;
    this.row('');
  }

  row(path: string, isSymbol = false): number {
    const key = isSymbol ? `\0${path}` : path;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = this.#modules.length;
    this.#rows.set(key, row);
    // Until the end a function represents its module, so each module has its own.
    const kind = isSymbol ? FunctionKind.kernel : FunctionKind.unresolved;
    const func = this.#builder.function({ name: nameOfUnresolved(path), module: path, kind });
    const module = { path, isSymbol, func, hasFrames: false, buildId: null, file: undefined };
    this.#modules.push(module);
    this.#byFunction.set(func, module);
    return row;
  }

  setBuildId(row: number, buildId: string): void {
    this.#modules[row]!.buildId = buildId;
  }

  setFile(row: number, file: FileIdentity): void {
    const module = this.#modules[row]!;
    const { file: known } = module;
    module.file = known === undefined || (known !== null && isSame(known, file)) ? file : null;
  }

  /** Returns the function for a frame in the module. */
  functionOf(row: number): FunctionIndex {
    const module = this.#modules[row]!;
    module.hasFrames = true;
    return module.func;
  }

  /** Returns the binaries that contain frames, including the kernel and its modules. */
  requests(features: PerfDataFeatures): SymbolRequest[] {
    return this.#modules
      .filter(({ path, isSymbol, hasFrames }) => hasFrames && path !== '' && !isSymbol)
      .map((module) => this.#request(module, features));
  }

  /** Returns the final function of a frame. */
  describe(
    func: FunctionIndex,
    address: bigint,
    features: PerfDataFeatures,
    tables: ReadonlyMap<string, SymbolTable>,
  ): NamedFunction {
    const module = this.#byFunction.get(func)!;
    const { path } = module;
    if (module.isSymbol) return { name: path, module: path, kind: FunctionKind.kernel };
    const table = path === '' ? undefined : tables.get(path);
    const name = table?.nameAt(address) ?? null;
    const text = shownModule(module, features);
    if (name === null) return { name: nameOfUnresolved(text), module: text, kind: FunctionKind.unresolved };
    const known = { module: text, kind: kindOfModule(text) };
    const demangled = demangleName(name);
    // Names have no parameters, so overloads differ only in their symbols; copies of one function end in `.cold` or so.
    if (demangled !== null) return { name: demangled, symbol: name.replace(/[.@].*$/s, ''), ...known };
    const isStatic = known.kind === FunctionKind.user;
    return { name, symbol: isStatic ? `${table?.startAt?.(address) ?? ''}` : '', ...known };
  }

  #request(module: Module, features: PerfDataFeatures): SymbolRequest {
    const { path } = module;
    const isKernel = kindOfModule(path) === FunctionKind.kernel;
    return {
      module: shownModule(module, features),
      path,
      kind: isKernel ? 'kernel' : JIT_MAP.test(path) ? 'jit-map' : 'file',
      buildId: module.buildId ?? buildIdOf(path, features),
      file: module.file ?? null,
      reference: isKernel ? this.kernelReference : null,
      hostName: features.hostName,
      kernel: features.kernel,
    };
  }
}

function isSame(a: FileIdentity, b: FileIdentity): boolean {
  return a.major === b.major && a.minor === b.minor && a.inode === b.inode;
}

const JIT_MAP = /^\/tmp\/perf-\d+\.map$/;

function buildIdOf(path: string, { buildIds }: PerfDataFeatures): string | null {
  const id = buildIds.get(path) ?? '';
  return id === '' ? null : id;
}

/**
 * perf names a kernel module by its file only if the file's build id was recorded. Source: dsos__findnew_module_dso().
 */
function shownModule({ path, buildId }: Module, { buildIds }: PerfDataFeatures): string {
  const name = /([^/]+?)\.ko(?:\.(?:gz|xz|zst))?$/.exec(path)?.[1];
  if (name === undefined || buildId !== null || buildIds.has(path)) return path;
  return `[${name.split('.')[0]!.replaceAll('-', '_')}]`;
}
