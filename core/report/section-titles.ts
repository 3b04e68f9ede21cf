import type { ReportSection } from '../contract/report/report.ts';

/** Default titles of sections. */
export const SECTION_TITLES: Readonly<Record<ReportSection['kind'], string>> = {
  text: '',
  flame: 'Flame graph',
  sandwich: 'Callers and callees',
  functions: 'Functions',
  'delta-graph': 'Before and after',
  'before-after': 'Weights before and after',
  deltas: 'Changes by function',
  movers: 'What changed',
  notes: 'Notes',
  time: 'Weight over time',
  load: 'Load test',
  quality: 'Data quality',
  target: 'Environment',
  commands: 'Commands',
};
