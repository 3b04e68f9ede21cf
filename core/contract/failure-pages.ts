/**
 * The pages of docs/failures, each with the ids of checks and the codes of failures and diagnostics that it explains.
 * A code that collectors use for different things has none.
 */
export const FAILURE_PAGES: Readonly<Record<string, readonly string[]>> = {
  perf: ['perf-missing', 'perf-too-old', 'perf-script-too-old'],
  'perf-event-paranoid': ['perf-refused', 'user-only'],
  'kernel-symbols': ['kernel-symbols-hidden'],
  symbols: ['unresolved-frames'],
  'frame-pointers': [
    'missing-frame-pointers',
    'python-callers',
    'short-branch-stacks',
    'stack-copy-too-small',
    'stacks',
    'truncated-stacks',
  ],
  'lost-samples': ['behind', 'lost-unknown'],
  'no-samples': ['cpu-time-missed', 'empty-capture'],
  'jit-map': ['jit-map-incomplete', 'jit-map-missing'],
  events: ['event-substituted', 'no-lbr', 'perf-events', 'unknown-event', 'unsupported-event'],
  'perf-limits': ['rate', 'rate-too-high', 'ring-too-large', 'too-many-files'],
  debuginfod: [],
  permission: ['not-allowed', 'other-user', 'privilege', 'process-access', 'ptrace'],
  sudo: ['not-elevated'],
  ssh: ['login', 'not-connected'],
  'link-lost': [],
  container: ['apparmor', 'container-closed', 'container-not-reached', 'user-namespace'],
  'cpu-throttled': ['limits', 'process-limits'],
  'node-inspector': ['foreign-address', 'inspector', 'not-node', 'other-network', 'signal-disabled'],
  'py-spy': ['not-executable', 'not-python', 'other-py-spy', 'py-spy-failed', 'py-spy-not-fetched'],
  java: ['attach-disabled', 'flight-recorder', 'no-async-profiler', 'no-jcmd', 'not-java', 'other-files'],
  systemtap: [
    'build-host',
    'headers',
    'no-debuginfo',
    'no-headers',
    'no-return-probes',
    'not-mended',
    'not-permitted',
    'other-kernel',
    'stap',
    'stap-cache',
    'stap-failed',
    'stap-older-than-kernel',
    'unsigned-module',
  ],
  bpftrace: ['bpftrace-failed', 'lockdown', 'no-tracepoint', 'not-root'],
  'process-gone': ['no-such-process', 'pid-reused', 'process', 'process-ended'],
  pprof: ['http-error', 'no-host', 'no-http', 'no-pprof', 'tls'],
  library: ['in-use', 'library-unreadable', 'lock-lost', 'newer-config', 'not-a-library', 'read-only', 'storage'],
  'disk-full': ['no-space', 'target-disk-full'],
  'unknown-format': ['go-execution-trace', 'malformed', 'not-a-profile', 'too-large', 'unrecognized', 'unsupported'],
  'not-decided': ['load-or-machine', 'within-this-run-only'],
  'port-taken': ['no-port', 'port-refused'],
};

const pages = new Map(
  Object.entries(FAILURE_PAGES).flatMap(([page, codes]) => [page, ...codes].map((code) => [code, page])),
);

/** Returns the page that explains a code, which may be the page's own name; null if there is none. */
export const failurePage = (code: string): string | null => pages.get(code) ?? null;

/** Returns `message (more: flamebench help PAGE)`, or the message alone if no page explains the code. */
export function withFailurePage(message: string, code: string | null): string {
  const page = code === null ? null : failurePage(code);
  return page === null ? message : `${message} (more: flamebench help ${page})`;
}

/** Returns a page as text for a terminal or the window: without emphasis, and links without their targets. */
export const failureText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replace(/^# /, '');
