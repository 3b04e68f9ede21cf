import { documentFromJson } from '#core/model/native/parse-document.ts';
import { documentOf, documentToJson } from '#core/model/native/document.ts';
import { describe, expect, test } from 'vitest';
import { FunctionKind } from '#core/model/profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { namesRootFirst } from '../../support/profile-rollup.ts';
import { diagnosticOf, foldedLinesOf, readPerfScript, sampleText } from '../../support/perf-script-text.ts';

const TWO_SAMPLES = `work 10/11 [001]  1.000500:    2000 cycles:u:
	    7f01 leaf+0x1 (/bin/a)
	    7f02 main+0x2 (/bin/a)

work 10/12 [000]  1.000400:    3000 cycles:u:
	    7f03 leaf+0x9 (/bin/a)
	    7f02 main+0x2 (/bin/a)
`;

describe('samples', () => {
  test('have stacks, threads, CPUs, times and periods', () => {
    const { samples, threads, strings, events, metadata, valueTypes } = readPerfScript(TWO_SAMPLES);
    expect(samples.length).toBe(2);
    expect([...threads.pid]).toEqual([10, 10]);
    expect([...threads.tid]).toEqual([11, 12]);
    expect(strings[threads.name[0]!]).toBe('work');
    expect([...samples.cpu!]).toEqual([1, 0]);
    expect(events).toEqual(['cycles:u']);
    expect([...samples.weights[0]!]).toEqual([2000, 3000]);
    expect(valueTypes).toEqual([
      { type: 'cycles:u', unit: 'count', event: 0, column: 0 },
      { type: 'cycles:u', unit: 'samples', event: 0, column: -1 },
    ]);
    // The origin is the earlier time, although it comes later in the text.
    expect(metadata.timeOrigin).toBe(1_000_400_000n);
    expect([...samples.time!]).toEqual([100_000, 0]);
    expect(metadata.durationNs).toBe(100_000);
  });

  test('are not made of a line that ends before its event', () => {
    const { events, samples, diagnostics } = readPerfScript(`${TWO_SAMPLES}\nwork 10/12  8801.194312:     `);
    expect([events, samples.length]).toEqual([['cycles:u'], 2]);
    expect(diagnostics).toMatchObject([{ code: 'truncated-input', count: 1 }]);
  });

  test('keep the address of every frame', () => {
    const { frames, stacks } = readPerfScript(TWO_SAMPLES);
    expect([...frames.address!]).toEqual([0x7f01n, 0x7f02n, 0x7f03n]);
    expect(stacks.length).toBe(3);
  });

  test('accept 64-bit addresses', () => {
    const { frames } = readPerfScript(sampleText('a 1 1.000000: cycles:').replace('    1139', 'ffffffff8103d0ca'));
    expect(frames.address![0]).toBe(0xffffffff8103d0can);
  });

  test('have exact nanoseconds, long after boot', () => {
    const text = sampleText('a 1 99999999.123456789: cycles:') + sampleText('a 1 99999999.123456790: cycles:');
    const { metadata, samples } = readPerfScript(text);
    expect(metadata.timeOrigin).toBe(99_999_999_123_456_789n);
    expect([...samples.time!]).toEqual([0, 1]);
  });

  test('have no columns for missing times and CPUs', () => {
    const { samples, metadata } = readPerfScript('a 1 cycles:\n\t 1 f (/bin/a)\n');
    expect(samples).toMatchObject({ length: 1, time: null, cpu: null });
    expect(metadata).toMatchObject({ timeOrigin: null, durationNs: null });
  });

  test('include the last one without a blank line and without a newline', () => {
    expect(readPerfScript(TWO_SAMPLES.trimEnd()).samples.length).toBe(2);
    expect(foldedLinesOf(readPerfScript(TWO_SAMPLES.trimEnd()))).toEqual(['work;main;leaf 5000']);
  });

  test('may have no stack', () => {
    const { samples } = readPerfScript('a 1 1.000000: 7 cycles: \n\na 1 1.000001: 8 cycles: \n\t 1 f (/bin/a)\n\n');
    expect([...samples.stack]).toEqual([-1, 0]);
  });

  test('may have no stacks, line by line', () => {
    const profile = readPerfScript('a 1 [000] 1.000000: sched:x: (b) c\na 1 [000] 1.000001: sched:x: d\n');
    expect([...profile.samples.stack]).toEqual([-1, -1]);
    expect(profile.diagnostics).toEqual([]);
  });

  test('have their frame on the event line without call graphs', () => {
    const profile = readPerfScript(
      '  a b 1 1.000000:  7 cycles:u:  ffff8103 [unknown] ([kernel.kallsyms])\n  a b 1 1.000001:  8 cycles:u:      7f01 f+0x1 (/bin/a)\n',
    );
    expect(foldedLinesOf(profile)).toEqual(['a_b;[[kernel.kallsyms]] 7', 'a_b;f 8']);
  });

  test('skip a line that only looks like an event line if no frame follows', () => {
    const profile = readPerfScript(`Page 3\n\n${TWO_SAMPLES}\nPage 4\n\n`);
    expect(profile.samples.length).toBe(2);
    expect(diagnosticOf(profile, 'skipped-line')).toMatchObject({ count: 2, first: { line: 1 } });
  });
});

describe('events', () => {
  test('become separate value types; the first one with its period is the default', () => {
    const profile = readPerfScript(
      sampleText('a 1 1.000000:    250000       cpu-clock: ') +
        sampleText('a 1 1.000001:         3          faults: ', 'g') +
        sampleText('a 1 1.000002:    250000       cpu-clock: '),
    );
    expect(profile.events).toEqual(['cpu-clock', 'faults']);
    expect(profile.valueTypes.map(({ type, unit }) => `${type} ${unit}`)).toEqual([
      'cpu-clock nanoseconds',
      'cpu-clock samples',
      'faults count',
      'faults samples',
    ]);
    expect(foldedLinesOf(profile)).toEqual(['a;f 500000']);
    expect(foldedLinesOf(profile, { valueType: 3 as never })).toEqual(['a;g 1']);
  });

  test('count samples without periods', () => {
    const profile = readPerfScript(sampleText('a 1 1.000000: cpu-clock: '));
    expect(profile.valueTypes).toEqual([{ type: 'cpu-clock', unit: 'samples', event: 0, column: -1 }]);
    expect(profile.samples.weights).toEqual([]);
  });

  test.each([
    ['task-clock:u', 'nanoseconds'],
    ['cpu-clock', 'nanoseconds'],
    ['cycles:ppp', 'count'],
    ['cpu-clock-like', 'count'],
  ])('the period of %s is in %s', (event, unit) => {
    expect(readPerfScript(sampleText(`a 1 1.000000: 5 ${event}: `)).valueTypes[0]).toMatchObject({ type: event, unit });
  });

  test('give samples without a period the weight 1, and count them', () => {
    const profile = readPerfScript(sampleText('a 1 1.000000: 5 cycles:') + sampleText('a 1 1.000001: cycles:'));
    expect(foldedLinesOf(profile)).toEqual(['a;f 6']);
    expect(diagnosticOf(profile, 'missing-period')).toMatchObject({ count: 1 });
  });

  test('round periods beyond 2^53, and count them', () => {
    const profile = readPerfScript(sampleText('a 1 1.000000: 18446744073709551615 cycles:'));
    expect(diagnosticOf(profile, 'inexact-weight')).toMatchObject({ count: 1, first: { line: 1 } });
  });

  test('share one event after the first 254', () => {
    let text = '';
    for (let index = 0; index < 300; index++) text += sampleText(`a 1 1.000000: syscalls:e${index}: x`);
    const profile = readPerfScript(text);
    expect(profile.events).toHaveLength(255);
    expect(profile.events.at(-1)).toBe('(other events)');
    expect(profile.samples.length).toBe(300);
    expect(diagnosticOf(profile, 'many-events')).toBeDefined();
  });

  test('count lost samples; other records are not samples', () => {
    const profile = readPerfScript(
      `tsc 18 [000]  1.000000: PERF_RECORD_LOST lost 8\ntsc 18 [000]  1.000001: PERF_RECORD_COMM exec: a:1/1\ntsc 18 [000]  1.000001: PERF_RECORD_COMM: a:1/1\ntsc 18 [000]  1.000001: PERF_RECORD_FORK(1:2):(1:1)\n${TWO_SAMPLES}tsc 18 [000]  1.000002: PERF_RECORD_LOST lost 2\n`,
    );
    expect(profile.samples.length).toBe(2);
    expect(diagnosticOf(profile, 'lost-samples')).toMatchObject({
      count: 10,
      first: { line: 1 },
      moments: [
        { clock: '1000000000', text: 'PERF_RECORD_LOST lost 8' },
        { clock: '1000002000', text: 'PERF_RECORD_LOST lost 2' },
      ],
    });
    expect(diagnosticOf(profile, 'other-record')).toMatchObject({ count: 3, first: { line: 2 } });
    expect(diagnosticOf(profile, 'other-record')!.moments!.map(({ text }) => text)).toEqual([
      'PERF_RECORD_COMM exec: a:1/1',
      'PERF_RECORD_COMM: a:1/1',
      'PERF_RECORD_FORK(1:2):(1:1)',
    ]);
    const { diagnostics } = documentFromJson(documentToJson(documentOf(profile)));
    expect(diagnostics).toEqual(profile.diagnostics);
  });

  test('keep a limited number of records’ times', () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `a 1 [000] ${at}.000000: PERF_RECORD_LOST lost 1\n`);
    const found = diagnosticOf(readPerfScript(`${lines.join('')}${TWO_SAMPLES}`), 'lost-samples')!;
    expect(found.count).toBe(3000);
    expect(found.moments).toHaveLength(1000);
    expect(found.moments!.at(-1)!.clock).toBe('999000000000');
  });
});

describe('branches', () => {
  test.each([
    ['without flags', ''],
    ['with flags', 'call  '],
    ['with flags of several words', 'tr strt jmp (x)  '],
  ])('count for the side that they come from, %s', (_, flags) => {
    const text = `ls 10 [000] 1.000000001:  1 branches:uH:   ${flags}7f00 _start+0x0 (/lib/ld.so) =>   7f10 _dl_start+0x0 (/lib/ld.so)
ls 10 [000] 1.000000002:  1 branches:uH:   ${flags}7f18 _dl_start+0x8 (/lib/ld.so) =>   7f30 memset+0x0 (/lib/ld.so)
ls 10 [000] 1.000000003:  5 instructions:uH:  7f18 _dl_start+0x8 (/lib/ld.so)
`;
    const profile = readPerfScript(text);
    const names = [0, 1, 2].map((row) => namesRootFirst(profile, profile.samples.stack[row]!));
    expect(names).toEqual([['_start'], ['_dl_start'], ['_dl_start']]);
    expect(profile.diagnostics).toEqual([]);
  });

  test('leave the text of tracepoints alone', () => {
    const profile = readPerfScript('a 1 [000] 1.000001: sched:sched_switch: prev_comm=a ==> next_comm=b (x)\n');
    expect(profile.samples.stack[0]).toBe(-1);
  });
});

describe('warnings of perf above the events', () => {
  const WARNING = 'Warning:\nProcessed 100 events and lost 1 chunks!\n\nCheck IO/CPU overload!\n\n';

  test('are a diagnostic, and the text is recognised', async () => {
    for (const head of [WARNING, 'Failed to open /tmp/perf-10.map, continuing without symbols\n']) {
      const profile = await importProfile(byteSource(Buffer.from(head + TWO_SAMPLES), 'input'));
      expect(profile.metadata.format).toBe('perf-script');
      expect(profile.samples.length).toBe(2);
      expect(profile.diagnostics.map(({ code }) => code)).toEqual(['perf-warning']);
    }
    expect(diagnosticOf(readPerfScript(WARNING + TWO_SAMPLES), 'perf-warning')).toMatchObject({
      message: 'perf warned: Processed 100 events and lost 1 chunks! Check IO/CPU overload!',
      first: { line: 1 },
    });
  });

  test('alone are not a capture', () => {
    expect(() => readPerfScript('no events\n')).toThrow(/no line is a perf script event/);
  });
});

describe('functions', () => {
  const frame = (line: string): Profile => readPerfScript(`a 1 1.000000: 5 cycles:\n\t${line}\n\n`);
  const only = ({ strings, functions }: Profile): object => ({
    name: strings[functions.name[0]!],
    module: strings[functions.module[0]!],
    kind: functions.kind[0],
  });

  test.each<[string, string, string, number]>([
    ['1 f+0x1 (/bin/a)', 'f', '/bin/a', FunctionKind.user],
    ['1 f ([kernel.kallsyms])', 'f', '[kernel.kallsyms]', FunctionKind.kernel],
    ['1 f ([kernel.kallsyms].init.text)', 'f', '[kernel.kallsyms].init.text', FunctionKind.kernel],
    ['1 f ([nf_conntrack_ipv4])', 'f', '[nf_conntrack_ipv4]', FunctionKind.kernel],
    ['1 f (/lib/modules/4.3.0/build/vmlinux)', 'f', '/lib/modules/4.3.0/build/vmlinux', FunctionKind.kernel],
    ['1 f (/lib/modules/x.ko.xz)', 'f', '/lib/modules/x.ko.xz', FunctionKind.kernel],
    ['1 f ([vdso])', 'f', '[vdso]', FunctionKind.user],
    ['1 f (/tmp/perf-12.map)', 'f', '/tmp/perf-12.map', FunctionKind.jit],
    ['1 f (/root/.debug/jit/x/jitted-12-3.so)', 'f', '/root/.debug/jit/x/jitted-12-3.so', FunctionKind.jit],
    ['1 [unknown] (/lib/libc.so.6)', '[libc.so.6]', '/lib/libc.so.6', FunctionKind.unresolved],
    ['1 [unknown] ([kernel.kallsyms])', '[[kernel.kallsyms]]', '[kernel.kallsyms]', FunctionKind.unresolved],
    ['1 [unknown] ([unknown])', '[unknown]', '', FunctionKind.unresolved],
    ['1  (/lib/libc.so.6)', '[libc.so.6]', '/lib/libc.so.6', FunctionKind.unresolved],
    ['1 libxul.so[+745758] (/lib/libxul.so)', 'libxul.so[+745758]', '/lib/libxul.so', FunctionKind.unresolved],
    ['1 _ZN3foo3barEi+0x4 (/bin/a)', 'foo::bar(int)', '/bin/a', FunctionKind.user],
    ['1 __proto__ (/bin/a)', '__proto__', '/bin/a', FunctionKind.user],
    ['1 </script><img onerror=x> (/bin/a)', '</script><img onerror=x>', '/bin/a', FunctionKind.user],
  ])('are read from: %s', (line, name, module, kind) => {
    expect(only(frame(line))).toEqual({ name, module, kind });
  });

  test('share a line if a JVM inlined them', () => {
    const profile = frame('1 La/B;::f->Lc/D;::g->Lc/D;::h (/tmp/perf-12.map)');
    expect(namesRootFirst(profile, profile.samples.stack[0]!)).toEqual(['La/B;::f', 'Lc/D;::g', 'Lc/D;::h']);
    expect([...profile.frames.inline]).toEqual([0, 1, 1]);
    expect(foldedLinesOf(profile)).toEqual(['a;La/B:::f;Lc/D:::g_[i];Lc/D:::h_[i] 5']);
  });

  test.each(['1 a::operator->() (/tmp/perf-12.map)', '1 La;::f->Lb;::g (/bin/a)'])('are not split at %s', (line) => {
    expect(frame(line).functions.length).toBe(1);
  });

  test('take the module of the frame below if inlined', () => {
    const { strings, functions, frames } = readPerfScript(
      'a 1 1.000000: 5 cycles:\n\t 1148 inner+0x1f (inlined)\n\t 1148 mid+0x1f (/bin/a)\n\t 27304 outer (inlined)\n\t 27304 _start (/lib/x)\n\n',
    );
    const named = Array.from(functions.name, (name, row) => `${strings[name]} ${strings[functions.module[row]!]}`);
    expect(named.sort()).toEqual(['_start /lib/x', 'inner /bin/a', 'mid /bin/a', 'outer /lib/x']);
    expect(
      Array.from(frames.func, (func, row) => `${strings[functions.name[func]!]} ${frames.inline[row]}`).sort(),
    ).toEqual(['_start 0', 'inner 1', 'mid 0', 'outer 1']);
  });

  test('get source lines from the line below their frame', () => {
    const profile = readPerfScript(
      'a 1 1.000000: 5 cycles:\n\t 1148 inner+0x1f\n  a.c:2 (inlined)\n\t 1148 mid+0x1f (/bin/a)\n  a.c:3\n\t 9 lib (/lib/x)\n  x[9]\n\t 9 lib (/lib/x)\n  :0\n\t 8 [unknown] ([unknown])\n  \n\n',
    );
    const { strings, functions, frames } = profile;
    const described = Array.from(frames.func, (func, row) => {
      const file = strings[functions.file[func]!]!;
      return `${strings[functions.name[func]!]} ${file}:${frames.line![row]} ${frames.inline[row]}`;
    });
    expect(described).toEqual(expect.arrayContaining(['inner a.c:2 1', 'mid a.c:3 0', 'lib :0 0', '[unknown] :0 0']));
    expect(namesRootFirst(profile, profile.samples.stack[0]!)).toEqual(['[unknown]', 'lib', 'lib', 'mid', 'inner']);
    const inner = Array.from(functions.name, (name) => strings[name]).indexOf('inner');
    expect(strings[functions.module[inner]!]).toBe('/bin/a');
    expect(diagnosticOf(profile, 'skipped-line')).toBeUndefined();
  });

  test('may have no modules (-F ip,sym)', () => {
    const profile = readPerfScript('a 1 1.000000: 5 cycles:\n\t 1148 inner+0x1f\n\t 1150 main\n\n');
    expect(foldedLinesOf(profile)).toEqual(['a;main;inner 5']);
  });

  test('without a symbol are weighed', () => {
    const profile = readPerfScript(
      'a 1 1.000000: 5 cycles:\n\t 2 [unknown] (/lib/x.so)\n\t 3 main (/bin/a)\n\t 4 _start (/bin/a)\n\n',
    );
    expect(diagnosticOf(profile, 'unresolved-frames')).toEqual({
      code: 'unresolved-frames',
      severity: 'warning',
      message: '100.0 % of the weight is in functions without a symbol, most of it in [x.so].',
      count: 1,
      first: null,
      remedy: 'Install the debug symbols of /lib/x.so, or build it without stripping, before perf script runs.',
    });
  });
});

describe('the header', () => {
  const HEADER = `# ========
# captured on    : Fri Nov 20 16:58:27 2026
# hostname : testbox
# os release : 6.1.0-test
# perf version : 6.1.192
# arch : x86_64
# nrcpus online : 2
# nrcpus avail : 4
# cpudesc : AMD EPYC
# cmdline : /usr/bin/perf record -F 99 -g -- ./run -F 7
# event : name = cpu-clock:u, , id = { 1 }, type = 1, { sample_period, sample_freq } = 499, disabled = 1, freq = 1, sample_id_all = 1
# CPU_TOPOLOGY info available, use -I to display
# ========
#
`;

  test('becomes metadata', () => {
    expect(readPerfScript(HEADER + TWO_SAMPLES).metadata).toMatchObject({
      tool: 'perf',
      toolVersion: '6.1.192',
      hostName: 'testbox',
      kernel: '6.1.0-test',
      arch: 'x86_64',
      cpuCount: 2,
      command: '/usr/bin/perf record -F 99 -g -- ./run -F 7',
      rateHz: 499,
      period: null,
      startTime: null,
      comments: ['captured on: Fri Nov 20 16:58:27 2026', 'cpudesc: AMD EPYC'],
    });
  });

  test('may state a fixed period instead of a rate', () => {
    const metadata = readPerfScript(HEADER.replace(', freq = 1', '') + TWO_SAMPLES).metadata;
    expect(metadata).toMatchObject({ rateHz: 99, period: { type: 'cpu-clock:u', unit: 'nanoseconds', value: 499 } });
  });

  test.each([
    ['perf record -F 99 -g', 99],
    ['perf record -F99 -g', 99],
    ['perf record --freq=49', 49],
    ['perf record -agF 997', 997],
    ['perf record -F max', null],
    ['perf record -- ./run -F 7', null],
    ['perf record -c 1000', null],
  ])('the rate of %s', (command, rateHz) => {
    expect(readPerfScript(`# cmdline : ${command} \n${TWO_SAMPLES}`).metadata.rateHz).toBe(rateHz);
  });

  test('is reported if there are no samples', () => {
    const profile = readPerfScript(HEADER);
    expect(profile.samples.length).toBe(0);
    expect(profile.valueTypes).toHaveLength(1);
    expect(diagnosticOf(profile, 'no-samples')?.remedy).toContain('doctor');
  });

  test('is required: text of another format is refused at its start, even if forced', () => {
    expect(() => readPerfScript(`${HEADER}\na;b;c 3\na;b 1\n`)).toThrow('no line is a perf script event');
  });
});
