import { visibleText } from '#core/analyze/function-label.ts';
import type { CaptureFacts } from '#core/compare/measure/capture-facts.ts';
import { compareCircumstances } from '#core/compare/circumstances.ts';
import { describeQuality, qualityLines } from '#core/model/quality-grade.ts';
import type { CaptureFact, FactSource } from '#core/compare/measure/read-facts.ts';
import { format } from '../../../ui/format.ts';
import type { ComparedCaptureRow, OpenedCapture } from '../../../analysis/comparison/protocol.ts';

interface FactRow {
  readonly name: string;
  readonly text: string;
  /** Where the fact comes from. */
  readonly source: string;
}

const SOURCES: Readonly<Record<FactSource, string>> = {
  document: 'recorded with the capture',
  profile: 'from the file',
  times: 'from first to last sample',
};

const FACTS: readonly {
  readonly fact: CaptureFact;
  readonly name: string;
  readonly text: (facts: CaptureFacts) => string | null;
}[] = [
  { fact: 'durationSeconds', name: 'duration', text: ({ durationSeconds }) => seconds(durationSeconds) },
  { fact: 'rateHz', name: 'rate', text: ({ rateHz }) => (rateHz === null ? null : format.value(rateHz, 'hertz')) },
  { fact: 'cpuSeconds', name: 'CPU time', text: ({ cpuSeconds }) => seconds(cpuSeconds) },
  {
    fact: 'requests',
    name: 'requests',
    text: ({ requests }) => (requests === null ? null : format.number(requests)),
  },
  { fact: 'host', name: 'host', text: ({ host }) => (host === null ? null : visibleText(host.slice(0, 200))) },
  {
    fact: 'kernel',
    name: 'kernel',
    text: ({ kernel }) => (kernel === null ? null : visibleText(kernel.slice(0, 200))),
  },
  { fact: 'cpuCount', name: 'CPUs', text: ({ cpuCount }) => (cpuCount === null ? null : format.number(cpuCount)) },
];

/** Returns how the capture was recorded, in the terms of a comparison's circumstances. */
function conditionRows(facts: CaptureFacts): FactRow[] {
  const shown = new Set(FACTS.map(({ name }) => name));
  return compareCircumstances([facts], [])
    .filter(({ label, before }) => before !== null && !shown.has(label))
    .map(({ label, before }) => ({ name: label, text: visibleText(before!), source: '' }));
}

const seconds = (value: number | null): string | null => (value === null ? null : format.value(value, 'seconds'));

/** Returns the facts about a capture, and those of the part that is compared. */
export function captureFactRows(opened: OpenedCapture | null, row: ComparedCaptureRow | null): FactRow[] {
  const facts = row?.facts ?? opened?.facts ?? null;
  if (facts === null || opened === null) return [];
  const known = FACTS.flatMap(({ fact, name, text }): FactRow[] => {
    const value = text(facts);
    const source = opened.sources[fact];
    return value === null ? [] : [{ name, text: value, source: source === null ? '' : SOURCES[source] }];
  });
  const conditions = conditionRows(facts);
  const grade =
    facts.quality === undefined
      ? []
      : [{ name: 'quality', text: describeQuality(facts.quality), source: qualityLines(facts.quality).join('\n') }];
  return [...grade, ...(row === null ? [] : weightRows(row)), ...known, ...conditions];
}

function weightRows({
  weight,
  valueType,
  sampleCount,
  hidden,
  withoutTime,
  lacksThreads,
  leftOut,
}: ComparedCaptureRow) {
  const weightText = (value: number): string => visibleText(format.value(value, valueType.unit));
  const rows: FactRow[] = [
    { name: visibleText(valueType.type.slice(0, 200)), text: weightText(weight), source: 'selected, after transforms' },
    { name: 'samples', text: format.number(sampleCount), source: 'selected' },
  ];
  const add = (isSo: boolean, name: string, text: string): void => {
    if (isSo) rows.push({ name, text, source: '' });
  };
  add(hidden !== 0, 'hidden', weightText(hidden));
  add(withoutTime !== 0, 'without a timestamp', format.number(withoutTime));
  add(lacksThreads, 'threads', 'none of the selected');
  add(leftOut, 'left out', 'its host is on this side only');
  return rows;
}
