import type { FrameKind } from './frame-kind.ts';
import type { Theme } from './theme.ts';

export type Lch = readonly [lightness: number, chroma: number, hue: number];

interface PaletteTone {
  readonly lightness: number;
  readonly background: string;
  /**
   * Colours of packages, modules and functions, ordered by hue, which is the same in both themes. Found by a search
   * that maximises the smallest OKLab distance between them and to the kernel's grey, also with protanopia and
   * deuteranopia, for which hues of equal lightness look alike.
   */
  readonly groups: readonly Lch[];
  /**
   * Found by a search that maximises the smallest OKLab distance, also with protanopia, deuteranopia and tritanopia
   * (Machado, Oliveira, Fernandes: "A physiologically-based model for simulation of color vision deficiency", 2009).
   */
  readonly kinds: Readonly<Record<FrameKind, Lch>>;
  readonly match: Lch;
}

/** The background is that of the graph (`--bg`), used for dimming. */
export const TONES: Readonly<Record<Theme, PaletteTone>> = {
  dark: {
    lightness: 0.72,
    groups: [
      [0.645, 0.06, 30],
      [0.702, 0.06, 60],
      [0.645, 0.125, 80],
      [0.74, 0.1, 100],
      [0.83, 0.11, 130],
      [0.76, 0.085, 150],
      [0.81, 0.06, 170],
      [0.83, 0.1, 210],
      [0.78, 0.11, 230],
      [0.72, 0.11, 260],
      [0.664, 0.125, 280],
      [0.645, 0.1, 340],
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
      [0.7, 0.085, 30],
      [0.763, 0.11, 60],
      [0.7, 0.125, 80],
      [0.837, 0.125, 100],
      [0.875, 0.1, 130],
      [0.782, 0.1, 150],
      [0.856, 0.06, 170],
      [0.89, 0.075, 210],
      [0.837, 0.085, 230],
      [0.782, 0.1, 260],
      [0.7, 0.1, 280],
      [0.7, 0.11, 340],
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

/** Number of colours that packages, modules and functions share. */
export const GROUP_COLOURS = TONES.dark.groups.length;

/** Lightness range within one colour, so that neighbouring frames of a package are distinguishable. */
export const LIGHTNESS_SPREAD = 0.03;
/** Hue range within one colour, in degrees. */
export const HUE_SPREAD = 8;
