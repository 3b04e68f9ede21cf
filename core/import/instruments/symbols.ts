import { demangle } from '../../symbols/demangle/demangle.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import type { FrameIndex } from '../../model/brand.ts';
import { FunctionKind } from '../../model/profile.ts';
import type { PlistObject } from './binary-plist.ts';
import { integerOf, type KeyedArchive } from './keyed-archive.ts';

/** A run of a trace bundle, from its form.template. */
export interface InstrumentsRun {
  readonly number: number;
  readonly data: PlistObject;
}

/** Returns the runs of a trace bundle; empty if the archive has none. */
export function runsOf(archive: KeyedArchive): InstrumentsRun[] {
  const list = archive.top('com.apple.xray.run.data');
  const numbers = new Set(archive.items(archive.field(list, '$0')).map(integerOf));
  const runs: InstrumentsRun[] = [];
  for (const [number, data] of archive.pairs(archive.field(list, '$1'))) {
    if (typeof number === 'bigint' && numbers.has(number)) runs.push({ number: Number(number), data });
  }
  return runs;
}

/** Returns the value of `key` in a run's dictionary; null if there is none. */
export function runField(archive: KeyedArchive, { data }: InstrumentsRun, key: string): PlistObject {
  return archive.pairs(data).find(([name]) => name === key)?.[1] ?? null;
}

/** Returns frames by the addresses that Instruments resolved while it recorded, and their processes. */
export function symbolsOf(
  archive: KeyedArchive,
  run: InstrumentsRun,
  builder: ProfileBuilder,
): { readonly frames: Map<bigint, FrameIndex>; readonly pids: readonly number[] } {
  const frames = new Map<bigint, FrameIndex>();
  const pids: number[] = [];
  for (const [pid, symbols] of archive.pairs(runField(archive, run, 'symbolsByPid'))) {
    if (typeof pid === 'bigint' && pid > 0n && pid < 2n ** 31n) pids.push(Number(pid));
    // Symbols start at `$5`; `$4` is their number plus one.
    const end = 4 + Number(integerOf(archive.field(symbols, '$4')) ?? 0n);
    for (let place = 5; place < end; place++) {
      const symbol = archive.field(symbols, `$${place}`);
      if (symbol === null && !archive.has(symbols, `$${place}`)) break;
      addSymbol(archive, symbol, builder, frames);
    }
  }
  return { frames, pids };
}

/** PFTSymbolData: name, source file, binary, flags, a number of pairs of address and line, these. */
function addSymbol(
  archive: KeyedArchive,
  symbol: PlistObject,
  builder: ProfileBuilder,
  frames: Map<bigint, FrameIndex>,
): void {
  const name = archive.text(archive.field(symbol, '$0'));
  const file = archive.text(archive.field(symbol, '$1')) ?? '';
  const owner = archive.field(symbol, '$2');
  const module = archive.text(archive.field(owner, '$1')) ?? archive.text(archive.field(owner, '$0')) ?? '';
  if (name === null) return;
  const kind = /^\/System\/Library\/(?:Kernels|Extensions)\//.test(module) ? FunctionKind.kernel : FunctionKind.user;
  const func = builder.function({ name: demangle(name) ?? name, module, file, kind });
  const count = Number(integerOf(archive.field(symbol, '$4')) ?? 0n);
  for (const [address, line] of archive.numbered(symbol, 5, count)) {
    if (typeof address !== 'bigint' || frames.has(address)) continue;
    const place = { func, address: BigInt.asUintN(64, address) };
    const known = typeof line === 'bigint' && line > 0n && line < 2n ** 31n && file !== '';
    frames.set(place.address, builder.frame({ ...place, line: known ? Number(line) : 0 }));
  }
}
