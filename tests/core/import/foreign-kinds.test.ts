import { expect, it } from 'vitest';
import { zipSync } from 'fflate';
import { makeHead } from '#core/import/detect.ts';
import { nameForeignContent } from '#core/import/foreign/content.ts';
import { FOREIGN_KINDS } from '#core/import/foreign/kinds.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../support/byte-source.ts';

/** Beginnings of files as their tools write them, one for each row, with a word of what the refusal says. */
const STUBS: [stub: string, says: string, fileName?: string | undefined][] = [
  ['\x7fELF\x02\x01\x01\0', 'an executable'],
  ['\xfd7zXZ\0\0\x04', 'xz -d'],
  ['BZh91AY&SY', 'bzip2 -d'],
  [`${'perf.data'.padEnd(257, '\0')}ustar\x0000`, 'tar -xf'],
  ['\x04"M\x18@@\xc0\xdc7\0\0\xfa\x04memray\0\x0d', 'memray'],
  ['\x04"M\x18@@\xc0\xdc7\0\0\xfa\x04binary\0\x0d', 'lz4 -d'],
  ['\x04\x08{\x10:\x0cversion', 'stackprof --json'],
  ['--- symbol\nbinary=/srv/app\n0x0000000000401000 main\n---\n--- profile\n\0\0\0\0', 'pprof --raw'],
  ['Nettrace\x14\0\0\0!FastSerialization.1', 'dotnet-trace convert --format speedscope'],
  [`${'\0\0\x01\0'.padEnd(72, '\0')}\x02\0\x02\xc0\0\0`, 'PerfView'],
  ['\0\0\x07\x01', 'PerfView', 'boot.etl'],
  ['JAVA PROFILE 1.0.2\0\0\0\0\x08', 'JFR.start'],
  ['v 10400 3\nX ../hot\nI 1000 5e2990\n', 'heaptrack_print -f FILE -F'],
  ['\0\x01\x02\x03', 'nsys export', 'report1.nsys-rep'],
  ['SQLite format 3\0\x10\0', 'nsys2json'],
  ['tr\xfdP\0\x0b\0', 'Tracy'],
  ['tlZ\x04\0\x04', 'Tracy'],
  ['\x10\0\x04FxT\x16\0', 'magic-trace'],
  ['\x5e\x97\xca\xfd\x01\x01\0\0', 'Sysprof'],
  ['\x17\x08Dtracing6\0\0\x08', 'trace-cmd'],
  ['gmon\x01\0\0\0\0\0', 'gmon.out'],
  ['Flat profile:\n\nEach sample counts as 0.01 seconds.\n', 'gprof'],
  ['\xc1\x1f\xfc\xc1\0\0\x01\x02', 'LTTng'],
  ['/* CTF 1.8 */\n\ntypealias integer {', 'LTTng'],
  ['SLOW\x03\0\x20\0', 'Android (ART)'],
  ['*version\n3\ndata-file-overflow=false\n*threads\n', 'Android (ART)'],
  ['go 1.22 trace\0\0\0', 'go tool trace -pprof=sync'],
  ['\x01\x02\0', 'Perfetto', 'boot.pftrace'],
  ['rbspy02\n{"x"', 'rbspy report -f speedscope'],
  ['nBpRoFiLeR\x01\0', 'VisualVM'],
  ['\x80\x04\x95\x1a\0\0\0\0\0\0\0\x8c', 'pickle'],
  ['a:2:{s:13:"main()==>work";a:2:{s:2:"ct";i:1;s:2:"wt";i:9;}}', 'XHProf'],
  ['{"main()==>work":{"ct":1,"wt":9},"main()":{"ct":1,"wt":10}}', 'XHProf'],
  ['file-format: BlackfireProbe\ncost-dimensions: wt\n', 'Blackfire'],
  ['Version: 3.3.1\nFile format: 4\nTRACE START [2024-01-01 00:00:00]\n', 'stackcollapse-xdebug.php'],
  ['{"devToolsSnapshot":true,"devToolsVersion":"2.30"}', 'Dart DevTools'],
  ['{"type":"CpuSamples","samplePeriod":1000}', 'Dart VM'],
  ['%% Analysis results:\n{  analysis_options,\n {  {callers, true}}}.\n', 'erlgrind'],
  ['=erl_crash_dump:0.5\nMon Jan  1 00:00:00 2024\n', 'Erlang'],
  ["\n Performance counter stats for 'true':\n\n  1.0 msec task-clock\n", 'perf stat'],
  ["# Event 'cycles'\n#\n# Baseline  Delta Abs  Shared Object\n# ........  .........\n", 'flamebench diff'],
  [' Percent |\tSource code & Disassembly of load for cpu-clock (104 samples)\n', 'perf.data'],
  ['           time    cpu  task name                       wait time  sch delay\n', 'perf.data'],
  ['\n0x128@perf.data [0xd0]: event: 69\n.\n. ... raw event: size 208 bytes\n', 'perf.data'],
  ['\n\t            116a spin\n\t            1216 work\n\n', '-F'],
  ['<!DOCTYPE html>\n <html>\n<script>var pyinstrumentHTMLRenderer=function(){}', 'pyinstrument -r json'],
  ['# tracer: nop\n#\n# entries-in-buffer/entries-written: 1/1   #P:1\n', 'ftrace'],
  ['{"session": {"start_time": 1.0, "frame_records": []}}', 'pyinstrument --load'],
  ['{"alloc_samples": 0, "args": ["t.py"], "elapsed_time_sec": 1}', 'Scalene'],
  ['startup\ttime=1234\nruntime\ttime=5\n', 'Coz'],
  ['<html><body>Not found</body></html>', 'a web page'],
  ['<?xml version="1.0"?>\n<svg version="1.1">', 'an SVG picture'],
];

const bytesOf = (stub: string): Uint8Array => Uint8Array.from(stub, (unit) => unit.charCodeAt(0) % 256);

it.each(STUBS)('%j is named with its remedy: %s', async (stub, says, fileName = 'input') => {
  await expect(importProfile(byteSource(bytesOf(stub), fileName))).rejects.toMatchObject({
    name: 'ImportFailure',
    failure: expect.stringMatching(/^un(recognized|supported)$/),
    message: expect.stringContaining(says),
    location: { byte: 0 },
  });
});

it('has a stub for every row', () => {
  const named = new Set(
    STUBS.map(([stub, , fileName = 'input']) => nameForeignContent(makeHead(bytesOf(stub), true), fileName).message),
  );
  const missing = FOREIGN_KINDS.filter(({ what }) => ![...named].some((message) => message.startsWith(what)));
  expect(missing.map(({ what }) => what)).toEqual([]);
});

it.each([
  [['a.trace/perfcollect.log', 'a.trace/perf.data.txt'], 'unpack it and open perf.data.txt in it'],
  [['a.trace/perfcollect.log', 'a.trace/lttngTrace/auto/kernel/channel0_0'], 'an LTTng trace (CTF)'],
  [['a.trace/instrument_data/0/run_data/1.run.zip'], 'xcrun xctrace export --input'],
  [['Trace.etl'], 'PerfView'],
  [['META-INF/MANIFEST.MF', 'a/B.class'], 'a Java archive'],
  [['cpu.pprof', 'b', 'c', 'd'], 'a zip archive with "cpu.pprof", "b", "c", …; unpack it'],
])('an archive of %j is named by it', async (names, says) => {
  const archive = zipSync(Object.fromEntries(names.map((name) => [name, Uint8Array.of(1, 2, 3)])), { level: 0 });
  await expect(importProfile(byteSource(archive, 'profile.trace.zip'))).rejects.toMatchObject({
    failure: 'unsupported',
    message: expect.stringContaining(says),
    location: { byte: 0 },
  });
});
