import { ImportFailure, type FailureClass } from '../../model/failure.ts';
import { nameReport } from './reports.ts';
import type { Head } from '../importer.ts';

interface ForeignContent {
  readonly failure: FailureClass;
  /** What it is and what to do. */
  readonly message: string;
  readonly matches: (head: Head) => boolean;
}

/** Content that people drop on a profiler and that no importer reads. First match wins. */
const FOREIGN: readonly ForeignContent[] = [
  {
    failure: 'unrecognized',
    message: 'an executable, not a profile',
    matches: ({ bytes }) => ascii(bytes, 4) === '\x7fELF' || ascii(bytes, 2) === 'MZ',
  },
  {
    failure: 'unsupported',
    message: 'a zip archive; unpack it and open the profile in it',
    matches: ({ bytes }) => ascii(bytes, 4) === 'PK\x03\x04',
  },
  {
    failure: 'unsupported',
    message: 'compressed with xz; run `xz -d` and open the result',
    matches: ({ bytes }) => ascii(bytes, 6) === '\xfd7zXZ\0',
  },
  {
    failure: 'unsupported',
    message: 'compressed with bzip2; run `bzip2 -d` and open the result',
    matches: ({ bytes }) => /^BZh[1-9]1AY/.test(ascii(bytes, 7)),
  },
  {
    failure: 'unsupported',
    message: "a dump of Ruby's Marshal, as StackProf writes; run `stackprof --json FILE > FILE.json` and open that",
    matches: ({ bytes }) => ascii(bytes, 3) === '\x04\x08{',
  },
  {
    failure: 'unrecognized',
    message: 'a web page, not a profile',
    matches: ({ text }) => /^\s*<(!doctype html|html)\b/i.test(text),
  },
  {
    failure: 'unrecognized',
    message: 'an SVG picture; open the profile it was drawn from',
    matches: ({ text }) => /^\s*(<\?xml[^>]*>\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg\b/i.test(text),
  },
  {
    failure: 'unsupported',
    message: 'what `pprof --raw` of gperftools printed, with symbols; open the profile it was made from',
    matches: ({ bytes }) => /^--- symbol\r?\nbinary=/.test(ascii(bytes, 24)),
  },
  {
    failure: 'unrecognized',
    message: 'JSON, but not a profile format that Flamebench reads; `flamebench formats` lists them',
    matches: ({ text }) => /^\s*(\{\s*["}]|\[\s*[[{"\d\]])/.test(text),
  },
  {
    failure: 'unrecognized',
    message: 'XML, but not a profile format that Flamebench reads; `flamebench formats` lists them',
    matches: ({ text }) => /^\s*<\?xml\b/.test(text),
  },
];

/** Says why no importer takes the content. */
export function nameForeignContent(head: Head): ImportFailure {
  const isText = !head.bytes.includes(0);
  const report = isText ? nameReport(head.text) : null;
  if (report !== null) return report;
  const known = FOREIGN.find(({ matches }) => matches(head));
  if (known !== undefined) return new ImportFailure(known.failure, known.message, { byte: 0 });
  const what = head.bytes.every(isBlank)
    ? 'only whitespace'
    : isText
      ? 'text, but not a profile format that Flamebench reads'
      : 'binary data, but not a profile format that Flamebench reads';
  return new ImportFailure('unrecognized', `${what}; \`flamebench formats\` lists them`, { byte: 0 });
}

function ascii(bytes: Uint8Array, length: number): string {
  return String.fromCharCode(...bytes.subarray(0, length));
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
