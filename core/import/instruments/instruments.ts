import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine } from '../text/line-session.ts';

/** The clipboard content of Instruments' "Deep Copy": the call tree as a table with tabs. */
export const instrumentsImporter: Importer = {
  id: 'instruments',
  label: 'Instruments deep copy',
  extensions: ['instruments.txt', 'txt'],
  keeps: 'the call tree with its weights (time, cycles, bytes) and counts; self weights if the table has them',
  loses:
    'what Instruments rounds: a self weight below half of the last digit shown counts as none; columns other than weight, self weight and count',
  recognizedBy: 'a first line of headings with tabs, `Symbol Name` among them',
  specification: 'https://help.apple.com/instruments/mac/current/#/dev2b9571ec',
  sniff: sniffInstruments,
  start: async () => byLine(new (await import('./deep-copy.ts')).InstrumentsSession()),
};

function sniffInstruments({ text }: Head): SniffResult {
  const [first, ...others] = (/^\s*?(\S[^\r\n]*)/.exec(text)?.[1] ?? '').split('\t').map((heading) => heading.trim());
  return others.length > 0 && [first, ...others].includes('Symbol Name') ? 'yes' : 'no';
}

/** `.trace` bundles of Instruments 8 and 9, which are folders, in a zip archive. */
export const instrumentsTraceImporter: Importer = {
  id: 'instruments-trace',
  label: 'Instruments trace bundle (zip)',
  extensions: ['trace.zip', 'zip'],
  keeps:
    'every sample of a time profile with its time, CPU and weight; stacks with binaries, addresses, files and lines',
  loses:
    'other instruments, names of threads, states of threads; traces of Instruments 10 and later (`xcrun xctrace export`)',
  recognizedBy: 'a folder whose name ends in `.trace`, or a zip archive of it',
  specification: 'https://github.com/jlfwong/speedscope/wiki/Importing-from-Instruments.app',
  sniff: sniffBundle,
  start: async () => (await import('./bundle.ts')).bundleSession(),
};

function sniffBundle({ bytes, text }: Head): SniffResult {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4 && text.includes('.trace/')
    ? 'yes'
    : 'no';
}
