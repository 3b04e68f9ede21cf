import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';

export type TransformKind = NamedTransform['kind'];
/** How the functions are said that a transform is about. */
export type TargetChoice = 'function' | 'path' | 'module' | 'kind' | 'pattern' | 'all';

export interface KindRow {
  readonly kind: TransformKind;
  readonly name: string;
  /** One sentence. */
  readonly does: string;
  readonly targets: readonly TargetChoice[];
}

const FUNCTIONS = ['function', 'module', 'kind', 'pattern'] as const;

/** Every kind of transform, in the order that the dialog lists them. */
export const TRANSFORM_KINDS: readonly KindRow[] = [
  {
    kind: 'focus',
    name: 'Focus',
    does: 'Keeps the stacks that hold the function and cuts off its callers, so that the outermost call is the root.',
    targets: ['function', 'path', 'module', 'kind', 'pattern'],
  },
  {
    kind: 'drop-without',
    name: 'Only with',
    does: 'Drops the samples without the function; those that have it stay whole.',
    targets: FUNCTIONS,
  },
  {
    kind: 'focus-self',
    name: 'Focus on self',
    does: 'Keeps the samples that end in the function: its self weight, under its callers.',
    targets: FUNCTIONS,
  },
  {
    kind: 'hide',
    name: 'Hide',
    does: 'Drops the samples that have the function anywhere in their stack. Their weight is counted as left out.',
    targets: ['function', 'path', 'module', 'kind', 'pattern'],
  },
  {
    kind: 'merge',
    name: 'Merge',
    does: 'Takes the function out of the stacks: its caller gets its weight and what it called.',
    targets: ['function', 'path', 'module', 'kind', 'pattern'],
  },
  {
    kind: 'collapse-subtree',
    name: 'Collapse what is below',
    does: 'Folds all that the function calls into it.',
    targets: FUNCTIONS,
  },
  {
    kind: 'collapse-recursion',
    name: 'Collapse recursion',
    does: 'Folds a call of a function that is on the stack already into the outer call.',
    targets: ['all', ...FUNCTIONS],
  },
  {
    kind: 'collapse-module',
    name: 'Collapse module',
    does: 'Makes one frame, named as the module, of frames of the module that follow one another.',
    targets: ['all', 'module'],
  },
  {
    kind: 'collapse-path',
    name: 'Collapse by regex',
    does: 'Makes one frame of matching frames that follow one another.',
    targets: ['pattern'],
  },
  {
    kind: 'rename',
    name: 'Rename by rule',
    does: 'Replaces every match in the names of functions. What gets one name in one module is one function.',
    targets: ['pattern'],
  },
];

export const TARGET_NAMES: Readonly<Record<TargetChoice, string>> = {
  function: 'Function',
  path: 'Subtree',
  module: 'Module',
  kind: 'Kind',
  pattern: 'Regex',
  all: 'Every one',
};

export function kindRow(kind: TransformKind): KindRow {
  return TRANSFORM_KINDS.find((row) => row.kind === kind)!;
}
