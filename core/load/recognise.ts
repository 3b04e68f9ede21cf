/** A number, also with a decimal comma, which awk prints in some locales. */
const DAT_NUMBER = /^-?\d+(?:[.,]\d+)?(?:e[+-]?\d{1,3})?$/i;

/** Returns the lines of a table for gnuplot that have content, split at blanks. */
export const datRows = (text: string): { readonly cells: readonly string[]; readonly line: number }[] =>
  text.split('\n').flatMap((line, place) => {
    const content = line.replace(/#.*/, '').trim();
    return content === '' ? [] : [{ cells: content.split(/\s+/), line: place + 1 }];
  });

/** Returns whether cells are concurrency, QPS, mean latency and success. */
export const isDatRow = (cells: readonly string[]): boolean =>
  cells.length === 4 && cells.every((cell) => DAT_NUMBER.test(cell));

/** Returns whether all rows match; the last one may be truncated. */
function looksLikeDat(text: string): boolean {
  const [first, ...others] = datRows(text.slice(0, 65_536)).slice(0, 20);
  if (first === undefined) return false;
  return [first, ...others.slice(0, -1)].every(({ cells }) => isDatRow(cells) && /^\d+$/.test(cells[0]!));
}

const looks =
  (...patterns: readonly RegExp[]) =>
  (text: string): boolean =>
    patterns.some((pattern) => pattern.test(text));

/** All that wrk prints if its first connection fails. */
export const WRK_REFUSED = /^unable to connect to (\S+) (.+)$/m;

/**
 * The forms of results and how they begin. The first that matches is taken; the .dat file, whose form is the least
 * distinct, comes last. Separate from the readers, so that recognising a file loads none of them.
 */
const FORMS = {
  'autocannon-text': looks(/^Running \S+ test @ \S+\s+\d+ connections\b/m),
  wrk: looks(/^Running \S+ test @ [^\n]*\n\s+\d+ threads and \d+ connections/m, WRK_REFUSED),
  'oha-text': looks(/^Summary:\s+Success rate:\s/m),
  'oha-json': looks(/^\s*\{\s*"summary":\s*\{\s*"successRate"/),
  hey: looks(/^Summary:\s+Total:\s+[\d.]+ secs$/m),
  'hey-csv': looks(/^response-time,DNS\+dialup,/),
  ab: looks(/^This is ApacheBench, |^Server Software:[ \t]/m),
  vegeta: looks(/^Requests +\[total, rate(?:, throughput)?\]/m),
  'vegeta-lines': looks(/^\s*\{"attack":"(?:[^"\\]|\\.)*","seq":\d+,"code":/),
  'vegeta-json': looks(/^\s*\{\s*"latencies":\s*\{\s*"total":/),
  'autocannon-json': looks(/^\s*\{(?=[^]{0,4000}"sampleInt":|[^]{0,4000}"connections":\s*\d+,[^]{0,200}"pipelining":)/),
  'k6-lines': looks(/^\s*\{"(?:type":"(?:Metric|Point)","data":\{|metric":"[^"\n]{1,200}","type":"(?:Metric|Point)")/),
  'k6-json': looks(/^\s*\{(?=[^]{0,200000}"(?:http_req_duration|iteration_duration)")(?=[^]{0,200000}"metrics":)/),
  k6: looks(/^[ \t]*(?:http_req|iteration)_duration\.*:/m),
  'locust-json': looks(/^\s*\[\s*\{(?=[^]{0,2000}"num_none_requests":)/),
  'locust-stats': looks(/^"?Type"?,"?Name"?,"?Request Count"?,/),
  'locust-history': looks(/^"?Timestamp"?,"?User Count"?,"?Type"?,"?Name"?,/),
  'hdr-log': looks(/^#\[Histogram log format version 1\.\d\]$/m, /^"StartTimestamp","Interval_Length"/m),
  'hdr-text': looks(/^[ \t]*Value(?:\(ms\))?\s+Percentile\s+TotalCount\s+1\/\(1-Percentile\)$/m),
  dat: looksLikeDat,
} as const satisfies Readonly<Record<string, (text: string) => boolean>>;

export type LoadForm = keyof typeof FORMS;

/** Returns the form of a result by its text or the beginning of it; null if no reader supports it. */
export function loadForm(text: string): LoadForm | null {
  const clean = withPlainLines(text);
  const found = Object.entries(FORMS).find(([, isForm]) => isForm(clean));
  return found === undefined ? null : (found[0] as LoadForm);
}

/** What `flamebench load … --json` or a browser's network panel wrote, and how it begins. */
const OWN_FORMS = {
  sweep: /^\s*\{(?=[^]{0,60000}"kneeBound":\s*\{\s*"leastSuccess":)/,
  probe: /^\s*\{(?=[^]{0,60000}"summary":\s*\{\s*"cold":)/,
  har: /^\s*\{\s*"log":\s*\{(?=[^]{0,60000}"(?:entries|creator)":)/,
  hops: /^\s*\{\s*"hops":\s*\[/,
} as const satisfies Readonly<Record<string, RegExp>>;

export type OwnLoadForm = keyof typeof OWN_FORMS;

/** Returns the form of Flamebench's own JSON by its text or the beginning of it; null if it is something else. */
export function ownLoadForm(text: string): OwnLoadForm | null {
  const clean = withPlainLines(text);
  const found = Object.entries(OWN_FORMS).find(([, form]) => form.test(clean));
  return found === undefined ? null : (found[0] as OwnLoadForm);
}

/** Removes a byte order mark and carriage returns. */
export const withPlainLines = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
