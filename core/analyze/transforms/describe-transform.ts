import { baseName } from '../../model/base-name.ts';
import { CODE_KINDS } from '../../model/code-kind.ts';
import { shortenMiddle, visibleText } from '../function-label.ts';
import type { FunctionRef } from '../function-ref.ts';
import type { LabelFilter } from '../reading/label-filter.ts';
import type { Pattern } from '../search.ts';
import { countText, formatValue } from '../../units/format.ts';
import {
  isReading,
  type FunctionTarget,
  type NamedTransform,
  type PathTarget,
  type ReadingTransform,
} from './named-transform.ts';

/** Maximum characters shown of a name, a pattern or a replacement. */
const MAX_NAME = 40;

/**
 * Describes a transform in one line of bounded length: `hide stacks with: malloc`. Shortens names and makes control
 * characters visible.
 */
export function describeTransform(transform: NamedTransform): string {
  switch (transform.kind) {
    case 'focus':
      return `focus${describeTarget(transform.on)}`;
    case 'hide':
      return transform.on.by === 'path'
        ? `hide${describeTarget(transform.on)}`
        : `hide stacks with${describeTarget(transform.on)}`;
    case 'drop-without':
      return `only stacks with${describeTarget(transform.on)}`;
    case 'focus-self':
      return `focus on self${describeTarget(transform.on)}`;
    case 'show':
      return `show only${describeTarget(transform.on)}`;
    case 'merge':
      return `merge${describeTarget(transform.on)}`;
    case 'collapse-subtree':
      return `collapse below${describeTarget(transform.on)}`;
    case 'collapse-recursion': {
      const what = transform.direct ? 'collapse direct recursion' : 'collapse recursion';
      return transform.on.by === 'all' ? `${what}: every function` : what + describeTarget(transform.on);
    }
    case 'collapse-module':
      return transform.module === null ? 'collapse every module' : `collapse module: ${moduleLabel(transform.module)}`;
    case 'collapse-path': {
      const label = transform.label === '' ? '' : ` → ${short(transform.label)}`;
      return `collapse: ${short(describePattern(transform))}${label}`;
    }
    case 'keep-label':
      return `only label${describeFilter(transform.filter)}`;
    case 'hide-label':
      return `hide label${describeFilter(transform.filter)}`;
    case 'label-root':
      return `label at root: ${short(transform.key)}`;
    case 'label-leaf':
      return `label at leaf: ${short(transform.key)}`;
    case 'granularity':
      return `granularity: ${transform.rows}`;
    case 'no-inlines':
      return 'no inlined functions';
    case 'rename':
      return `rename: ${short(describePattern(transform))} → ${transform.replacement === '' ? '(nothing)' : short(transform.replacement)}`;
  }
}

/**
 * Describes what a transform matched in a profile (`ResolvedTransforms.found`): `3 functions`; for a path, the part of
 * it that exists.
 */
export function describeFound(transform: NamedTransform, found: number): string {
  if (isReading(transform)) return describeRead(transform, found);
  if ('on' in transform && transform.on.by === 'path') {
    const frames = transform.on.path.length;
    return found === frames ? 'its whole path' : `${found} of ${frames} frames of its path`;
  }
  return found === 0 ? 'no function' : countText(found, 'function');
}

function describeRead({ kind }: ReadingTransform, found: number): string {
  const noun = FOUND_NOUNS[kind];
  return found === 0 ? `no ${noun}` : countText(found, noun);
}

/** What each kind of reading transform finds. */
const FOUND_NOUNS: Readonly<Record<ReadingTransform['kind'], string>> = {
  'keep-label': 'sample',
  'hide-label': 'sample',
  'label-root': 'value',
  'label-leaf': 'value',
  granularity: 'row',
  'no-inlines': 'inlined frame',
};

/** Returns `: method = GET`, `: bytes from 4 KiB to 64 KiB`, `: /GET/`. */
function describeFilter(filter: LabelFilter): string {
  const key = filter.key === null ? '' : short(filter.key);
  if ('values' in filter) {
    const values = filter.values.map((value) => (value === '' ? '(empty)' : short(value)));
    return `: ${key} = ${values.join(' or ')}`;
  }
  if ('patterns' in filter) {
    const patterns = filter.patterns.map((pattern) => short(`/${pattern}/`));
    return key === '' ? `: ${patterns.join(' and ')}` : `: ${key} = ${patterns.join(' or ')}`;
  }
  const { from, to, unit } = filter;
  const value = (end: number): string => formatValue(end, unit);
  const named = key === '' ? ': numbers' : `: ${key}`;
  if (from !== null && from === to) return `${named} = ${value(from)}`;
  return `${named}${from === null ? '' : ` from ${value(from)}`}${to === null ? '' : ` to ${value(to)}`}`;
}

function describeTarget(target: FunctionTarget | PathTarget): string {
  switch (target.by) {
    case 'function':
      return `: ${functionLabel(target.func)}`;
    case 'module':
      return ` module: ${moduleLabel(target.module)}`;
    case 'kind':
      return target.others ? ` all code but: ${CODE_KINDS[target.code]}` : ` code: ${CODE_KINDS[target.code]}`;
    case 'pattern':
      return `: ${short(describePattern(target))}`;
    case 'path':
      return ` subtree: ${describePath(target)}`;
  }
}

/** Returns `main › … › compile`; leaf first `compile ‹ … ‹ main`. */
function describePath({ from, path }: PathTarget): string {
  const arrow = from === 'root' ? ' › ' : ' ‹ ';
  const [first, second] = path;
  if (first === undefined) return 'everything';
  const last = path.at(-1)!;
  if (path.length === 1) return functionLabel(last);
  const between = path.length === 2 ? [] : [path.length === 3 ? functionLabel(second!) : '…'];
  return [functionLabel(first), ...between, functionLabel(last)].join(arrow);
}

/** Returns `/pattern/i`. */
export function describePattern({ pattern, ignoreCase }: Pattern): string {
  return `/${pattern}/${ignoreCase ? 'i' : ''}`;
}

const short = (text: string): string => shortenMiddle(visibleText(text.slice(0, 20_000)), MAX_NAME);
const moduleLabel = (module: string): string => (module === '' ? '(unknown)' : short(baseName(module)));
const functionLabel = ({ name }: FunctionRef): string => (name === '' ? '(no name)' : short(name));
