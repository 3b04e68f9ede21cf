import type { NamedFunctions } from './function-ref.ts';

/** Name of a call tree's root (function −1). */
export const ROOT_LABEL = 'all';

export function functionLabel(names: NamedFunctions, func: number): string {
  return func < 0 ? ROOT_LABEL : names.strings[names.functions.name[func]!]!;
}

/**
 * Shortens a name to at most `maxLength` UTF-16 units by replacing its middle with `…`, because names differ at their
 * ends. Keeps surrogate pairs whole.
 */
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

/**
 * Replaces characters that would move or hide text or break a line: C0 controls and DEL by their control pictures
 * (`␀`), the rest by U+FFFD.
 */
export function visibleText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]|[\u0080-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '␡' : '\ufffd';
  });
}
