/** sRGB channels from 0 to 255. */
export interface Rgb {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/**
 * Converts OKLCH to sRGB with clamped channels. Lightness is from 0 to 1, hue in degrees. Implemented here because CSS
 * `oklch()` is newer than the oldest Chromium that Flamebench is tested with. Formula: Björn Ottosson, "A perceptual
 * color space for image processing" (2020).
 */
export function oklch(lightness: number, chroma: number, hueDegrees: number): Rgb {
  const hue = (hueDegrees * Math.PI) / 180;
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return {
    red: encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    green: encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    blue: encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  };
}

function encode(linear: number): number {
  const clamped = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055));
}

export function toHex({ red, green, blue }: Rgb): string {
  return `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`;
}

/** Parses `#rrggbb`. */
export function fromHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return { red: (value >> 16) & 255, green: (value >> 8) & 255, blue: value & 255 };
}

/** Blends `share` of `over` onto `under`, per channel. */
export function mix(over: Rgb, under: Rgb, share: number): Rgb {
  const blend = (a: number, b: number) => Math.round(a * share + b * (1 - share));
  return {
    red: blend(over.red, under.red),
    green: blend(over.green, under.green),
    blue: blend(over.blue, under.blue),
  };
}

/** Returns the WCAG 2.2 relative luminance, from 0 to 1. */
function luminance({ red, green, blue }: Rgb): number {
  const decode = (channel: number) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * decode(red) + 0.7152 * decode(green) + 0.0722 * decode(blue);
}

/** Returns the WCAG 2.2 contrast ratio, from 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}
