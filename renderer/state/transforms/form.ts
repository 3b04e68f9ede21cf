import type { CodeKind } from '#core/model/code-kind.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { FunctionTarget, NamedTransform, PathTarget } from '#core/analyze/transforms/named-transform.ts';
import type { Granularity } from '#core/analyze/reading/granularity.ts';
import type { LabelFilter } from '#core/analyze/reading/label-filter.ts';
import { escapePattern } from './escape-pattern.ts';
import { kindRow, type TransformTargetKind, type TransformKind } from './kinds.ts';

/** The fields of the dialog. Fields of other kinds keep their values. */
export interface TransformForm {
  readonly kind: TransformKind;
  readonly by: TransformTargetKind;
  readonly func: FunctionRef | null;
  readonly module: string | null;
  readonly code: CodeKind;
  /** True selects all code except this kind. */
  readonly others: boolean;
  /** Taken from a frame of the graph; it cannot be typed. */
  readonly path: PathTarget | null;
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly direct: boolean;
  readonly label: string;
  readonly replacement: string;
  /** Label filter as typed; `filter` is the parsed one. */
  readonly filterText: string;
  readonly filter: LabelFilter | null;
  readonly labelKey: string;
  readonly rows: Granularity;
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
  filterText: '',
  filter: null,
  labelKey: '',
  rows: 'functions',
};

/** Returns the fields of a transform; null gives those of a new one. */
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
    case 'keep-label':
    case 'hide-label': {
      const { filter } = transform;
      return { ...EMPTY, by: 'all', kind, filter, filterText: labelFilterText(filter) };
    }
    case 'label-root':
    case 'label-leaf':
      return { ...EMPTY, by: 'all', kind, labelKey: transform.key };
    case 'granularity':
      return { ...EMPTY, by: 'all', kind, rows: transform.rows };
    case 'no-inlines':
      return { ...EMPTY, by: 'all', kind };
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

/** Returns the available ways to specify functions; a subtree only if the form has a path for the kind. */
export function targetsOf({ kind, path }: TransformForm): readonly TransformTargetKind[] {
  return kindRow(kind).targets.filter((target) => target !== 'path' || pathFor(kind, path) !== null);
}

function pathFor(kind: TransformKind, path: PathTarget | null): PathTarget | null {
  return path === null || (kind === 'merge' && path.from === 'leaf') ? null : path;
}

/** Returns the form with another kind and a target that the kind supports. */
export function withKind(form: TransformForm, kind: TransformKind): TransformForm {
  const changed = { ...form, kind };
  const targets = targetsOf(changed);
  return { ...changed, by: targets.includes(form.by) ? form.by : targets[0]! };
}

type TransformFormResult =
  | { readonly transform: NamedTransform; readonly missing: null }
  /** What must be filled in first. */
  | { readonly transform: null; readonly missing: string };

/** Returns the transform that the fields describe. */
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
    case 'keep-label':
    case 'hide-label':
      return form.filter === null ? missing('Type a label filter.') : done({ enabled, kind, filter: form.filter });
    case 'label-root':
    case 'label-leaf':
      return form.labelKey === '' ? missing('Type a label key.') : done({ enabled, kind, key: form.labelKey });
    case 'granularity':
      return done({ enabled, kind, rows: form.rows });
    case 'no-inlines':
      return done({ enabled, kind });
  }
}

/** Returns a filter as `parseLabelFilter` reads it. A key that contains `=` cannot be written. */
function labelFilterText(filter: LabelFilter): string {
  const key = filter.key === null ? '' : `${filter.key}=`;
  if ('patterns' in filter) return key + filter.patterns.join(',');
  if ('values' in filter) {
    return key + filter.values.map((value) => `^${escapePattern(value).replaceAll(',', String.raw`\x2c`)}$`).join(',');
  }
  const { from, to, unit } = filter;
  const end = (value: number | null): string => (value === null ? '' : `${value}${unit}`);
  return key + (from !== null && from === to ? end(from) : `${end(from)}:${end(to)}`);
}

const CHOOSE: Readonly<Record<TransformTargetKind, string>> = {
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
