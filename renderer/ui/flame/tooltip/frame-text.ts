import { ROOT_LABEL, shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FunctionFacts } from '#core/model/function-facts.ts';
import type { FlameSource, PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { DeltaStyle, DetailLine, WeightFormat } from '../graph.types.ts';
import type { FrameDetail } from './frame-detail.ts';
import { fillerLabel } from '../chart/frame-label.ts';

/** Longer names are shortened in tooltips and announcements; some names are megabytes long. */
const MAX_NAME = 300;

export function fullName(facts: FunctionFacts | null): string {
  return facts === null ? ROOT_LABEL : shortenMiddle(visibleText(facts.name.slice(0, 100_000)), MAX_NAME);
}

/** Maximum length of a whole name; longer ones are shortened in the middle. */
const MAX_WHOLE_NAME = 5000;

export function wholeName(facts: FunctionFacts | null): string {
  return facts === null ? ROOT_LABEL : shortenMiddle(visibleText(facts.name.slice(0, 100_000)), MAX_WHOLE_NAME);
}

/** Returns whether `wholeName` contains more than `fullName`. */
export function isShortened(facts: FunctionFacts | null): boolean {
  return facts !== null && facts.name.length > MAX_NAME;
}

export function titleOf(detail: FrameDetail, format: WeightFormat): string {
  if (detail.frame !== null) return fullName(detail.facts);
  if (detail.fillerNodes === 0) return fullName(detail.pointed);
  return fillerLabel(detail.fillerNodes, format.share(detail.total, detail.rootTotal));
}

/** Returns `file:line`; empty if the file is unknown. */
export function fileAndLine(facts: FunctionFacts | null): string {
  if (facts === null || facts.file === '') return '';
  return shortenMiddle(visibleText(facts.line > 0 ? `${facts.file}:${facts.line}` : facts.file), MAX_NAME);
}

export function moduleOf(facts: FunctionFacts | null): string {
  return facts === null ? '' : shortenMiddle(visibleText(facts.module), MAX_NAME);
}

/** Labels of the self weight and of the parent's share; in a bottom-up tree, a frame's parent is its callee. */
const LABELS: Readonly<Record<FlameSource['direction'], { readonly self: string; readonly parent: string }>> = {
  'top-down': { self: 'self', parent: 'of parent' },
  'bottom-up': { self: 'no caller', parent: 'of callee' },
};

/** Returns self and total, followed by the shares that matter in this view. */
export function detailLines(
  detail: FrameDetail,
  totalWeight: number,
  format: WeightFormat,
  direction: FlameSource['direction'] = 'top-down',
): DetailLine[] {
  const { self, total, rootTotal, parentTotal } = detail;
  if (detail.frame === null && detail.fillerNodes === 0) return [];
  const labels = LABELS[direction];
  // The whole is not measured by a part of the samples.
  const error = (value: number): string => (detail.facts === null ? '' : (format.error?.(value) ?? ''));
  const weight = (value: number): string =>
    `${format.value(value)} · ${format.share(value, totalWeight)}${error(value)}`;
  const lines: DetailLine[] = [];
  if (detail.frame !== null) lines.push({ label: labels.self, text: weight(self) });
  lines.push({ label: 'total', text: weight(total) });
  if (rootTotal !== totalWeight) lines.push({ label: 'of zoomed root', text: format.share(total, rootTotal) });
  if (parentTotal !== null) lines.push({ label: labels.parent, text: format.share(total, parentTotal) });
  return lines;
}

/** Returns one sentence for the live region. */
export function announcement(
  detail: FrameDetail,
  totalWeight: number,
  format: WeightFormat,
  direction: FlameSource['direction'] = 'top-down',
  deltaStyle: DeltaStyle | null = null,
): string {
  const module = moduleOf(detail.facts);
  const lines =
    deltaStyle === null || detail.delta === null
      ? detailLines(detail, totalWeight, format, direction)
      : deltaStyle.lines(detail.delta);
  const said = lines.map(({ label, text }) => `${label} ${text}`);
  const parts = [titleOf(detail, format), ...(module === '' ? [] : [module]), ...said, `depth ${detail.depth}`];
  return parts.join(', ');
}

/** Returns the stack as text, root first, one frame per line. */
export function stackText(path: readonly PathEntry[]): string {
  return path
    .filter((entry) => entry.facts !== null)
    .map((entry) => visibleText(entry.facts!.name))
    .join('\n');
}

/**
 * Returns a stack, given root first, as one folded line. Characters that would end a frame or the line are replaced, as
 * in the folded export.
 */
export function foldedLine(rootFirst: readonly PathEntry[], weight: number): string {
  const names = rootFirst.flatMap(({ facts }) => facts?.name.replaceAll(';', ':').replace(/[\r\n]/g, ' ') ?? []);
  return `${names.join(';')} ${weight}`;
}
