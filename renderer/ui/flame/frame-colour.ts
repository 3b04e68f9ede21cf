import { FunctionKind } from '#core/model/profile.ts';
import type { FunctionFacts } from '#core/analyze/graph/flame-slice.ts';
import type { Theme } from './flame-graph.types.ts';
import { frameKind, FRAME_KINDS } from './frame-kind.ts';
import type { FrameKind } from './frame-kind.ts';
import { fromHex, mix, oklch, toHex } from './oklch.ts';
import { baseName, packageOf } from './package-of.ts';
import { GROUP_COLOURS, HUE_SPREAD, LIGHTNESS_SPREAD, TONES, type Lch } from './palette.ts';

/** By what frames share a colour. `search`: by whether they match. */
export type ColourMode = 'package' | 'module' | 'kind' | 'function' | 'search';

/** How frames get their colours. */
export interface ColourScheme {
  readonly mode: ColourMode;
  readonly theme: Theme;
  /** Places in the palette of the groups that weigh most; all others have that of their label's hash. */
  readonly slots: ReadonlyMap<string, number>;
}

/** What frames of one colour have in common. */
export interface ColourGroup {
  /** Empty where nothing is known to group by. */
  readonly label: string;
  /** `#rrggbb` in the middle of its frames' colours. */
  readonly colour: string;
}

/** Blue-grey is the kernel's. */
const NEUTRAL_HUE = 250;
const KERNEL_CHROMA = 0.03;
const SYNTHETIC_CHROMA = 0.008;

export const NO_SLOTS: ColourScheme['slots'] = new Map();

/** Far from one another in the palette's order, which is that of hues. */
const NEXT_SLOT = 5;

/**
 * Different colours for the first groups, as many as there are; those after them share, the heaviest colours last. `functions`: those that
 * weigh most first.
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

/** A `#rrggbb` per function; remembers what it worked out. */
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

/** What a function's colour stands for, in words: its group's label. */
export function colourLabel(facts: FunctionFacts, mode: ColourMode): string {
  const isKernel = (mode === 'package' || mode === 'module') && frameKind(facts) === 'kernel';
  return isKernel ? FRAME_KINDS.kernel : groupLabel(facts, mode);
}

/** What a function's colour stands for. */
export function colourGroup(facts: FunctionFacts, scheme: ColourScheme): ColourGroup {
  const { mode } = scheme;
  const [lightness, chroma, hue] = groupColour(facts, scheme);
  const middle = oklch(lightness + LIGHTNESS_SPREAD / 2, chroma, hue + (mode === 'kind' ? 0 : HUE_SPREAD / 2));
  return { label: colourLabel(facts, mode), colour: toHex(middle) };
}

/** As the legend has it: code without a symbol has its module's colour, but paler, and a name of its own. */
export function legendGroup(facts: FunctionFacts, scheme: ColourScheme): ColourGroup {
  const group = colourGroup(facts, scheme);
  const isOfModule = (scheme.mode === 'package' || scheme.mode === 'module') && group.label !== '';
  return isOfModule && frameKind(facts) === 'unresolved'
    ? { ...group, label: `${group.label}, ${FRAME_KINDS.unresolved}` }
    : group;
}

/** `#rrggbb` of a kind of code, as frames of it have it. */
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

/** Others are grey, or have the colour of their kind. */
const hasGroupColour = (facts: FunctionFacts, mode: ColourMode): boolean =>
  mode !== 'search' && mode !== 'kind' && frameKind(facts) !== 'kernel' && !isSynthetic(facts);

const isSynthetic = (facts: FunctionFacts): boolean => facts.kind === FunctionKind.synthetic;

/** Colour of the tree's root and of fillers. */
export function neutralColour(theme: Theme): string {
  return toHex(oklch(TONES[theme].lightness, KERNEL_CHROMA, NEUTRAL_HUE));
}

/** Of what a search matches, where colour tells nothing else. */
export function matchColour(theme: Theme): string {
  return toHex(oklch(...TONES[theme].match));
}

const DIMMED_SHARE = 0.16;

/** What a frame that a search does not match looks like: most of the way to the background. */
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
  }
}

/** FNV-1a over UTF-16 units, at most the first 500, then mixed as MurmurHash3 ends: FNV's low bits alone crowd a few hues. */
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
