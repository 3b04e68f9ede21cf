import { demangleName } from '../../symbols/demangle/demangle.ts';
import { FunctionKind } from '../../model/profile.ts';
import type { LegacyProfile } from './build.ts';
import type { CodePlace } from './maps.ts';
import type { LegacyName } from './stacks.ts';
import {
  symbolFrames,
  type FileIdentity,
  type SymbolFrame,
  type SymbolRequest,
  type SymbolTable,
} from '../../symbols/symbols.ts';

/** Returns the program, and the binaries of unnamed addresses if the memory map identifies the file of each. */
export function legacySymbolRequests(profile: LegacyProfile): SymbolRequest[] {
  const files = new Map<
    string,
    { readonly identity: FileIdentity | null; isOne: boolean; readonly offsets: bigint[] }
  >();
  const places = unnamedPlaces(profile);
  for (const { file, identity, offset } of places.values()) {
    const known = files.get(file);
    // If one path was two files, neither is certain.
    if (known === undefined) files.set(file, { identity, isOne: true, offsets: [offset] });
    else {
      known.offsets.push(offset);
      known.isOne &&= isSame(known.identity, identity);
    }
  }
  const unknown = { buildId: null, reference: null, hostName: null, kernel: null };
  const requests = [...files].flatMap(([path, { identity, isOne, offsets }]): SymbolRequest[] =>
    isOne && path.startsWith('/')
      ? [{ module: path, path, kind: 'file', file: identity, ...unknown, addresses: offsets }]
      : [],
  );
  const addresses = [...places.keys()].map((row) => profile.stacks.addresses[row]!);
  if (addresses.length === 0) return requests;
  return [...requests, { module: '', path: PROGRAM, kind: 'program', file: null, ...unknown, addresses }];
}

/** Path of the request to the program itself. */
const PROGRAM = '';

/** Names addresses from the binaries' symbols, otherwise from the program's. `tables` is keyed by path. */
export function nameAddresses(profile: LegacyProfile, tables: ReadonlyMap<string, SymbolTable>): void {
  const { names, inlined, addresses } = profile.stacks;
  const program = tables.get(PROGRAM);
  for (const [row, { file, offset }] of unnamedPlaces(profile)) {
    const table = tables.get(file);
    const frames =
      (table === undefined ? null : symbolFrames(table, offset)) ??
      (program === undefined ? null : symbolFrames(program, addresses[row]!));
    const named = (frames ?? []).map((frame) => nameOf(frame, file));
    const own = named.at(-1);
    if (own === undefined) continue;
    names.set(row, own);
    if (named.length > 1) inlined.set(row, named.slice(0, -1));
  }
}

function nameOf({ name, file, line, startLine }: SymbolFrame, module: string): LegacyName {
  return { func: { name: demangleName(name) ?? name, module, file, line: startLine, kind: FunctionKind.user }, line };
}

/** Returns the places of the unnamed addresses, by row. */
function unnamedPlaces({ stacks, maps, hasAddresses }: LegacyProfile): Map<number, CodePlace> {
  const places = new Map<number, CodePlace>();
  if (!hasAddresses) return places;
  const placeOf = maps.finder();
  stacks.addresses.forEach((address, row) => {
    if (stacks.names.has(row)) return;
    const place = placeOf(address);
    if (place.file !== '') places.set(row, place);
  });
  return places;
}

function isSame(a: FileIdentity | null, b: FileIdentity | null): boolean {
  if (a === null || b === null) return a === b;
  return a.major === b.major && a.minor === b.minor && a.inode === b.inode;
}
