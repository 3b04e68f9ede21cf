import type { Profile } from '../model/profile.ts';

/** What the root of a call tree is called (function −1). */
export const ROOT_LABEL = 'all';

export function functionName(profile: Profile, func: number): string {
  return func < 0 ? ROOT_LABEL : profile.strings[profile.functions.name[func]!]!;
}

export function moduleName(profile: Profile, func: number): string {
  return func < 0 ? '' : profile.strings[profile.functions.module[func]!]!;
}

/** At most `maxLength` UTF-16 units, the middle replaced by `…`: names differ at their ends. Surrogate pairs stay whole. */
export function shortenMiddle(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  if (maxLength <= 1) return maxLength === 1 ? '…' : '';
  const kept = maxLength - 1;
  let head = Math.ceil(kept / 2);
  let tail = name.length - (kept - head);
  if (isHighSurrogate(name.charCodeAt(head - 1))) head -= 1;
  if (isLowSurrogate(name.charCodeAt(tail))) tail += 1;
  return `${name.slice(0, head)}…${name.slice(tail)}`;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Control characters would move or hide text, and break a line: each shows as a `␀`-like picture, the rest as U+FFFD. */
export function visibleText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]|[\u0080-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '␡' : '\ufffd';
  });
}
