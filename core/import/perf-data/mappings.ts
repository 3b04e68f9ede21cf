import type { PerfBytes } from './bytes.ts';
import { buildIdText } from './features.ts';
import { GUEST_KERNEL, KERNEL, type PerfDataModules } from './modules.ts';
import { CpuMode, RecordType } from './record-types.ts';
import type { FileIdentity } from '../../symbols/symbols.ts';
import { addressOrder, type KernelSpace, type Threads } from './spaces.ts';

/** Flag in `misc` of MMAP: data, not code. */
const IS_DATA = 1 << 13;
/** Flag in `misc` of MMAP2: a build id replaces device and inode. */
const HAS_BUILD_ID = 1 << 14;
const PROT_EXEC = 4;

const ADDRESS_AT = 16;
const LENGTH_AT = 24;
const OFFSET_AT = 32;
/** Offset in MMAP; MMAP2 has device, inode, protection and flags before it. */
const NAME_AT = 40;
const NAME2_AT = 72;

/** Memory without a file, where runtimes put compiled code: perf looks up its names in a perf map. */
const ANONYMOUS = /^(?:\/\/anon|\/dev\/zero|\/anon_hugepage)/;
const NO_FILE = /^(?:\[stack|\/SYSV|\[heap\])/;

/**
 * Applies MMAP and MMAP2 records, which state where code was mapped. Source: machine__process_mmap2_event() in
 * tools/perf/util.
 */
export class Mappings {
  readonly #modules: PerfDataModules;
  readonly #threads: Threads;
  readonly #kernel: KernelSpace;

  constructor(modules: PerfDataModules, threads: Threads, kernel: KernelSpace) {
    this.#modules = modules;
    this.#threads = threads;
    this.#kernel = kernel;
  }

  add(record: PerfBytes, type: number, misc: number): void {
    const isSecond = type === RecordType.mmap2;
    const path = record.text(isSecond ? NAME2_AT : NAME_AT, record.length);
    const mode = misc & CpuMode.mask;
    const buildId = isSecond && (misc & HAS_BUILD_ID) !== 0 ? readBuildId(record) : '';
    if (mode === CpuMode.kernel) return this.#addKernel(record, path, buildId);
    if (mode === CpuMode.guestKernel || path.startsWith(GUEST_KERNEL)) return;
    const isCode = isSecond ? (record.u32(64) & PROT_EXEC) !== 0 : (misc & IS_DATA) === 0;
    this.#addUser(record, path, { buildId, isCode, isSecond });
  }

  /** Adds a symbol that the kernel compiled: PERF_RECORD_KSYMBOL. */
  addKernelSymbol(record: PerfBytes): void {
    const start = addressOrder(record.high(8), record.low(8));
    const module = this.#modules.row(record.text(24, record.length), true);
    this.#kernel.modules.map({ start, end: start + record.u32(16), shiftHigh: 0, shiftLow: 0, module });
  }

  #addKernel(record: PerfBytes, path: string, buildId: string): void {
    const isCore = path.startsWith(KERNEL.slice(0, -1));
    const module = this.#modules.row(isCore ? KERNEL : path);
    if (buildId !== '') this.#modules.setBuildId(module, buildId);
    if (isCore) {
      // If the kernel hides its addresses, they are 0.
      const address = record.big(OFFSET_AT);
      const symbol = path.slice(KERNEL.length);
      if (address !== 0n && symbol !== '') this.#modules.kernelReference = { symbol, address };
      return this.#kernel.setCore(record.u64(ADDRESS_AT), record.u64(LENGTH_AT));
    }
    const { start, end } = readRange(record);
    this.#kernel.modules.map({ start, end, shiftHigh: 0, shiftLow: 0, module });
  }

  #addUser(
    record: PerfBytes,
    path: string,
    { buildId, isCode, isSecond }: { buildId: string; isCode: boolean; isSecond: boolean },
  ): void {
    const pid = record.i32(8);
    const isAnonymous = ANONYMOUS.test(path);
    const keepsAddresses = isAnonymous || NO_FILE.test(path);
    const module = this.#modules.row(keepsAddresses && isCode ? `/tmp/perf-${pid}.map` : path);
    if (buildId !== '') this.#modules.setBuildId(module, buildId);
    else if (isSecond) this.#modules.setFile(module, readIdentity(record));
    const { start, end } = readRange(record);
    const shift = keepsAddresses ? 0n : (path === '[vdso]' ? 0n : record.big(OFFSET_AT)) - record.big(ADDRESS_AT);
    const shiftLow = Number(BigInt.asUintN(32, shift));
    const shiftHigh = Number(BigInt.asUintN(32, shift >> 32n));
    const space = this.#threads.space(pid, record.i32(12));
    space.map({ start, end, shiftHigh, shiftLow, module });
    if (space.program === '' && isCode && !keepsAddresses && !path.startsWith('[')) space.program = path;
  }
}

function readRange(record: PerfBytes): { start: number; end: number } {
  const start = addressOrder(record.high(ADDRESS_AT), record.low(ADDRESS_AT));
  return { start, end: start + record.u64(LENGTH_AT) };
}

function readIdentity(record: PerfBytes): FileIdentity {
  return { major: record.u32(40), minor: record.u32(44), inode: record.big(48) };
}

function readBuildId(record: PerfBytes): string {
  const length = Math.min(20, record.bytes[40] ?? 0);
  return buildIdText(record.slice(44, 44 + length).bytes);
}
