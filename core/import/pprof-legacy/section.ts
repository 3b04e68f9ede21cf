import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { ImportFailure } from '../../model/failure.ts';
import type { ProfileMetadata } from '../../model/profile.ts';
import type { LegacyStacks } from './stacks.ts';
import type { TypeAndUnit } from '../pprof/tables.ts';
import type { TextLine } from '../text/text-lines.ts';

/** What a kind of profile says of itself; known once its samples are read. */
export interface SectionFacts {
  readonly sampleTypes: readonly TypeAndUnit[];
  readonly period: ProfileMetadata['period'];
  readonly durationNs: number | null;
  /** What wrote it, where its format tells. */
  readonly tool: string | null;
  /** Addresses of Java's profiles are only the names of locations. */
  readonly hasAddresses: boolean;
  /** Functions that pprof takes off the leaves, with all that they called; null where none. */
  readonly isDropped: ((name: string) => boolean) | null;
  /** What to do where names are missing. */
  readonly remedy: string;
}

/** Reads the lines of one kind of text profile, after its first one. */
export interface Section {
  /** A line that is not blank, without blanks around it. False where it is none of this kind's. */
  addLine(line: TextLine): boolean;
  /** After the last line. */
  finish(): SectionFacts;
}

export interface SectionContext {
  readonly stacks: LegacyStacks;
  readonly diagnostics: DiagnosticCounter;
}

/** What to do where only the program's binary has the names. `command`: what writes `result` of the profile and the binary. */
export function namesFromBinary(command: string, result: string): string {
  return `Run \`flamebench convert FILE --to native -o FILE.flamebench\` on the recorded machine, which resolves symbols, or \`${command} BINARY FILE > ${result}\`, and open the result.`;
}

/** All that a kind of profile has in common with most others. */
export const PLAIN_FACTS = {
  period: null,
  durationNs: null,
  tool: null,
  hasAddresses: true,
  isDropped: null,
  remedy: namesFromBinary('pprof -proto', 'FILE.pb.gz'),
} as const;

/** An integer of the text. Throws `malformed` beyond 64 bits; beyond 2^53 it is rounded, and counted. */
export function integer(digits: string, line: TextLine, { diagnostics }: SectionContext): number {
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  if (Math.abs(value) >= 2 ** 63)
    throw new ImportFailure('malformed', 'a number beyond 64 bits', { line: line.number });
  noteInexact(diagnostics, line);
  return value;
}

/** The whole part of what was computed, as pprof has it; beyond 2^53 that is counted. */
export function whole(value: number, line: TextLine, { diagnostics }: SectionContext): number {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) noteInexact(diagnostics, line);
  return Math.trunc(value);
}

function noteInexact(diagnostics: DiagnosticCounter, { number }: TextLine): void {
  diagnostics.add('inexact-weight', 'Weights beyond 2^53 are rounded to 53 significant bits.', {
    first: { line: number },
  });
}

/** An attribute, `name = value`; null where the line is none. */
export function attributeOf(text: string): { readonly name: string; readonly value: string } | null {
  const at = text.indexOf('=');
  return at < 0 ? null : { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

/** `0x4012 0x4034`, what follows the `@` of a sample; null where anything else is among them. */
export function addressesOf(text: string): bigint[] | null {
  const words = text.split(/\s/).filter((word) => word !== '');
  return words.every((word) => ADDRESS.test(word)) ? words.map(BigInt) : null;
}

/** Addresses in a text of other things; null where one has more than 64 bits. */
export function addressesIn(text: string): bigint[] | null {
  const words = text.match(/0x[0-9a-f]+/gi) ?? [];
  return words.every((word) => ADDRESS.test(word)) ? words.map(BigInt) : null;
}

const ADDRESS = /^0x[0-9a-f]{1,16}$/i;
