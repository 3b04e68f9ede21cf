import type { ReportLoad } from '#core/contract/report/load.ts';
import type { ReportSection } from '#core/contract/report/report.ts';
import type { BuiltReport } from '#core/report/build-report.ts';
import type { Redaction } from '#core/redact/identities.ts';
import type { Profile } from '#core/model/profile.ts';
import { profileFromText } from './profile-from-text.ts';
import { noteOn, reportOf } from './report-of.ts';

/** Texts that would run, end an element or hide in a page, a picture or a table. */
export const HOSTILE_TEXTS = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  ']]><script>alert(1)</script>',
  '<!--<script>',
  '{{constructor.constructor("alert(1)")()}}',
  'javascript:alert(1)',
  '[x](javascript:alert(1)) <javascript:alert(1)>',
  '</style><style>*{display:none}</style>',
  '</title><meta http-equiv=refresh content="0;url=https://x">',
  '&lt;script&gt;',
  '\u202egnp.exe',
  '\u0000\u0008\ud800',
  '`$(reboot)`',
  '=HYPERLINK("http://x")',
  '__proto__',
  '|a|b|',
];

/** Returns a report of a comparison with `text` as every name, from functions and hosts to notes and the title. */
export async function hostileReport(text: string, kinds: readonly Redaction[] = []): Promise<BuiltReport> {
  const written = text.replace(/[\u0000\ud800-\udfff]/g, '?').trim() || '?';
  const functions = (name: string) => ({ kind: 'function', func: { name, module: text } }) as const;
  return reportOf(
    [
      capture('main;parse;read 30\nmain;parse 10\nmain;write 20', text),
      capture('main;parse;read 9\nmain;write 22', text),
    ],
    {
      kinds,
      title: text,
      sections: sectionsWith(text),
      loads: [loadWith(text)],
      notes: [
        noteOn(null, { kind: 'whole' }, written),
        noteOn(null, { kind: 'delta', of: functions(text) }, `x ${written}`),
        noteOn('c1', functions(text), written),
      ],
      made: { version: '0', author: text, from: [text], command: ['flamebench', text] },
      capture: {
        name: text,
        view: [text],
        document: {
          container: { id: text, name: text, image: text, digest: text, pod: text },
          target: { kind: 'ssh', host: text, kernel: text, arch: text, cpuCount: 2 },
          process: {
            pid: 1,
            startTicks: '1',
            user: text,
            cpuPercent: null,
            rssBytes: 1,
            threads: 1,
            startedAt: 1,
            container: text,
            containerName: text,
            image: text,
            pod: text,
            unit: text,
            cgroup: text,
            innerPid: 1,
            runtime: text,
            name: text,
            executable: text,
            buildId: text,
            command: text,
          },
          collector: { id: 'perf', toolVersion: text, commands: [['perf', text]], exitCode: 0, signal: null },
        },
      },
    },
  );
}

function sectionsWith(text: string): ReportSection[] {
  const func = { name: text, module: text, file: text, line: 1 };
  const [title, search] = [text.slice(0, 500), text.replace(/[^\w\s/@-]/g, '.')];
  return [
    { kind: 'text', title, text },
    {
      kind: 'flame',
      title,
      capture: 'c1',
      direction: 'top-down',
      orientation: 'flame',
      zoom: [{ ...func, name: 'main' }, func],
      search,
    },
    { kind: 'sandwich', title, capture: 'c1', func },
    { kind: 'functions', title, capture: 'c1', rows: 10, sort: 'self' },
    { kind: 'delta-graph', title, look: 'sides', zoom: [{ ...func, name: 'main' }, func], search },
    { kind: 'before-after', title, rows: 10 },
    { kind: 'deltas', title, rows: 10, measure: 'self' },
    { kind: 'movers', title, rows: 10 },
    { kind: 'load', title },
    { kind: 'notes', title },
    { kind: 'quality', title },
    { kind: 'target', title },
    { kind: 'commands', title },
  ];
}

function loadWith(text: string): ReportLoad {
  const at = (concurrency: number): ReportLoad['runs'][number] => ({
    startedAt: 1,
    result: {
      tool: 'wrk',
      target: text,
      concurrency,
      seconds: 1,
      requests: 100,
      qps: 100,
      success: 0.9,
      errors: [{ kind: 'other', detail: text, count: 10 }],
      bytes: null,
      latency: { mean: 0.01, deviation: null, min: null, max: null, percentiles: [], buckets: [] },
      server: [{ name: text, pid: 1, cores: 1 }],
      notes: [text],
    },
    vitals: [{ name: text, pid: 1, at: [0, 1], series: [{ id: 'cpu', values: [1, 2] }] }],
  });
  return { side: 'only', name: text, commands: [['wrk', text]], runs: [at(1), at(2)] };
}

function capture(stacks: string, text: string): Profile {
  const profile = profileFromText(stacks);
  const { functions, threads, metadata } = profile;
  const strings = [...profile.strings.map((one) => (one === 'parse' ? text : one)), text];
  const place = strings.length - 1;
  return {
    ...profile,
    strings,
    functions: { ...functions, module: functions.module.map(() => place), file: functions.file.map(() => place) },
    threads: { ...threads, name: threads.name.map(() => place) },
    valueTypes: profile.valueTypes.map((one) => ({ ...one, type: text })),
    metadata: { ...metadata, fileName: text, hostName: text, command: text, comments: [text], tool: text },
  };
}
