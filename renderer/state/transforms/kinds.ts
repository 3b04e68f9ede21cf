import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';

export type TransformKind = NamedTransform['kind'];
/** How a transform specifies its functions. */
export type TransformTargetKind = 'function' | 'path' | 'module' | 'kind' | 'pattern' | 'all';

interface KindRow {
  readonly kind: TransformKind;
  readonly name: string;
  /** A description in one sentence. */
  readonly does: string;
  readonly targets: readonly TransformTargetKind[];
}

const FUNCTIONS = ['function', 'module', 'kind', 'pattern'] as const;

/** All kinds of transforms, in the order of the dialog. */
export const TRANSFORM_KINDS: readonly KindRow[] = [
  {
    kind: 'focus',
    name: 'Focus',
    does: 'Keeps stacks with the function and removes its callers: the outermost call becomes the root.',
    targets: ['function', 'path', 'module', 'kind', 'pattern'],
  },
  {
    kind: 'drop-without',
    name: 'Only with',
    does: 'Drops samples without the function; the others stay unchanged.',
    targets: FUNCTIONS,
  },
  {
    kind: 'focus-self',
    name: 'Focus on self',
    does: 'Keeps samples that end in the function: its self weight, under its callers.',
    targets: FUNCTIONS,
  },
  {
    kind: 'hide',
    name: 'Hide',
    does: 'Drops samples with the function anywhere in their stack. Their weight is counted as hidden.',
    targets: ['function', 'path', 'module', 'kind', 'pattern'],
  },
  {
    kind: 'merge',
    name: 'Merge',
    does: 'Removes the function from stacks; its weight and callees go to its caller.',
    targets: ['function', 'path', 'module', 'kind', 'pattern'],
  },
  {
    kind: 'show',
    name: 'Show only',
    does: 'Removes all other functions from stacks; samples without the function are dropped.',
    targets: FUNCTIONS,
  },
  {
    kind: 'collapse-subtree',
    name: 'Collapse below',
    does: 'Folds everything the function calls into it.',
    targets: FUNCTIONS,
  },
  {
    kind: 'collapse-recursion',
    name: 'Collapse recursion',
    does: 'Folds recursive calls into the outermost call.',
    targets: ['all', ...FUNCTIONS],
  },
  {
    kind: 'collapse-module',
    name: 'Collapse module',
    does: 'Merges consecutive frames of the module into one frame named after it.',
    targets: ['all', 'module'],
  },
  {
    kind: 'collapse-path',
    name: 'Collapse by regex',
    does: 'Merges consecutive matching frames into one.',
    targets: ['pattern'],
  },
  {
    kind: 'rename',
    name: 'Rename by rule',
    does: 'Replaces every match in function names. Equal names within a module become one function.',
    targets: ['pattern'],
  },
  {
    kind: 'keep-label',
    name: 'Only with label',
    does: 'Keeps samples with a matching label. The weight of the others is counted as hidden.',
    targets: ['all'],
  },
  {
    kind: 'hide-label',
    name: 'Hide label',
    does: 'Drops samples with a matching label. Their weight is counted as hidden.',
    targets: ['all'],
  },
  {
    kind: 'label-root',
    name: 'Label at root',
    does: 'Groups stacks by a label: its value becomes the root frame.',
    targets: ['all'],
  },
  {
    kind: 'label-leaf',
    name: 'Label at leaf',
    does: 'Splits functions by a label: its value becomes the leaf frame.',
    targets: ['all'],
  },
  {
    kind: 'granularity',
    name: 'Granularity',
    does: 'Sets what a frame represents: a function, a file, a line or an address.',
    targets: ['all'],
  },
  {
    kind: 'no-inlines',
    name: 'No inlined functions',
    does: 'Counts inlined functions as part of the function they were inlined into.',
    targets: ['all'],
  },
];

export const TARGET_NAMES: Readonly<Record<TransformTargetKind, string>> = {
  function: 'Function',
  path: 'Subtree',
  module: 'Module',
  kind: 'Kind',
  pattern: 'Regex',
  all: 'All',
};

export function kindRow(kind: TransformKind): KindRow {
  return TRANSFORM_KINDS.find((row) => row.kind === kind)!;
}
