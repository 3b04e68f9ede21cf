import { FunctionKind } from '#core/model/profile.ts';
import type { FlameSlice, FunctionFacts, Theme } from './flame-graph.types.ts';
import { codeKind, CODE_KINDS, type CodeKind } from './code-kind.ts';
import { fromHex, mix, oklch, toHex } from './oklch.ts';

/** By what frames share a colour. `search`: by whether they match. */
export type ColourMode = 'package' | 'module' | 'kind' | 'function' | 'search';

/** What frames of one colour have in common. */
export interface ColourGroup {
  /** Empty where nothing is known to group by. */
  readonly label: string;
  /** `#rrggbb` in the middle of its frames' colours. */
  readonly colour: string;
}

type Lch = readonly [lightness: number, chroma: number, hue: number];

/** Blue-grey is the kernel's. */
const NEUTRAL_HUE = 250;

interface Tone {
  readonly lightness: number;
  readonly background: string;
  /**
   * Of packages, modules and functions, chosen by search for the greatest least distance in OKLab from one another and from the kernel's
   * grey, also as protanopes and deuteranopes see them: hues of one lightness run together for those.
   */
  readonly groups: readonly Lch[];
  /**
   * Chosen by search for the greatest least distance in OKLab, also as protanopes, deuteranopes and tritanopes see them
   * (Machado, Oliveira, Fernandes: "A physiologically-based model for simulation of color vision deficiency", 2009).
   */
  readonly kinds: Readonly<Record<CodeKind, Lch>>;
  readonly match: Lch;
}

/** The background is the graph's own (`--bg`), for dimming. */
const TONES: Readonly<Record<Theme, Tone>> = {
  dark: {
    lightness: 0.72,
    groups: [
      [0.795, 0.085, 160],
      [0.645, 0.11, 280],
      [0.72, 0.06, 150],
      [0.664, 0.11, 20],
      [0.72, 0.11, 290],
      [0.795, 0.11, 130],
      [0.795, 0.06, 210],
      [0.683, 0.06, 280],
      [0.664, 0.11, 100],
      [0.72, 0.125, 100],
      [0.645, 0.11, 180],
      [0.795, 0.11, 280],
    ],
    background: '#0f1216',
    match: [0.78, 0.14, 70],
    kinds: {
      user: [0.74, 0.13, 40],
      kernel: [0.74, 0.02, 250],
      jit: [0.84, 0.07, 160],
      inlined: [0.84, 0.13, 80],
      interpreted: [0.64, 0.1, 250],
      lua: [0.74, 0.13, 250],
      'go-runtime': [0.64, 0.13, 70],
      unresolved: [0.6, 0, 250],
      other: [0.67, 0, 250],
    },
  },
  light: {
    lightness: 0.8,
    groups: [
      [0.744, 0.125, 280],
      [0.819, 0.125, 250],
      [0.763, 0.06, 260],
      [0.856, 0.125, 130],
      [0.744, 0.085, 350],
      [0.725, 0.125, 100],
      [0.8, 0.125, 100],
      [0.875, 0.085, 190],
      [0.875, 0.06, 30],
      [0.856, 0.085, 230],
      [0.744, 0.125, 20],
      [0.8, 0.06, 30],
    ],
    background: '#f5f6f8',
    match: [0.78, 0.15, 60],
    kinds: {
      user: [0.7, 0.13, 70],
      kernel: [0.8, 0.02, 250],
      jit: [0.9, 0.1, 150],
      inlined: [0.85, 0.13, 80],
      interpreted: [0.75, 0.13, 310],
      lua: [0.9, 0.07, 320],
      'go-runtime': [0.75, 0.1, 150],
      unresolved: [0.64, 0, 250],
      other: [0.7, 0, 250],
    },
  },
};

const KERNEL_CHROMA = 0.03;
const SYNTHETIC_CHROMA = 0.008;

/** Spread of one colour's frames, so that neighbours of a package still read as separate frames. */
const LIGHTNESS_SPREAD = 0.03;
const HUE_SPREAD = 8;

/** A `#rrggbb` per function; remembers what it worked out. */
export function frameColours(mode: ColourMode, theme: Theme): (facts: FunctionFacts) => string {
  const known = new Map<string, string>();
  return (facts) => {
    const key = `${codeKind(facts)}\u0000${groupLabel(facts, mode)}\u0000${facts.name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const spread = fraction(facts.name);
    const [lightness, chroma, hue] = groupColour(facts, mode, theme);
    const hueSpread = mode === 'kind' ? 0 : spread * HUE_SPREAD;
    const colour = toHex(oklch(lightness + spread * LIGHTNESS_SPREAD, chroma, hue + hueSpread));
    known.set(key, colour);
    return colour;
  };
}

/** What a function's colour stands for. */
export function colourGroup(facts: FunctionFacts, mode: ColourMode, theme: Theme): ColourGroup {
  const [lightness, chroma, hue] = groupColour(facts, mode, theme);
  const middle = oklch(lightness + LIGHTNESS_SPREAD / 2, chroma, hue + (mode === 'kind' ? 0 : HUE_SPREAD / 2));
  const isKernel = (mode === 'package' || mode === 'module') && codeKind(facts) === 'kernel';
  return { label: isKernel ? CODE_KINDS.kernel : groupLabel(facts, mode), colour: toHex(middle) };
}

function groupColour(facts: FunctionFacts, mode: ColourMode, theme: Theme): Lch {
  const tone = TONES[theme];
  const kind = codeKind(facts);
  if (mode === 'search') return [tone.lightness, SYNTHETIC_CHROMA, NEUTRAL_HUE];
  if (mode === 'kind') return tone.kinds[kind];
  if (kind === 'kernel') return [tone.lightness, KERNEL_CHROMA, NEUTRAL_HUE];
  const group = groupLabel(facts, mode);
  if (group === '' || isSynthetic(facts)) return [tone.lightness, SYNTHETIC_CHROMA, NEUTRAL_HUE];
  const [lightness, chroma, hue] = tone.groups[hash(group) % tone.groups.length]!;
  return [lightness, kind === 'unresolved' ? chroma / 2 : chroma, hue];
}

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

export interface LegendEntry extends ColourGroup {
  /** Of what fills the width: weight of the stacks that pass through one of its drawn frames. */
  readonly weight: number;
}

/** The groups of what is drawn, the heaviest first. */
export function legendOf({ slice, func, functions }: FlameSlice, mode: ColourMode, theme: Theme): LegendEntry[] {
  const groups = new Map<number, ColourGroup & { readonly key: string }>();
  for (const [row, facts] of functions) {
    const group = colourGroup(facts, mode, theme);
    groups.set(row, { ...group, key: `${group.label}\u0000${group.colour}` });
  }
  const entries = new Map<string, { label: string; colour: string; weight: number }>();
  for (let row = 0; row < slice.length; row++) {
    const group = groups.get(func[row]!);
    if (group === undefined) continue;
    const entry = entries.get(group.key) ?? { label: group.label, colour: group.colour, weight: 0 };
    entries.set(group.key, entry);
    let above = slice.parent[row]!;
    while (above >= 0 && groups.get(func[above]!)?.key !== group.key) above = slice.parent[above]!;
    if (above < 0) entry.weight += slice.total[row]!;
  }
  return [...entries.values()].sort((a, b) => b.weight - a.weight);
}

/** Entries whose label has what is sought, whatever its case. */
export function legendMatches(entries: readonly LegendEntry[], query: string): readonly LegendEntry[] {
  const sought = query.trim().toLowerCase();
  return sought === '' ? entries : entries.filter(({ label }) => label.toLowerCase().includes(sought));
}

function groupLabel(facts: FunctionFacts, mode: ColourMode): string {
  switch (mode) {
    case 'kind':
      return CODE_KINDS[codeKind(facts)];
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

/** Compilers append these to C and Rust symbols, linkers a version (`f@GLIBC_2.34`); the dot is no package separator. */
const COMPILER_SUFFIX = /@.*$|\.(?:isra|part|constprop|cold|llvm|lto_priv|localalias|str|clone)\b.*$/;

/**
 * The package that a function belongs to, as far as its name tells: Go and Java packages, the outermost C++ or Rust namespace;
 * else the module's file name, else the source file.
 */
export function packageOf(facts: FunctionFacts): string {
  const head = facts.name.slice(0, 500).split(/[(<[{]/, 1)[0]!;
  const namespace = /(?:^|[\s*&])([A-Za-z_]\w*)::/.exec(head);
  if (namespace !== null) return namespace[1]!;
  const path = head.replace(COMPILER_SUFFIX, '');
  const slash = path.lastIndexOf('/');
  const dot = path.indexOf('.', slash + 1);
  if (dot > 0 && !path.includes(' ')) {
    const isType = slash > 0 && /[A-Z]/.test(path[slash + 1] ?? '');
    return path.slice(0, isType ? slash : dot);
  }
  return facts.module === '' ? facts.file : baseName(facts.module);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
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
