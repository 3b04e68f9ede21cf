import { ImportFailure, unrecognized, unsupported } from '../../model/failure.ts';
import type { Head } from '../importer.ts';
import { nameArchive, namesInHead } from './archive.ts';
import { FOREIGN_KINDS, isOfKind } from './kinds.ts';

/** Enough for the magic numbers of every kind, a tar archive's at 257 being the last. */
const MAGIC_BYTES = 512;

/** Explains why no importer reads the content. */
export function nameForeignContent(head: Head, fileName: string): ImportFailure {
  const { bytes, text } = head;
  const isText = !bytes.includes(0);
  const report = isText ? nameReport(text) : null;
  if (report !== null) return report;
  const first = String.fromCharCode(...bytes.subarray(0, MAGIC_BYTES));
  if (first.startsWith('PK\x03\x04')) return nameArchive(namesInHead(bytes));
  const kind = FOREIGN_KINDS.find((row) => isOfKind(row, head, first, fileName));
  if (kind !== undefined) {
    const { what, remedy, failure = remedy === undefined ? 'unrecognized' : 'unsupported', tool = null } = kind;
    return new ImportFailure(failure, remedy === undefined ? what : `${what}; ${remedy}`, { byte: 0 }, tool);
  }
  const what = bytes.every(isBlank)
    ? 'only whitespace'
    : `${languageOf(text, isText)}, but not a profile format that Flamebench reads`;
  return unrecognized(`${what}; \`flamebench formats\` lists them`, { byte: 0 });
}

function languageOf(text: string, isText: boolean): string {
  if (!isText) return 'binary data';
  if (/^\s*(\{\s*["}]|\[\s*[[{"\d\]])/.test(text)) return 'JSON';
  return /^\s*<\?xml\b/.test(text) ? 'XML' : 'text';
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** A tool's report about a run, and the text that identifies it. */
interface Report {
  readonly tool: string;
  readonly looks: RegExp;
}

/** Results of load tests. The first match wins. */
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

/** Texts printed by pprof, both Go's and gperftools', and by jeprof. */
const PPROF_REPORTS: readonly Report[] = [
  { tool: 'pprof -tree', looks: /^ +flat +flat% +sum% +cum +cum% +calls +calls% /m },
  { tool: 'pprof -top', looks: /^ +flat +flat% +sum% +cum +cum%\s*$/m },
  { tool: 'pprof -traces', looks: /^Type: \S+\n(?:[A-Z][\w ]*: .*\n){0,6}-{5,}\+-{5,}$/m },
  { tool: 'pprof -raw', looks: /^PeriodType: .*\n(?:\w+: .*\n){0,8}Samples:$/m },
  { tool: 'pprof -list', looks: /^ROUTINE ={5,} /m },
  { tool: 'pprof --text', looks: /^Total: [\d.]+ (?:samples|objects|seconds|[KMGT]?B)\n *[\d.]+ +[\d.]+% /m },
  { tool: 'pprof -dot', looks: /^digraph "[^"\n]*" \{\n(?:.*\n){0,3}subgraph cluster_L \{/m },
];

/** Explains why a report is not a profile, with the remedy; null if `text` is not a known report. */
function nameReport(text: string): ImportFailure | null {
  const lines = text.replaceAll('\r\n', '\n');
  const loadTest = LOAD_TESTS.find(({ looks }) => looks.test(lines));
  if (loadTest !== undefined) {
    return unrecognized(
      `the result of a load test (${loadTest.tool}), not a profile: it has no stacks; read it with \`flamebench load read\`, and record the server while the test runs (\`flamebench record\`)`,
      { byte: 0 },
    );
  }
  const report = PPROF_REPORTS.find(({ looks }) => looks.test(lines));
  if (report === undefined) return null;
  return unsupported(
    `the output of \`${report.tool}\`, not the profile itself; open the profile, or write it with \`pprof -proto SOURCE > profile.pb.gz\``,
    { byte: 0 },
  );
}
