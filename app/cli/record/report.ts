import { extname } from 'node:path';
import type { CaptureDocument, RecordingStatus } from '#core/contract/schemas.ts';
import { withFailurePage } from '#core/contract/failure-pages.ts';
import { correctedRecording, recordArgv } from '#core/contract/corrected-recording.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import { describeQuality } from '#core/model/quality-grade.ts';
import { countText, formatValue } from '#core/units/format.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { percent } from '#app/engine/recording/overhead.ts';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { libraryWords } from '../library/library-option.ts';
import { jsonText } from '../output/json-text.ts';
import { isQuiet } from '../output/terminal.ts';
import { recurrences } from '../output/warn-of-diagnostics.ts';

/** A kept capture and its location. */
export interface KeptCapture {
  readonly document: CaptureDocument;
  /** The file that later commands read. */
  readonly file: string;
}

/** Returns the progress line of a running recording. */
export function describeProgress(status: RecordingStatus): string {
  const { state, side, elapsedMs, samples, lost, bytes, run, runs, hosts } = status;
  const alike = hosts.filter((host) => host.state === state).length;
  const parts = [
    ...(hosts.length > 1 ? [`${alike} of ${hosts.length} hosts`] : []),
    runs > 1 ? `${state} ${side === undefined ? '' : `${side}, `}${run + 1}/${runs}` : state,
    `${(elapsedMs / 1000).toFixed(1)} s`,
    countText(samples, 'sample'),
    ...(lost > 0 ? [`${lost.toLocaleString('en')} lost`] : []),
    formatValue(bytes, 'bytes'),
  ];
  return `${parts.join(' · ')}${state === 'recording' ? ' (Ctrl-C stops and keeps)' : ''}`;
}

/**
 * Reports what was recorded and its quality; unless the command is quiet, also notes and the next step. `isHalf` means
 * that the experiment's after side is still to be recorded.
 */
export function reportCaptures(
  kept: readonly KeptCapture[],
  experimentId: string | null,
  isHalf: boolean,
  library: string | undefined,
): string {
  const othersWith = recurrences(kept.map(({ document }) => document));
  const told = new Set<string>();
  const once = (line: string): boolean => {
    const isNew = !told.has(line);
    told.add(line);
    return isNew;
  };
  const lines = kept.flatMap(({ document, file }, place) => [
    describeCapture(document),
    ...describeGrade(document),
    ...(isQuiet() ? [] : betterLines(document).filter(once)),
    ...(isQuiet() ? [] : describeDiagnostics(document, (diagnostic) => othersWith(place, diagnostic))),
    `  ${file}`,
  ]);
  const next = isQuiet() ? [] : nextLines(kept, experimentId, isHalf, libraryWords(library));
  return [...lines, ...next, ''].map((line) => escapeControls(line)).join('\n');
}

/** Returns what each host's recording cost it, in one line. */
export function describeOverheads(kept: readonly KeptCapture[]): string {
  const shares = kept.map(({ document: { target, circumstances } }) => {
    const share = circumstances?.overhead ?? null;
    return `${target?.host ?? 'this machine'} ${share === null ? 'unknown' : percent(share)}`;
  });
  return escapeControls(`Overhead, as a share of the host’s CPU time: ${shares.join(', ')}.`);
}

function nextLines(
  kept: readonly KeptCapture[],
  experimentId: string | null,
  isHalf: boolean,
  library: readonly string[],
): string[] {
  const id = experimentId ?? kept[0]?.document.id;
  if (id === undefined || kept.every(({ document }) => document.samples === 0)) return [];
  const next = experimentId === null ? `top ${id}` : isHalf ? `record … --into ${id} --side after` : `diff ${id}`;
  const of = library.length === 0 ? '' : ` ${quoteArgv(library)}`;
  return ['', `Next: flamebench ${next}${of}`, `      flamebench open ${id}${of}`];
}

function describeCapture({ name, samples, lostSamples, durationMs, event, incomplete }: CaptureDocument): string {
  const facts = [
    `${countText(samples ?? 0, 'sample')} of ${event ?? 'an unknown event'}`,
    ...(durationMs === null ? [] : [`${(durationMs / 1000).toFixed(1)} s`]),
    `${(lostSamples ?? 0).toLocaleString('en')} lost`,
  ];
  return `${name}: ${facts.join(', ')}${incomplete ? ' (incomplete)' : ''}`;
}

/** `othersWith` counts the other captures with a diagnostic; null if an earlier one stated it. */
function describeDiagnostics(
  { diagnostics }: CaptureDocument,
  othersWith: (diagnostic: Diagnostic) => number | null,
): string[] {
  return diagnostics.flatMap((diagnostic) => {
    const others = othersWith(diagnostic);
    if (others === null) return [];
    const { severity, message, remedy } = diagnostic;
    const label = severity === 'warning' ? 'warning' : 'note';
    const said = remedy === null ? message : `${message} ${remedy}`;
    const what = severity === 'warning' ? withFailurePage(said, diagnostic.code) : said;
    return [`  ${label}${others === 0 ? '' : ` (and in ${others} more)`}: ${what}`];
  });
}

/** Describes the capture's quality. */
function describeGrade({ quality }: CaptureDocument): string[] {
  return quality === undefined ? [] : [`  quality ${describeQuality(quality)}`];
}

/** Returns the command that would record better, if any. Redacted words stay redacted for the user to restore. */
export function betterLines(document: CaptureDocument): string[] {
  const corrected = correctedRecording(document);
  if (corrected === null) return [];
  const target = document.target?.kind === 'ssh' ? `ssh://${document.target.host}` : LOCAL_TARGET;
  return [`  better: ${quoteArgv(recordArgv(corrected.options, target))}`];
}

/** Returns `{captures: [{file, …capture.json}]}`, with `experiment` if they belong to one. */
export function capturesAsJson(kept: readonly KeptCapture[], experimentId: string | null): string {
  const captures = kept.map(({ document, file }) => ({ file, ...document }));
  return jsonText({ captures, ...(experimentId === null ? {} : { experiment: experimentId }) });
}

/**
 * Returns the name of an output file: `out.txt` for one run; `out-1.txt`, `out-2.txt`… for several; `out-before-1.txt`
 * for a side; with a host, `out-web1.txt` or `out-web1-1.txt`. All go to stdout (`-`).
 */
export function outputName(path: string, series: CaptureDocument['series'], host: string | null): string {
  if (path === STDIO) return path;
  const ending = extname(path);
  const marks = [host?.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_') ?? null, series === null ? null : runMark(series)];
  const known = marks.filter((mark) => mark !== null).map((mark) => `-${mark}`);
  return `${path.slice(0, path.length - ending.length)}${known.join('')}${ending}`;
}

function runMark({ run, side }: NonNullable<CaptureDocument['series']>): string {
  return side === undefined ? `${run + 1}` : `${side}-${Math.floor(run / 2) + 1}`;
}
