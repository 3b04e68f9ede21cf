import type { CodeKind } from '#core/analyze/code-kind.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { FunctionTarget, NamedTransform, PathTarget } from '#core/analyze/transforms/named-transform.ts';
import { kindRow } from './transform-kinds.ts';
import type { TargetChoice, TransformKind } from './transform-kinds.ts';

/** What the fields of the dialog hold: fields of other kinds keep what they had. */
export interface TransformForm {
  readonly kind: TransformKind;
  readonly by: TargetChoice;
  readonly func: FunctionRef | null;
  readonly module: string | null;
  readonly code: CodeKind;
  /** All other code of the kind. */
  readonly others: boolean;
  /** Comes from a frame of the graph; it can't be typed. */
  readonly path: PathTarget | null;
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly direct: boolean;
  readonly label: string;
  readonly replacement: string;
}

const EMPTY: TransformForm = {
  kind: 'focus',
  by: 'pattern',
  func: null,
  module: null,
  code: 'kernel',
  others: false,
  path: null,
  pattern: '',
  ignoreCase: true,
  direct: false,
  label: '',
  replacement: '',
};

/** Null: the fields of a new transform. */
export function transformFormOf(transform: Partial<TransformForm> | NamedTransform | null): TransformForm {
  if (transform === null) return EMPTY;
  if (!('enabled' in transform)) return withKind({ ...EMPTY, ...transform }, transform.kind ?? EMPTY.kind);
  const { kind } = transform;
  switch (kind) {
    case 'collapse-module':
      return { ...EMPTY, kind, by: transform.module === null ? 'all' : 'module', module: transform.module };
    case 'collapse-path':
      return { ...EMPTY, ...fieldsOfPattern(transform), kind, label: transform.label };
    case 'rename':
      return { ...EMPTY, ...fieldsOfPattern(transform), kind, replacement: transform.replacement };
    case 'collapse-recursion':
      return { ...EMPTY, ...fieldsOf(transform.on), kind, direct: transform.direct };
    case 'focus':
    case 'hide':
    case 'merge':
    case 'drop-without':
    case 'focus-self':
    case 'show':
    case 'collapse-subtree':
      return { ...EMPTY, ...fieldsOf(transform.on), kind };
  }
}

function fieldsOfPattern({ pattern, ignoreCase }: { pattern: string; ignoreCase: boolean }): Partial<TransformForm> {
  return { by: 'pattern', pattern, ignoreCase };
}

function fieldsOf(on: FunctionTarget | PathTarget | { readonly by: 'all' }): Partial<TransformForm> {
  switch (on.by) {
    case 'function':
      return { by: 'function', func: on.func, module: on.func.module };
    case 'module':
      return { by: 'module', module: on.module };
    case 'kind':
      return { by: 'kind', code: on.code, others: on.others };
    case 'pattern':
      return fieldsOfPattern(on);
    case 'path':
      return { by: 'path', path: on, func: on.path.at(-1) ?? null };
    case 'all':
      return { by: 'all' };
  }
}

/** What the functions may be said by: a subtree only where there is one. */
export function targetsOf({ kind, path }: TransformForm): readonly TargetChoice[] {
  return kindRow(kind).targets.filter((target) => target !== 'path' || pathFor(kind, path) !== null);
}

function pathFor(kind: TransformKind, path: PathTarget | null): PathTarget | null {
  return path === null || (kind === 'merge' && path.from === 'leaf') ? null : path;
}

/** Another kind, with targets that it has. */
export function withKind(form: TransformForm, kind: TransformKind): TransformForm {
  const changed = { ...form, kind };
  const targets = targetsOf(changed);
  return { ...changed, by: targets.includes(form.by) ? form.by : targets[0]! };
}

export type TransformFormResult =
  | { readonly transform: NamedTransform; readonly missing: null }
  /** What to fill in first. */
  | { readonly transform: null; readonly missing: string };

/** The transform that the fields say. */
export function transformOf(form: TransformForm, enabled = true): TransformFormResult {
  const { kind, by, pattern, ignoreCase } = form;
  if (by === 'pattern' && pattern === '') return missing('Type a regular expression.');
  switch (kind) {
    case 'collapse-module':
      if (by === 'all') return done({ enabled, kind, module: null });
      return form.module === null ? missing('Choose a module.') : done({ enabled, kind, module: form.module });
    case 'collapse-path':
      return done({ enabled, kind, pattern, ignoreCase, label: form.label });
    case 'rename':
      return done({ enabled, kind, pattern, ignoreCase, replacement: form.replacement });
    case 'collapse-recursion': {
      if (by === 'all') return done({ enabled, kind, on: { by }, direct: form.direct });
      const on = functionTarget(form);
      return on === null ? missing(CHOOSE[by]) : done({ enabled, kind, on, direct: form.direct });
    }
    case 'drop-without':
    case 'focus-self':
    case 'show':
    case 'collapse-subtree': {
      const on = functionTarget(form);
      return on === null ? missing(CHOOSE[by]) : done({ enabled, kind, on });
    }
    case 'focus':
    case 'hide': {
      const on = by === 'path' ? form.path : functionTarget(form);
      return on === null ? missing(CHOOSE[by]) : done({ enabled, kind, on });
    }
    case 'merge': {
      const on = by === 'path' ? rootPath(form.path) : functionTarget(form);
      return on === null ? missing(CHOOSE[by]) : done({ enabled, kind, on });
    }
  }
}

const CHOOSE: Readonly<Record<TargetChoice, string>> = {
  function: 'Choose a function.',
  path: 'Choose a frame in the graph.',
  module: 'Choose a module.',
  pattern: 'Type a regular expression.',
  kind: '',
  all: '',
};

const done = (transform: NamedTransform): TransformFormResult => ({ transform, missing: null });
const missing = (what: string): TransformFormResult => ({ transform: null, missing: what });

function functionTarget({ by, func, module, code, others, pattern, ignoreCase }: TransformForm): FunctionTarget | null {
  if (by === 'kind') return { by, code, others };
  if (by === 'function') return func === null ? null : { by, func };
  if (by === 'module') return module === null ? null : { by, module };
  return by === 'pattern' ? { by, pattern, ignoreCase } : null;
}

function rootPath(path: PathTarget | null): PathTarget<'root'> | null {
  return path === null || path.from === 'leaf' ? null : { by: 'path', from: 'root', path: path.path };
}
