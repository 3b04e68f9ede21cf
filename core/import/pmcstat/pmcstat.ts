import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine } from '../text/line-session.ts';

/**
 * Call graphs of FreeBSD's `pmcstat -G`: each function with its callers below it, and the number of samples from each.
 */
export const pmcstatImporter: Importer = {
  id: 'pmcstat',
  label: 'pmcstat call graph',
  extensions: ['pmcstat', 'graph', 'txt'],
  keeps: 'every event; stacks with modules and counts; stacks end at the last caller listed',
  loses:
    'functions that pmcstat leaves out as too few, whose samples are counted; percentages, which follow from counts',
  recognizedBy: '`@ EVENT [N samples]`, then rows of a percentage, a count in brackets and a function',
  specification: 'https://man.freebsd.org/cgi/man.cgi?query=pmcstat',
  sniff: sniffPmcstat,
  start: async () => byLine(new (await import('./session.ts')).PmcstatSession()),
};

function sniffPmcstat({ text }: Head): SniffResult {
  return /^@ \S[^\n]* \[\d+ samples\]\s*$/m.test(text) && /^ *\d+\.\d+% +\[\d+\] +\S/m.test(text) ? 'yes' : 'no';
}
