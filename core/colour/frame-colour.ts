import { FunctionKind } from '#core/model/profile.ts';
import type { FunctionFacts } from '#core/model/function-facts.ts';
import type { Theme } from './theme.ts';
import { frameKind, FRAME_KINDS, type FrameKind } from './frame-kind.ts';
import { fromHex, mix, oklch, toHex } from './oklch.ts';
import { baseName } from '../model/base-name.ts';
import { classOf, packageOf } from './package-of.ts';
import { GROUP_COLOURS, HUE_SPREAD, LIGHTNESS_SPREAD, TONES, type Lch } from './palette.ts';

/** By what frames share a colour; `search` colours by whether they match. */
export type ColourMode = 'package' | 'class' | 'module' | 'kind' | 'function' | 'search';

/** Determines the colours of frames. */
export interface ColourScheme {
  readonly mode: ColourMode;
  readonly theme: Theme;
  /** Palette indices of the heaviest groups; other groups use the hash of their label. */
  readonly slots: ReadonlyMap<string, number>;
}

/** A group of frames that share a colour. */
export interface ColourGroup {
  /** Empty if nothing is known to group by. */
  readonly label: string;
  /** The middle of the group's colours, as `#rrggbb`. */
  readonly colour: string;
}

/** Hue of the kernel's blue-grey. */
const NEUTRAL_HUE = 250;
const KERNEL_CHROMA = 0.03;
const SYNTHETIC_CHROMA = 0.008;

export const NO_SLOTS: ColourScheme['slots'] = new Map();

/** Step between successive slots; the palette is ordered by hue, so distant entries differ. */
const NEXT_SLOT = 5;

/**
 * Assigns distinct colours to the first groups while there are any; later groups share colours, those of the heaviest
 * groups last. `functions` is ordered heaviest first.
 */
export function colourSlots(functions: Iterable<FunctionFacts>, mode: ColourMode): ColourScheme['slots'] {
  const slots = new Map<string, number>();
  const taken: number[] = [];
  for (const facts of functions) {
    const label = groupLabel(facts, mode);
    if (label === '' || slots.has(label) || !hasGroupColour(facts, mode)) continue;
    if (taken.length < GROUP_COLOURS) {
      let slot = hash(label) % GROUP_COLOURS;
      while (taken.includes(slot)) slot = (slot + NEXT_SLOT) % GROUP_COLOURS;
      taken.push(slot);
    }
    const place = slots.size % GROUP_COLOURS;
    slots.set(label, taken[slots.size < GROUP_COLOURS ? place : GROUP_COLOURS - 1 - place]!);
  }
  return slots;
}

/** Returns a function that maps functions to `#rrggbb` and caches the results. */
export function frameColours(scheme: ColourScheme): (facts: FunctionFacts) => string {
  const { mode } = scheme;
  const known = new Map<string, string>();
  return (facts) => {
    const key = `${frameKind(facts)}\u0000${groupLabel(facts, mode)}\u0000${facts.name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const spread = fraction(facts.name);
    const [lightness, chroma, hue] = groupColour(facts, scheme);
    const hueSpread = mode === 'kind' ? 0 : spread * HUE_SPREAD;
    const colour = toHex(oklch(lightness + spread * LIGHTNESS_SPREAD, chroma, hue + hueSpread));
    known.set(key, colour);
    return colour;
  };
}

/** Returns what a function's colour represents: the label of its group. */
export function colourLabel(facts: FunctionFacts, mode: ColourMode): string {
  const isKernel = isOfCode(mode) && frameKind(facts) === 'kernel';
  return isKernel ? FRAME_KINDS.kernel : groupLabel(facts, mode);
}

/** Returns the group of a function's colour. */
export function colourGroup(facts: FunctionFacts, scheme: ColourScheme): ColourGroup {
  const { mode } = scheme;
  const [lightness, chroma, hue] = groupColour(facts, scheme);
  const middle = oklch(lightness + LIGHTNESS_SPREAD / 2, chroma, hue + (mode === 'kind' ? 0 : HUE_SPREAD / 2));
  return { label: colourLabel(facts, mode), colour: toHex(middle) };
}

/**
 * Returns the group for the legend. Code without a symbol has a paler variant of its module's colour and its own label.
 */
export function legendGroup(facts: FunctionFacts, scheme: ColourScheme): ColourGroup {
  const group = colourGroup(facts, scheme);
  const isOfModule = isOfCode(scheme.mode) && group.label !== '';
  return isOfModule && frameKind(facts) === 'unresolved'
    ? { ...group, label: `${group.label}, ${FRAME_KINDS.unresolved}` }
    : group;
}

/** Returns the colour of a kind of code as `#rrggbb`. */
export function kindColour(kind: FrameKind, theme: Theme): string {
  const [lightness, chroma, hue] = TONES[theme].kinds[kind];
  return toHex(oklch(lightness + LIGHTNESS_SPREAD / 2, chroma, hue));
}

function groupColour(facts: FunctionFacts, { mode, theme, slots }: ColourScheme): Lch {
  const tone = TONES[theme];
  const kind = frameKind(facts);
  if (mode === 'search') return [tone.lightness, SYNTHETIC_CHROMA, NEUTRAL_HUE];
  if (mode === 'kind') return tone.kinds[kind];
  if (kind === 'kernel') return [tone.lightness, KERNEL_CHROMA, NEUTRAL_HUE];
  const group = groupLabel(facts, mode);
  if (group === '' || isSynthetic(facts)) return [tone.lightness, SYNTHETIC_CHROMA, NEUTRAL_HUE];
  const [lightness, chroma, hue] = tone.groups[slots.get(group) ?? hash(group) % GROUP_COLOURS]!;
  return [lightness, kind === 'unresolved' ? chroma / 2 : chroma, hue];
}

/** Returns whether a frame has its group's colour; others are grey or have the colour of their kind. */
const hasGroupColour = (facts: FunctionFacts, mode: ColourMode): boolean =>
  mode !== 'search' && mode !== 'kind' && frameKind(facts) !== 'kernel' && !isSynthetic(facts);

const isOfCode = (mode: ColourMode): boolean => mode === 'package' || mode === 'class' || mode === 'module';

const isSynthetic = (facts: FunctionFacts): boolean => facts.kind === FunctionKind.synthetic;

/** Returns the colour of the tree's root and of fillers. */
export function neutralColour(theme: Theme): string {
  return toHex(oklch(TONES[theme].lightness, KERNEL_CHROMA, NEUTRAL_HUE));
}

/** Returns the colour of matches when frames are coloured by search. */
export function matchColour(theme: Theme): string {
  return toHex(oklch(...TONES[theme].match));
}

const DIMMED_SHARE = 0.16;

/** Returns the colour of a frame that does not match the search: most of the way to the background. */
export function dimmed(colour: string, theme: Theme): string {
  return toHex(mix(fromHex(colour), fromHex(TONES[theme].background), DIMMED_SHARE));
}

function groupLabel(facts: FunctionFacts, mode: ColourMode): string {
  switch (mode) {
    case 'kind':
      return FRAME_KINDS[frameKind(facts)];
    case 'module':
      return facts.module === '' ? baseName(facts.file) : baseName(facts.module);
    case 'function':
      return facts.name.slice(0, 500);
    case 'search':
      return '';
    case 'package':
      return packageOf(facts);
    case 'class':
      return classOf(facts);
  }
}

/**
 * Hashes at most the first 500 UTF-16 units with FNV-1a and the final mix of MurmurHash3, because the low bits of FNV
 * alone cluster in a few hues.
 */
function hash(text: string): number {
  let state = 0x811c9dc5;
  const length = Math.min(text.length, 500);
  for (let index = 0; index < length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

function fraction(text: string): number {
  return (hash(text) % 1000) / 1000;
}
