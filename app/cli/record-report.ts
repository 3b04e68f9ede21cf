import { extname } from 'node:path';
import type { CaptureDocument, RecordingStatus } from '#core/contract/schemas.ts';
import { formatValue } from '#core/units/format.ts';
import { quoteArgv } from '#collectors/target/quote-argv.ts';
import { escapeControls } from './escape-controls.ts';

/** A kept capture and where it is. */
export interface KeptCapture {
  readonly document: CaptureDocument;
  /** The file that the next commands read. */
  readonly file: string;
}

/** One line that is written over while a recording runs. */
export function describeProgress({ state, elapsedMs, samples, lost, bytes, run, runs }: RecordingStatus): string {
  const parts = [
    runs > 1 ? `${state} ${run + 1}/${runs}` : state,
    `${(elapsedMs / 1000).toFixed(1)} s`,
    `${samples.toLocaleString('en')} samples`,
    ...(lost > 0 ? [`${lost.toLocaleString('en')} lost`] : []),
    formatValue(bytes, 'bytes'),
  ];
  return `${parts.join(' · ')}${state === 'recording' ? ' (Ctrl-C stops and keeps)' : ''}`;
}

/** What was recorded, how good it is, and what to do next. */
export function reportCaptures(kept: readonly KeptCapture[]): string {
  const lines = kept.flatMap(({ document, file }) => [
    describeCapture(document),
    ...describeQuality(document),
    `  ${file}`,
  ]);
  const [first] = kept;
  const next =
    first === undefined
      ? []
      : ['', `Next: ${quoteArgv(['flamebench', 'top', first.file])}`, `      flamebench open ${first.document.id}`];
  return [...lines, ...next, ''].map((line) => escapeControls(line)).join('\n');
}

function describeCapture({ name, samples, lostSamples, durationMs, event, incomplete }: CaptureDocument): string {
  const facts = [
    `${(samples ?? 0).toLocaleString('en')} samples of ${event ?? 'an unknown event'}`,
    `${((durationMs ?? 0) / 1000).toFixed(1)} s`,
    `${(lostSamples ?? 0).toLocaleString('en')} lost`,
  ];
  return `${name}: ${facts.join(', ')}${incomplete ? ' (incomplete)' : ''}`;
}

function describeQuality({ diagnostics }: CaptureDocument): string[] {
  return diagnostics.map(({ severity, message, remedy }) => {
    const what = remedy === null ? message : `${message} ${remedy}`;
    return `  ${severity === 'warning' ? 'warning' : 'note'}: ${what}`;
  });
}

/** `{captures: [{file, …capture.json}]}` */
export function capturesAsJson(kept: readonly KeptCapture[]): string {
  return `${JSON.stringify({ captures: kept.map(({ document, file }) => ({ file, ...document })) }, null, 2)}\n`;
}

/** `out.txt` for one run, `out-1.txt`, `out-2.txt`… for several. */
export function outputName(path: string, run: number, runs: number): string {
  if (runs === 1) return path;
  const ending = extname(path);
  return `${path.slice(0, path.length - ending.length)}-${run + 1}${ending}`;
}
