import { demangleName } from '../../symbols/demangle/demangle.ts';
import { FunctionKind } from '../../model/profile.ts';
import type { LegacyProfile } from './build.ts';
import type { CodePlace } from './maps.ts';
import type { FileIdentity, SymbolRequest, SymbolTable } from '../../symbols/symbols.ts';

/** The binaries that addresses without a name are in, where the memory map tells which file each was. */
export function symbolRequests(profile: LegacyProfile): SymbolRequest[] {
  const files = new Map<string, FileIdentity | null>();
  for (const { file, identity } of unnamedPlaces(profile).values()) {
    const known = files.get(file);
    // Where one path was two files, neither is certain.
    files.set(file, known === undefined || isSame(known, identity) ? identity : null);
  }
  return [...files].flatMap(([path, file]) =>
    file === null || !path.startsWith('/')
      ? []
      : [{ module: path, path, kind: 'file', buildId: null, file, reference: null, hostName: null, kernel: null }],
  );
}

/** Names the addresses that the binaries' symbols tell. `tables`: by path, for {@link symbolRequests}. */
export function nameAddresses(profile: LegacyProfile, tables: ReadonlyMap<string, SymbolTable>): void {
  for (const [row, { file, offset }] of unnamedPlaces(profile)) {
    const symbol = tables.get(file)?.nameAt(offset) ?? null;
    if (symbol === null) continue;
    const func = { name: demangleName(symbol) ?? symbol, module: file, kind: FunctionKind.user };
    profile.stacks.names.set(row, { func, line: 0 });
  }
}

/** By row of the addresses. */
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
  return a !== null && b !== null && a.major === b.major && a.minor === b.minor && a.inode === b.inode;
}
