import { FROM_NEGATIVE } from '#core/compare/describe-change.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import { VERDICT_WORDS, type ShownVerdict } from '#core/compare/verdict-words.ts';
import type { FrameDelta } from '#core/analyze/graph/flame-slice.ts';
import type { DeltaStyle, DetailLine, Theme } from '../graph.types.ts';
import { deltaColour } from '#core/compare/delta-colour.ts';
import { deltaGroupOf, presenceOf, verdictOf, type DeltaGroup } from '#core/compare/frame-delta.ts';

/** The frames that a legend entry highlights: one colour, or frames that one side lacks. */
export type LitFrames = DeltaGroup | 'only-before' | 'only-after';

/** Filled if certain, hollow if *maybe*, so that they are readable without colour. */
export const SIGNS: Readonly<Record<DeltaGroup, string>> = {
  grew: '▲',
  shrank: '▼',
  'may-have-grown': '△',
  'may-have-shrunk': '▽',
  grey: '',
};

/** Signs of a live view's frames that have not changed, or of which that is not known. */
export const LIVE_SIGNS: Readonly<Partial<Record<ShownVerdict, string>>> = { same: '=', 'needs-samples': '⋯' };

/**
 * Returns the appearance of a comparison's frames, with totals per path. `reason` says why verdicts are at most
 * *maybe*; with `lit`, only those frames keep their colour. A live view has the words of its table: `new`, `gone`.
 */
export function deltaStyle(
  theme: Theme,
  text: ValueText,
  reason: string | null,
  lit: LitFrames | null,
  isLive = false,
): DeltaStyle {
  return {
    colour: (delta) => deltaColour(delta, theme),
    isGrey: (delta) => deltaGroupOf(delta) === 'grey',
    isLit: (delta) => lit === null || lit === deltaGroupOf(delta) || lit === presenceOf(delta),
    sign: (delta) => signOf(delta),
    tails: (delta) => tailsOf(delta, text, isLive),
    lines: (delta) => deltaLines(delta, text, reason, isLive),
  };
}

function signOf(delta: FrameDelta): string {
  const group = deltaGroupOf(delta);
  const sign = LIVE_SIGNS[verdictOf(delta)] ?? SIGNS[group];
  return sign === '' ? '' : `${sign} `;
}

function tailsOf(delta: FrameDelta, text: ValueText, isLive: boolean): string[] {
  const presence = presenceOf(delta);
  const change = relativeChange(delta.before, delta.after, text);
  if (presence !== 'both') return [...(isLive ? [] : [` · ${presenceText(presence)}`]), ` · ${change}`];
  return deltaGroupOf(delta) === 'grey' ? [] : [` ${change}`];
}

export const presenceText = (presence: 'only-before' | 'only-after'): string =>
  presence === 'only-before' ? 'only before' : 'only after';

/** Returns the relative change, such as `+12.3 %`; `new` if it was zero before, `gone` if it is zero after. */
export function relativeChange(before: number, after: number, text: ValueText): string {
  if (before === after) return text.relative(0);
  if (before === 0) return 'new';
  if (after === 0) return 'gone';
  return before < 0 ? FROM_NEGATIVE : text.relative((after - before) / before);
}

/** Describes both sides' weights of a frame for a screen reader. */
function deltaLines(delta: FrameDelta, text: ValueText, reason: string | null, isLive: boolean): DetailLine[] {
  const later = isLive ? 'now' : 'after';
  const { before, after, selfBefore, selfAfter } = delta;
  const both = (from: number, to: number): string =>
    `${text.value(from)} before, ${text.value(to)} ${later}, ${text.delta(to - from)}, ${relativeChange(from, to, text)}`;
  const presence = presenceOf(delta);
  return [
    { label: 'self', text: both(selfBefore, selfAfter) },
    { label: 'total', text: both(before, after) },
    ...(presence === 'both' || isLive
      ? []
      : [{ label: presenceText(presence), text: `not in ${otherSide(presence)}` }]),
    { label: 'verdict', text: verdictWords(delta, reason) },
  ];
}

const otherSide = (presence: 'only-before' | 'only-after'): string => (presence === 'only-before' ? 'after' : 'before');

function verdictWords(delta: FrameDelta, reason: string | null): string {
  const verdict = verdictOf(delta);
  if (verdict !== 'suggestive') return VERDICT_WORDS[verdict];
  const words = deltaGroupOf(delta) === 'may-have-grown' ? 'may have grown' : 'may have shrunk';
  return reason === null ? words : `${words} (${reason})`;
}
