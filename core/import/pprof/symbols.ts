import { demangleName } from '../../symbols/demangle/demangle.ts';
import { symbolFrames, type SymbolFrame, type SymbolRequest, type SymbolTable } from '../../symbols/symbols.ts';
import { newLocationColumns } from './records.ts';
import type { PprofTables } from './tables.ts';

/** Returns the binaries that contain locations without a function, each with the offsets in its file. */
export function symbolRequests(tables: PprofTables): SymbolRequest[] {
  const wanted = new Map<string, { buildIds: Set<string>; readonly offsets: bigint[] }>();
  for (const { path, buildId, offset } of unnamedPlaces(tables).values()) {
    const binary = wanted.get(path) ?? { buildIds: new Set(), offsets: [] };
    wanted.set(path, binary);
    binary.buildIds.add(buildId);
    binary.offsets.push(offset);
  }
  return [...wanted].flatMap(([path, { buildIds, offsets }]) => {
    const [buildId = ''] = buildIds;
    // If one path was two files, neither is certain.
    if (buildIds.size > 1) return [];
    const unknown = { file: null, reference: null, hostName: null, kernel: null };
    const id = /^[0-9a-f]{2,128}$/i.test(buildId) ? buildId.toLowerCase() : null;
    return [{ module: path, path, kind: 'file', buildId: id, ...unknown, addresses: offsets }];
  });
}

/** Adds lines from the binaries to the locations without a function. `symbols` is keyed by path. */
export function nameLocations(tables: PprofTables, symbols: ReadonlyMap<string, SymbolTable>): void {
  const places = unnamedPlaces(tables);
  const functions = new FunctionIds(tables);
  const old = tables.locations;
  const named = newLocationColumns();
  for (let location = 0; location < tables.locationCount; location++) {
    named.address.push(old.address.get(location));
    named.mappingLow.push(old.mappingLow.get(location));
    named.mappingHigh.push(old.mappingHigh.get(location));
    named.lineStart.push(named.line.length);
    const place = places.get(location);
    const table = place === undefined ? undefined : symbols.get(place.path);
    const frames = place === undefined || table === undefined ? null : symbolFrames(table, place.offset);
    for (const frame of frames ?? []) {
      named.functionLow.push(functions.of(frame));
      named.functionHigh.push(FunctionIds.high);
      named.line.push(frame.line);
    }
    if (frames !== null) continue;
    for (let line = old.lineStart.get(location); line < old.lineStart.get(location + 1); line++) {
      named.functionLow.push(old.functionLow.get(line));
      named.functionHigh.push(old.functionHigh.get(line));
      named.line.push(old.line.get(line));
    }
  }
  named.lineStart.push(named.line.length);
  tables.locations = named;
}

/** Functions that the file lacks. */
class FunctionIds {
  /** Upper half of their ids; ids in files are small. */
  static readonly high = 0x7fff_fffe;
  readonly #tables: PprofTables;
  readonly #ids = new Map<string, number>();
  #last = 0;

  constructor(tables: PprofTables) {
    this.#tables = tables;
  }

  of({ name: symbol, file, startLine }: SymbolFrame): number {
    const name = demangleName(symbol) ?? symbol;
    const key = `${startLine} ${name}\0${file}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const tables = this.#tables;
    while (!tables.functionIds.add(++this.#last, FunctionIds.high, tables.functions.length));
    const id = this.#last;
    this.#ids.set(key, id);
    tables.functions.push({ name: tables.reference(name), file: tables.reference(file), startLine });
    return id;
  }
}

interface Place {
  readonly path: string;
  readonly buildId: string;
  /** Offset in the file. */
  readonly offset: bigint;
}

/** Returns the locations in a binary that have no line, by row. */
function unnamedPlaces(tables: PprofTables): Map<number, Place> {
  const { locations, mappings, mappingIds } = tables;
  const files = mappings.map(({ file, buildId }) => ({ path: tables.string(file), buildId: tables.string(buildId) }));
  const places = new Map<number, Place>();
  for (let row = 0; row < tables.locationCount; row++) {
    const address = locations.address.get(row);
    if (address === 0n || locations.lineStart.get(row) !== locations.lineStart.get(row + 1)) continue;
    const mapping = mappingIds.row(locations.mappingLow.get(row) >>> 0, locations.mappingHigh.get(row) >>> 0);
    if (mapping < 0) continue;
    const { start, offset } = mappings[mapping]!;
    const { path, buildId } = files[mapping]!;
    // Names in brackets are not files: `[vdso]`, `[kernel.kallsyms]`.
    if (path === '' || path.startsWith('[') || address < start) continue;
    places.set(row, { path, buildId, offset: address - start + offset });
  }
  return places;
}
