/**
 * Records of perf.data: up to 63 the kernel's (perf_event_open(2)), from 64 on those that perf itself adds
 * (tools/lib/perf/include/perf/event.h in the kernel).
 */
export const RecordType = {
  mmap: 1,
  lost: 2,
  comm: 3,
  exit: 4,
  throttle: 5,
  unthrottle: 6,
  fork: 7,
  read: 8,
  sample: 9,
  mmap2: 10,
  aux: 11,
  itraceStart: 12,
  lostSamples: 13,
  switch: 14,
  switchCpuWide: 15,
  namespaces: 16,
  ksymbol: 17,
  bpfEvent: 18,
  cgroup: 19,
  textPoke: 20,
  auxOutputId: 21,
  callchainDeferred: 22,
  headerAttr: 64,
  headerEventType: 65,
  headerTracingData: 66,
  headerBuildId: 67,
  finishedRound: 68,
  idIndex: 69,
  auxtraceInfo: 70,
  auxtrace: 71,
  auxtraceError: 72,
  threadMap: 73,
  cpuMap: 74,
  statConfig: 75,
  stat: 76,
  statRound: 77,
  eventUpdate: 78,
  timeConversion: 79,
  headerFeature: 80,
  compressed: 81,
  finishedInit: 82,
  compressed2: 83,
  bpfMetadata: 84,
} as const;

/** The first type that perf adds; these have neither time nor event. */
export const FIRST_OF_PERF = 64;

/** Processor mode, in the low bits of a record's `misc`. */
export const CpuMode = { mask: 7, kernel: 1, user: 2, hypervisor: 3, guestKernel: 4, guestUser: 5 } as const;
