import { ImportFailure, type FailureClass } from '../../model/failure.ts';
import type { Head } from '../importer.ts';

interface ForeignContent {
  readonly failure: FailureClass;
  /** What the content is, and the remedy. */
  readonly message: string;
  readonly matches: (head: Head) => boolean;
}

/** Content that users drop on a profiler and that no importer reads. The first match wins. */
const FOREIGN: readonly ForeignContent[] = [
  {
    failure: 'unrecognized',
    message: 'an executable, not a profile',
    matches: ({ bytes }) => ascii(bytes, 4) === '\x7fELF' || ascii(bytes, 2) === 'MZ',
  },
  {
    failure: 'unsupported',
    message: 'a zip archive; unpack it and open the profile in it',
    matches: ({ bytes }) => ascii(bytes, 4) === 'PK\x03\x04',
  },
  {
    failure: 'unsupported',
    message: 'compressed with xz; run `xz -d` and open the result',
    matches: ({ bytes }) => ascii(bytes, 6) === '\xfd7zXZ\0',
  },
  {
    failure: 'unsupported',
    message: 'compressed with bzip2; run `bzip2 -d` and open the result',
    matches: ({ bytes }) => /^BZh[1-9]1AY/.test(ascii(bytes, 7)),
  },
  {
    failure: 'unsupported',
    message: "a dump of Ruby's Marshal, as StackProf writes; run `stackprof --json FILE > FILE.json` and open that",
    matches: ({ bytes }) => ascii(bytes, 3) === '\x04\x08{',
  },
  {
    failure: 'unrecognized',
    message: 'a web page, not a profile',
    matches: ({ text }) => /^\s*<(!doctype html|html)\b/i.test(text),
  },
  {
    failure: 'unrecognized',
    message: 'an SVG picture; open the profile it was drawn from',
    matches: ({ text }) => /^\s*(<\?xml[^>]*>\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg\b/i.test(text),
  },
  {
    failure: 'unsupported',
    message: 'what `pprof --raw` of gperftools printed, with symbols; open the profile it was made from',
    matches: ({ bytes }) => /^--- symbol\r?\nbinary=/.test(ascii(bytes, 24)),
  },
  {
    failure: 'unrecognized',
    message: 'JSON, but not a profile format that Flamebench reads; `flamebench formats` lists them',
    matches: ({ text }) => /^\s*(\{\s*["}]|\[\s*[[{"\d\]])/.test(text),
  },
  {
    failure: 'unrecognized',
    message: 'XML, but not a profile format that Flamebench reads; `flamebench formats` lists them',
    matches: ({ text }) => /^\s*<\?xml\b/.test(text),
  },
];

/** Explains why no importer reads the content. */
export function nameForeignContent(head: Head): ImportFailure {
  const isText = !head.bytes.includes(0);
  const report = isText ? nameReport(head.text) : null;
  if (report !== null) return report;
  const known = FOREIGN.find(({ matches }) => matches(head));
  if (known !== undefined) return new ImportFailure(known.failure, known.message, { byte: 0 });
  const what = head.bytes.every(isBlank)
    ? 'only whitespace'
    : isText
      ? 'text, but not a profile format that Flamebench reads'
      : 'binary data, but not a profile format that Flamebench reads';
  return new ImportFailure('unrecognized', `${what}; \`flamebench formats\` lists them`, { byte: 0 });
}

function ascii(bytes: Uint8Array, length: number): string {
  return String.fromCharCode(...bytes.subarray(0, length));
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
    return new ImportFailure(
      'unrecognized',
      `the result of a load test (${loadTest.tool}), not a profile: it has no stacks; read it with \`flamebench load read\`, and record the server while the test runs (\`flamebench record\`)`,
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
