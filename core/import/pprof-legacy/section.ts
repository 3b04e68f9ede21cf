import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { malformed } from '../../model/failure.ts';
import type { ProfileMetadata } from '../../model/profile.ts';
import type { LegacyStacks } from './stacks.ts';
import type { TypeAndUnit } from '../pprof/tables.ts';
import type { TextLine } from '../text/text-lines.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';

/** What a kind of profile states about itself; known once its samples are read. */
export interface SectionFacts {
  readonly sampleTypes: readonly TypeAndUnit[];
  readonly period: ProfileMetadata['period'];
  readonly durationNs: number | null;
  /** The tool that wrote it, if its format identifies one. */
  readonly tool: string | null;
  /** False for Java's profiles, whose addresses are only keys of locations. */
  readonly hasAddresses: boolean;
  /** Selects functions that pprof removes from the leaves, with everything that they called; null if there are none. */
  readonly isDropped: ((name: string) => boolean) | null;
  /** Remedy for missing names. */
  readonly remedy: string;
}

/** Reads the lines of one kind of text profile, after the first one. */
export interface Section {
  /**
   * `line` must not be blank, and has no leading or trailing spaces. Returns false if it is not a line of this kind.
   */
  addLine(line: TextLine): boolean;
  /** Must be called after the last line. */
  finish(): SectionFacts;
}

export interface SectionContext {
  readonly stacks: LegacyStacks;
  readonly diagnostics: DiagnosticCounter;
}

/**
 * Returns the remedy if only the program's binary has the names. `command` converts the profile and the binary to
 * `result`.
 */
export function namesFromBinary(command: string, result: string): string {
  return `Run \`flamebench convert FILE --to native -o FILE.flamebench\` on the recorded machine, which resolves symbols, or \`${command} BINARY FILE > ${result}\`, and open the result.`;
}

/** Facts that most kinds of profile share. */
export const PLAIN_FACTS = {
  period: null,
  durationNs: null,
  tool: null,
  hasAddresses: true,
  isDropped: null,
  remedy: namesFromBinary('pprof -proto', 'FILE.pb.gz'),
} as const;

/** Parses an integer. Throws `malformed` beyond 64 bits; beyond 2^53 it is rounded, and counted. */
export function integer(digits: string, line: TextLine, { diagnostics }: SectionContext): number {
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  if (Math.abs(value) >= 2 ** 63) throw malformed('a number beyond 64 bits', line.number);
  noteInexact(diagnostics, line);
  return value;
}

/** Returns the integer part of a computed value, like pprof; counts values beyond 2^53. */
export function whole(value: number, line: TextLine, { diagnostics }: SectionContext): number {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) noteInexact(diagnostics, line);
  return Math.trunc(value);
}

function noteInexact(diagnostics: DiagnosticCounter, { number }: TextLine): void {
  diagnostics.add(...INEXACT_WEIGHT, { first: { line: number } });
}

/** Parses an attribute, `name = value`; null if the line has another form. */
export function attributeOf(text: string): { readonly name: string; readonly value: string } | null {
  const at = text.indexOf('=');
  return at < 0 ? null : { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

/** Parses `0x4012 0x4034`, the text after the `@` of a sample; null if it contains anything else. */
export function addressesOf(text: string): bigint[] | null {
  const words = text.split(/\s/).filter((word) => word !== '');
  return words.every((word) => ADDRESS.test(word)) ? words.map(BigInt) : null;
}

/** Returns the addresses in a text; null if one has more than 64 bits. */
export function addressesIn(text: string): bigint[] | null {
  const words = text.match(/0x[0-9a-f]+/gi) ?? [];
  return words.every((word) => ADDRESS.test(word)) ? words.map(BigInt) : null;
}

const ADDRESS = /^0x[0-9a-f]{1,16}$/i;
