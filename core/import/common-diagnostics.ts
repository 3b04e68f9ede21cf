/** Codes and messages of diagnostics that several importers add. */

export const NOT_UTF8 = ['not-utf8', 'Names that are not valid UTF-8 were read as Latin-1.'] as const;

export const INEXACT_WEIGHT = ['inexact-weight', 'Weights beyond 2^53 are rounded to 53 significant bits.'] as const;

export const UNFINISHED_LINE = ['unfinished-line', 'The last line has no line end and may be truncated.'] as const;

export const UNCOUNTED_STACK = [
  'truncated-input',
  'The input ends within a stack without its count, which was skipped.',
] as const;

export const CHILDREN_EXCEED = [
  'children-exceed',
  'Frames weigh less than their callees; their self weight was taken as 0.',
] as const;
