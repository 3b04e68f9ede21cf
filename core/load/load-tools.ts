import type { LoadToolId } from '../contract/load/result.ts';

/** A tool or format whose results are read. */
export interface LoadTool {
  readonly id: LoadToolId;
  readonly label: string;
  /**
   * `closed`: a client sends its next request after the answer to the last one, so that QPS = concurrency ÷ mean
   * latency, and a slow server receives fewer requests. `open`: requests start by schedule. Null: unknown.
   */
  readonly loop: 'closed' | 'open' | null;
  /** What its latencies leave out (coordinated omission); one sentence. */
  readonly caveat: string;
}

const CLOSED =
  'While a request is slow, its client sends no other, so the requests that users would have sent meanwhile are missing from the percentiles (coordinated omission).';

const TOOLS: Readonly<Record<LoadToolId, Omit<LoadTool, 'id'>>> = {
  wrk: {
    label: 'wrk',
    loop: 'closed',
    caveat:
      'Its correction of coordinated omission adds assumed samples for answers slower than the mean interval between a connection’s requests, so mean and percentiles are above those of the requests sent; answers later than its timeout are left out (2 s unless -T sets it; Flamebench’s runs have 30 s).',
  },
  hey: { label: 'hey', loop: 'closed', caveat: CLOSED },
  ab: { label: 'ab', loop: 'closed', caveat: CLOSED },
  autocannon: { label: 'autocannon', loop: 'closed', caveat: CLOSED },
  oha: {
    label: 'oha',
    loop: 'closed',
    caveat: `${CLOSED} With -q and --latency-correction, oha corrects this.`,
  },
  k6: {
    label: 'k6',
    loop: null,
    caveat:
      'With users (VUs) as executors, a slow request delays its user’s next one (coordinated omission); arrival-rate executors start requests by schedule.',
  },
  locust: {
    label: 'Locust',
    loop: 'closed',
    caveat: `${CLOSED} Wait times of the users are not part of the latency.`,
  },
  vegeta: {
    label: 'vegeta',
    loop: 'open',
    caveat:
      'Requests start by schedule, so percentiles include the effect of a slow server, as long as vegeta has workers left to send them.',
  },
  hdr: {
    label: 'HdrHistogram',
    loop: null,
    caveat: 'A histogram does not say whether its latencies are corrected for coordinated omission.',
  },
  dat: {
    label: 'gnuplot .dat',
    loop: 'closed',
    caveat: `${CLOSED} wrktest.sh counts answers with an error status as successes.`,
  },
};

export const loadTool = (id: LoadToolId): LoadTool => ({ id, ...TOOLS[id] });
