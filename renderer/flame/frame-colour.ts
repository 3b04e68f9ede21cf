import { FunctionKind } from '#core/model/profile.ts';
import type { FunctionFacts, Theme } from './flame-graph.types.ts';
import { fromHex, mix, oklch, toHex } from './oklch.ts';

/** By what frames share a hue. */
export type ColourMode = 'package' | 'module' | 'kind';

/** Of equal lightness, and far enough apart to be told from their neighbours. Blue-grey (250) is the kernel's. */
const HUES = [38, 205, 150, 20, 330, 95, 58, 175, 300, 120, 350, 225] as const;
const NEUTRAL_HUE = 250;

interface Tone {
  readonly lightness: number;
  readonly chroma: number;
  readonly background: string;
}

/** The background is the graph's own (`--bg`), for dimming. */
const TONES: Readonly<Record<Theme, Tone>> = {
  dark: { lightness: 0.72, chroma: 0.085, background: '#0f1216' },
  light: { lightness: 0.8, chroma: 0.085, background: '#f5f6f8' },
};

const KERNEL_CHROMA = 0.03;
const SYNTHETIC_CHROMA = 0.008;

/** Spread of one hue's frames, so that neighbours of a package still read as separate frames. */
const LIGHTNESS_SPREAD = 0.06;
const HUE_SPREAD = 14;

/** A `#rrggbb` per function; remembers what it worked out. */
export function frameColours(mode: ColourMode, theme: Theme): (facts: FunctionFacts) => string {
  const known = new Map<string, string>();
  return (facts) => {
    const group = colourGroup(facts, mode);
    const key = `${facts.kind}\u0000${group}\u0000${facts.name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const colour = colourOf(facts, group, TONES[theme]);
    known.set(key, colour);
    return colour;
  };
}

function colourOf(facts: FunctionFacts, group: string, tone: Tone): string {
  const spread = fraction(facts.name);
  const lightness = tone.lightness + spread * LIGHTNESS_SPREAD;
  if (facts.kind === FunctionKind.kernel) return toHex(oklch(lightness, KERNEL_CHROMA, NEUTRAL_HUE));
  if (facts.kind === FunctionKind.synthetic || group === '') {
    return toHex(oklch(lightness, SYNTHETIC_CHROMA, NEUTRAL_HUE));
  }
  const chroma = facts.kind === FunctionKind.unresolved ? tone.chroma / 2 : tone.chroma;
  const hue = HUES[hash(group) % HUES.length]!;
  return toHex(oklch(lightness, chroma, hue + spread * HUE_SPREAD));
}

/** Colour of the tree's root and of fillers. */
export function neutralColour(theme: Theme): string {
  return toHex(oklch(TONES[theme].lightness, KERNEL_CHROMA, NEUTRAL_HUE));
}

const DIMMED_SHARE = 0.16;

/** What a frame that a search does not match looks like: most of the way to the background. */
export function dimmed(colour: string, theme: Theme): string {
  return toHex(mix(fromHex(colour), fromHex(TONES[theme].background), DIMMED_SHARE));
}

function colourGroup(facts: FunctionFacts, mode: ColourMode): string {
  if (mode === 'kind') return `kind ${facts.kind}`;
  if (mode === 'module') return facts.module === '' ? facts.file : baseName(facts.module);
  return packageOf(facts);
}

/** Compilers append these to C and Rust symbols; the dot is no package separator. */
const COMPILER_SUFFIX = /\.(?:isra|part|constprop|cold|llvm|lto_priv|localalias|str|clone)\b.*$/;

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

/** FNV-1a over UTF-16 units, at most the first 500. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  const length = Math.min(text.length, 500);
  for (let index = 0; index < length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  return (state ^ (state >>> 15)) >>> 0;
}

function fraction(text: string): number {
  return (hash(text) % 1000) / 1000;
}
