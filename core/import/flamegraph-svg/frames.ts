import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';
import { withoutEntities } from '../text/entities.ts';

/** A frame of a picture; positions are in the picture's own unit. */
export interface SvgFrame {
  readonly name: string;
  /** Including everything that it called. */
  readonly count: number;
  /** `samples`, `bytes`… */
  readonly countName: string;
  readonly left: number;
  readonly width: number;
  /** Position of its upper edge; increases downwards. */
  readonly top: number;
}

const FRAME = /<title>([^<]*)<\/title>\s*<rect\s([^<>]*)>/g;
/** `name (1,234 samples, 5.67%)`; in differential graphs `…; +0.12%)`. */
const TITLE = /^(.*) \(([\d,]+(?:\.\d+)?) ([^,()]*), [\d.]+%(;[^()]*)?\)$/s;
const ATTRIBUTE = /(?:^|\s)((?:f[gl]:)?\w+)="([^"]*)"/g;

/** Returns every frame that has a count and a position; others are counted. */
export function readSvgFrames(text: string, diagnostics: DiagnosticCounter): SvgFrame[] {
  const frames: SvgFrame[] = [];
  for (const [, title, attributes] of text.matchAll(FRAME)) {
    const frame = frameOf(withoutEntities(title!), attributes!, diagnostics);
    if (frame === null) diagnostics.add('skipped-frame', 'Frames without a count or a position were skipped.');
    else frames.push(frame);
  }
  return frames;
}

function frameOf(title: string, attributes: string, diagnostics: DiagnosticCounter): SvgFrame | null {
  const [, name, digits, countName, delta] = TITLE.exec(title) ?? [];
  if (name === undefined) return null;
  const values = new Map<string, string>();
  for (const [, key, value] of attributes.matchAll(ATTRIBUTE)) values.set(key!, value!);
  const numberOf = (...keys: readonly string[]): number =>
    Number.parseFloat(keys.map((key) => values.get(key)).find((value) => value !== undefined) ?? '');
  const count = Number(digits!.replaceAll(',', ''));
  // inferno states a frame's position in samples; otherwise it is in pixels or percent, rounded.
  const left = numberOf('fg:x', 'fl:x', 'x');
  const width = numberOf('fg:w', 'fl:w', 'width');
  const top = numberOf('y');
  if (![count, left, width, top].every(Number.isFinite)) return null;
  if (delta !== undefined)
    diagnostics.add('deltas', 'Deltas of a differential graph were skipped.', { severity: 'info' });
  if (count > Number.MAX_SAFE_INTEGER) diagnostics.add(...INEXACT_WEIGHT);
  return { name, count, countName: countName!, left, width, top };
}
