import { ImportFailure } from '../../model/failure.ts';

/** What a tool prints about a run, by what it looks like. */
interface Report {
  readonly tool: string;
  readonly looks: RegExp;
}

/** Results of load tests. First match wins. */
const LOAD_TESTS: readonly Report[] = [
  { tool: 'autocannon', looks: /^Running \S+ test @ \S+\s+\d+ connections\b/m },
  { tool: 'wrk', looks: /^Running \S+ test @ \S+/m },
  { tool: 'hey', looks: /^Summary:\s+Total:\s+[\d.]+ secs$|^response-time,DNS\+dialup,/m },
  { tool: 'oha', looks: /^Summary:\s+Success rate:\s|^[ \t]*\{\s*"summary":\s*\{\s*"successRate"/m },
  { tool: 'ab', looks: /^This is ApacheBench, |^Server Software:[ \t]/m },
  { tool: 'vegeta', looks: /^Requests +\[total, rate(?:, throughput)?\]|^[ \t]*\{"latencies":\{"total":\d/m },
  { tool: 'bombardier', looks: /^Bombarding \S+ |^Statistics +Avg +Stdev +Max$/m },
  { tool: 'h2load', looks: /^starting benchmark\.\.\.\s+spawning thread #/m },
  { tool: 'k6', looks: /^[ \t]*http_req_duration\.*:|^\{"type":"Metric",|^\{"metric":"http_req/m },
  { tool: 'siege', looks: /^\*\* SIEGE |^Transactions:\s+\d+ hits$/m },
  { tool: 'JMeter', looks: /^timeStamp,elapsed,label,/ },
  { tool: 'Locust', looks: /^"?Type"?,"?Name"?,"?Request Count"?,/ },
];

/** Texts that pprof, of Go and of gperftools, and jeprof print. */
const PPROF_REPORTS: readonly Report[] = [
  { tool: 'pprof -tree', looks: /^ +flat +flat% +sum% +cum +cum% +calls +calls% /m },
  { tool: 'pprof -top', looks: /^ +flat +flat% +sum% +cum +cum%\s*$/m },
  { tool: 'pprof -traces', looks: /^Type: \S+\n(?:[A-Z][\w ]*: .*\n){0,6}-{5,}\+-{5,}$/m },
  { tool: 'pprof -raw', looks: /^PeriodType: .*\n(?:\w+: .*\n){0,8}Samples:$/m },
  { tool: 'pprof -list', looks: /^ROUTINE ={5,} /m },
  { tool: 'pprof --text', looks: /^Total: [\d.]+ (?:samples|objects|seconds|[KMGT]?B)\n *[\d.]+ +[\d.]+% /m },
  { tool: 'pprof -dot', looks: /^digraph "[^"\n]*" \{\n(?:.*\n){0,3}subgraph cluster_L \{/m },
];

/** Why a report is no profile, and what to do; null where `text` is none that is known. */
export function nameReport(text: string): ImportFailure | null {
  const lines = text.replaceAll('\r\n', '\n');
  const loadTest = LOAD_TESTS.find(({ looks }) => looks.test(lines));
  if (loadTest !== undefined) {
    return new ImportFailure(
      'unrecognized',
      `the result of a load test (${loadTest.tool}), not a profile: it has no stacks; record the server while the test runs (\`flamebench record\`)`,
      { byte: 0 },
    );
  }
  const report = PPROF_REPORTS.find(({ looks }) => looks.test(lines));
  if (report === undefined) return null;
  return new ImportFailure(
    'unsupported',
    `the output of \`${report.tool}\`, not the profile itself; open the profile, or write it with \`pprof -proto SOURCE > profile.pb.gz\``,
    { byte: 0 },
  );
}
