import type { BuiltReport } from '#core/report/build-report.ts';
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
export async function hostileReport(text: string): Promise<BuiltReport> {
  const written = text.replace(/[\u0000\ud800-\udfff]/g, '?').trim() || '?';
  const functions = (name: string) => ({ kind: 'function', func: { name, module: text } }) as const;
  return reportOf(
    [
      capture('main;parse;read 30\nmain;parse 10\nmain;write 20', text),
      capture('main;parse;read 9\nmain;write 22', text),
    ],
    {
      title: text,
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
    metadata: { ...metadata, fileName: text, hostName: text, command: text, comments: [text] },
  };
}
