import { formatAge } from '#core/units/age.ts';
import { shortenMiddle } from '#core/analyze/function-label.ts';
import { nameForms, shortenName } from '#core/analyze/short-name.ts';
import { createFormatter, type Formatter } from '#core/units/format.ts';

interface TextStyle {
  /** A BCP 47 tag; empty selects the system's locale. */
  readonly locale: string;
  readonly digits: number;
  readonly percentDigits: number;
  /** `full` shows as much of long names as fits. */
  readonly names: 'short' | 'full';
}

/** The page has one style of numbers and names, which the settings choose; `setTextStyle` is called before the first render. */
let locale = navigator.language;
let formatter = createFormatter(locale);
let names: TextStyle['names'] = 'short';

/** Sets the style; everything on screen must then be rendered again. */
export function setTextStyle(style: TextStyle): void {
  names = style.names;
  locale = usableLocale(style.locale);
  formatter = createFormatter(locale, style);
}

export const numberLocale = (): string => locale;

/** Returns the canonical tag, or the system's locale if the tag is invalid. */
function usableLocale(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? navigator.language;
  } catch {
    return navigator.language;
  }
}

/** Formats numbers in the user's style. */
export const format: Formatter = {
  value: (value, unit, options) => formatter.value(value, unit, options),
  exact: (value, unit) => formatter.exact(value, unit),
  share: (part, whole, options) => formatter.share(part, whole, options),
  number: (value, options) => formatter.number(value, options),
  count: (value, singular, plural) => formatter.count(value, singular, plural),
};

/** Fits a function's name into `maxLength` characters, in the user's style. */
export function fitName(name: string, maxLength: number): string {
  return names === 'full' ? shortenMiddle(name, maxLength) : shortenName(name, maxLength);
}

/** Returns a name and its shorter forms, the preferred ones first. */
export const formsOfName = (name: string): readonly string[] => (names === 'full' ? [name] : nameForms(name));

/** Returns a number for columns of percentages: `12.0`. */
export function oneDecimal(value: number): string {
  return value.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

export function bytes(count: number): string {
  return format.value(count, 'bytes');
}

export function count(value: number): string {
  return format.number(value);
}

/** Returns a count with its noun: `1 thread`, `1,559 threads`. */
export const countOf: Formatter['count'] = format.count;

/** Returns a duration as `0:07`, `12:30` or `1:02:03`. */
export function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (part: number): string => String(part).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Returns the elapsed time for a narrow column: `now`, `5 min`, `3 h` or `12 d`; beyond 30 days, the date. */
export function age(then: number, now: number): string {
  const past = now - then;
  if (Math.abs(past) > 30 * 86_400_000) return new Date(then).toLocaleDateString(locale, { dateStyle: 'short' });
  return formatAge(past);
}

/** Returns a day without its year: `29 Nov`. */
export function day(then: number): string {
  return new Date(then).toLocaleDateString(locale, { day: 'numeric', month: 'short' });
}

/** Returns the time of day: `14:02`, or `14:02:07`. */
export function clockTime(then: number, withSeconds = false): string {
  return new Date(then).toLocaleTimeString(locale, { timeStyle: withSeconds ? 'medium' : 'short' });
}

export function dateAndTime(then: number): string {
  return new Date(then).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}
