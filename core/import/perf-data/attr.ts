import type { PerfBytes } from './bytes.ts';

/**
 * Bits of `sample_type`: perf_event_open(2). Fields with bits beyond the call chain follow it in a sample, and are not
 * read.
 */
export const SampleField = {
  ip: 1 << 0,
  tid: 1 << 1,
  time: 1 << 2,
  address: 1 << 3,
  read: 1 << 4,
  callchain: 1 << 5,
  id: 1 << 6,
  cpu: 1 << 7,
  period: 1 << 8,
  streamId: 1 << 9,
  raw: 1 << 10,
  branchStack: 1 << 11,
  userStack: 1 << 13,
  identifier: 1 << 16,
} as const;

/** Bits of `read_format`. */
export const ReadField = { timeEnabled: 1, timeRunning: 2, id: 4, group: 8, lost: 16 } as const;

/** PERF_SAMPLE_BRANCH_CALL_STACK: the branch stack contains the callers. */
const BRANCH_CALL_STACK = 1 << 11;

/** Bits of the flags in struct perf_event_attr. */
const Flag = {
  excludeUser: 4,
  excludeKernel: 5,
  excludeHypervisor: 6,
  freq: 10,
  precise: 15,
  sampleIdAll: 18,
  excludeHost: 19,
  excludeGuest: 20,
} as const;

/** PERF_ATTR_SIZE_VER0, the smallest size. */
const FIRST_ATTR_BYTES = 64;
/** The latest has 144 bytes; a page is the kernel's own limit. */
const MAX_ATTR_BYTES = 4096;

/** One recorded event: struct perf_event_attr. */
export interface PerfDataAttr {
  /** Bytes of the structure, which determine where the following data starts. */
  readonly size: number;
  /** PERF_TYPE_HARDWARE 0, PERF_TYPE_SOFTWARE 1, … */
  readonly type: number;
  readonly config: bigint;
  /** Samples per second if `isRate`, otherwise events between two samples. */
  readonly periodOrRate: number;
  readonly isRate: boolean;
  /** False for members of a group, which are only counted, and for the events that perf adds for records of mappings. */
  readonly isSampled: boolean;
  readonly sampleType: number;
  readonly readFormat: number;
  readonly sampleIdAll: boolean;
  readonly excludesKernel: boolean;
  /** As perf appends them to names: `:u`, `:ppp`; empty if there are none. */
  readonly modifiers: string;
  readonly hasBranchCallStack: boolean;
  readonly defaultName: string;
}

/** Reads struct perf_event_attr, of files here and of perf's stream while it records. */
export function readAttr(bytes: PerfBytes, at: number): PerfDataAttr {
  const stated = bytes.u32(at + 4);
  const size = stated === 0 ? FIRST_ATTR_BYTES : stated;
  if (size < FIRST_ATTR_BYTES || size > MAX_ATTR_BYTES || size % 8 !== 0)
    throw bytes.malformed(`the description of an event has ${size} bytes`, at + 4);
  const attr = bytes.slice(at, at + size);
  const type = attr.u32(0);
  const config = attr.big(8);
  const modifiers = readModifiers(attr);
  const periodOrRate = attr.u64(16);
  const isDummy = type === 1 && SOFTWARE[Number(config)] === 'dummy';
  return {
    size,
    type,
    config,
    periodOrRate,
    isRate: flag(attr, Flag.freq),
    isSampled: periodOrRate > 0 && !isDummy,
    sampleType: attr.low(24),
    readFormat: attr.low(32),
    sampleIdAll: flag(attr, Flag.sampleIdAll),
    excludesKernel: flag(attr, Flag.excludeKernel),
    modifiers,
    hasBranchCallStack: size >= 80 && (attr.low(72) & BRANCH_CALL_STACK) !== 0,
    defaultName: `${baseName(type, config)}${modifiers}`,
  };
}

/** On big-endian machines, C lays out bit fields from the other end. */
function flag(attr: PerfBytes, bit: number): boolean {
  const word = attr.u32(40);
  return ((attr.littleEndian ? word >>> bit : word >>> (31 - bit)) & 1) !== 0;
}

/** Reads modifiers. Source: evsel__add_modifiers() in the kernel's tools/perf/util/evsel.c. */
function readModifiers(attr: PerfBytes): string {
  const [user, kernel, hypervisor] = [Flag.excludeUser, Flag.excludeKernel, Flag.excludeHypervisor].map((bit) =>
    flag(attr, bit),
  );
  const precise = Number(flag(attr, Flag.precise)) + 2 * Number(flag(attr, Flag.precise + 1));
  const excludesSome = Boolean(user) || Boolean(kernel) || Boolean(hypervisor);
  let text = '';
  if (excludesSome) text += `${kernel ? '' : 'k'}${user ? '' : 'u'}${hypervisor ? '' : 'h'}`;
  text += 'p'.repeat(precise);
  const excludesGuest = flag(attr, Flag.excludeGuest);
  const excludesHost = flag(attr, Flag.excludeHost);
  if (excludesHost || excludesGuest === (excludesSome || precise > 0))
    text += `${excludesHost ? '' : 'H'}${excludesGuest ? '' : 'G'}`;
  return text === '' ? '' : `:${text}`;
}

const HARDWARE = [
  'cycles',
  'instructions',
  'cache-references',
  'cache-misses',
  'branches',
  'branch-misses',
  'bus-cycles',
  'stalled-cycles-frontend',
  'stalled-cycles-backend',
  'ref-cycles',
];
const SOFTWARE = [
  'cpu-clock',
  'task-clock',
  'page-faults',
  'context-switches',
  'cpu-migrations',
  'minor-faults',
  'major-faults',
  'alignment-faults',
  'emulation-faults',
  'dummy',
  'bpf-output',
  'cgroup-switches',
];
const CACHES = ['L1-dcache', 'L1-icache', 'LLC', 'dTLB', 'iTLB', 'branch', 'node'];
/** Per operation: accesses, misses. */
const CACHE_RESULTS = [
  ['loads', 'load-misses'],
  ['stores', 'store-misses'],
  ['prefetches', 'prefetch-misses'],
];

/** Returns perf's name for an event that the file does not name. */
function baseName(type: number, config: bigint): string {
  const index = Number(config & 0xffff_ffffn);
  if (type === 0) return HARDWARE[index] ?? 'unknown-hardware';
  if (type === 1) return SOFTWARE[index] ?? 'unknown-software';
  if (type === 2) return `tracepoint ${config}`;
  if (type === 3) {
    const cache = CACHES[index & 0xff];
    const result = CACHE_RESULTS[(index >>> 8) & 0xff]?.[(index >>> 16) & 0xff];
    return cache === undefined || result === undefined ? 'unknown-hw-cache' : `${cache}-${result}`;
  }
  if (type === 4) return `raw 0x${config.toString(16)}`;
  return type === 5 ? 'breakpoint' : `event ${type}/${config.toString(16)}`;
}
