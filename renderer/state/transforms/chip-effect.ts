import { describeFound } from '#core/analyze/transforms/describe-transform.ts';
import { isReading, type NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { count, format } from '../../ui/format.ts';
import type { Analysis } from '../../analysis/profile/protocol.ts';

/** The effect of a transform, as its chip shows it. */
export interface ChipEffect {
  /** `−12.3 %`, `214 functions`, `finds nothing` or `off`. */
  readonly text: string;
  /** The same as a sentence. */
  readonly title: string;
  readonly nothing: boolean;
}

/** Returns the effect of each transform; empty if the analysis has other transforms. */
export function chipEffects(
  transforms: readonly NamedTransform[],
  { found, hiddenBy, total, hidden }: Pick<Analysis, 'found' | 'hiddenBy' | 'total' | 'hidden'>,
  unit: string,
): readonly ChipEffect[] {
  if (found.length !== transforms.length) return [];
  return transforms.map((transform, index) => {
    const finds = found[index] ?? null;
    const hides = hiddenBy[index] ?? 0;
    if (finds === null) return { text: 'off', title: 'Switched off.', nothing: false };
    const leftOut = `${format.value(hides, unit)} (${format.share(hides, total + hidden)} of the total)`;
    const title =
      hides === 0
        ? `Found ${describeFound(transform, finds)}; nothing hidden.`
        : `Found ${describeFound(transform, finds)}; hides ${leftOut}.`;
    if (finds === 0) return { text: 'finds nothing', title, nothing: true };
    const text = hides === 0 ? foundText(transform, finds) : `−${format.share(hides, total + hidden)}`;
    return { text, title, nothing: false };
  });
}

/** Returns what was found; empty if the chip shows it already: one function, or a whole path. */
function foundText(transform: NamedTransform, found: number): string {
  if ('on' in transform && transform.on.by === 'path') {
    return found < transform.on.path.length ? describeFound(transform, found) : '';
  }
  if (isReading(transform)) return describeFound(transform, found);
  const isOne = 'on' in transform && transform.on.by === 'function' && found === 1;
  return isOne ? '' : `${count(found)} fn`;
}
