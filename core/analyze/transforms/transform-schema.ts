import * as z from 'zod';
import { CODE_KINDS, type CodeKind } from '../../model/code-kind.ts';
import type { FunctionRef } from '../function-ref.ts';
import { GRANULARITIES } from '../reading/granularity.ts';
import type { LabelFilter } from '../reading/label-filter.ts';
import type { NamedTransform } from './named-transform.ts';
import { MAX_PATTERN_LENGTH } from '../search.ts';
import { jsonValue } from '../../model/json-value.ts';

/** The longest C++ names have a few hundred thousand characters. */
const MAX_NAME_LENGTH = 1_000_000;
/** Deeper than any stack that perf records. A generated profile may have a longer path, which then can't be saved. */
export const MAX_PATH_LENGTH = 200_000;
/** More than any user needs. */
const MAX_TRANSFORMS = 1000;

const enabled = z.boolean();
const name = z.string().max(MAX_NAME_LENGTH);
const pattern = { pattern: z.string().max(MAX_PATTERN_LENGTH), ignoreCase: z.boolean() };
/** Read from storage: untrusted. */
export const functionRefSchema: z.ZodType<FunctionRef> = z.object({
  name,
  module: name,
  file: name,
  line: z.number().int().nonnegative(),
});

const byFunction = z.object({ by: z.literal('function'), func: functionRefSchema });
const byModule = z.object({ by: z.literal('module'), module: name });
const byKind = z.object({
  by: z.literal('kind'),
  code: z.enum(Object.keys(CODE_KINDS) as [CodeKind, ...CodeKind[]]),
  others: z.boolean(),
});
const byPattern = z.object({ by: z.literal('pattern'), ...pattern });
const path = z.array(functionRefSchema).min(1).max(MAX_PATH_LENGTH);
const byPath = z.object({ by: z.literal('path'), from: z.enum(['root', 'leaf']), path });
const byPathFromRoot = z.object({ by: z.literal('path'), from: z.literal('root'), path });
const byAll = z.object({ by: z.literal('all') });

const target = z.discriminatedUnion('by', [byFunction, byModule, byKind, byPattern]);

const patterns = z.array(z.string().max(MAX_PATTERN_LENGTH)).min(1).max(MAX_TRANSFORMS);
const end = z.number().nullable();
const labelFilter: z.ZodType<LabelFilter> = z.union([
  z.object({ key: name, values: z.array(name).min(1).max(MAX_TRANSFORMS) }),
  z.object({ key: name.nullable(), patterns }),
  z.object({ key: name.nullable(), from: end, to: end, unit: name }),
]);

/** Read from a session, a bundle or a URL: untrusted. Patterns are not compiled here. */
export const namedTransformSchema: z.ZodType<NamedTransform> = z.discriminatedUnion('kind', [
  z.object({
    enabled,
    kind: z.enum(['focus', 'hide']),
    on: z.discriminatedUnion('by', [byFunction, byModule, byKind, byPattern, byPath]),
  }),
  z.object({
    enabled,
    kind: z.literal('merge'),
    on: z.discriminatedUnion('by', [byFunction, byModule, byKind, byPattern, byPathFromRoot]),
  }),
  z.object({ enabled, kind: z.enum(['drop-without', 'focus-self', 'show', 'collapse-subtree']), on: target }),
  z.object({
    enabled,
    kind: z.literal('collapse-recursion'),
    on: z.discriminatedUnion('by', [byFunction, byModule, byKind, byPattern, byAll]),
    direct: z.boolean(),
  }),
  z.object({ enabled, kind: z.literal('collapse-module'), module: name.nullable() }),
  z.object({ enabled, kind: z.literal('collapse-path'), ...pattern, label: name }),
  z.object({ enabled, kind: z.literal('rename'), ...pattern, replacement: z.string().max(MAX_PATTERN_LENGTH) }),
  z.object({ enabled, kind: z.enum(['keep-label', 'hide-label']), filter: labelFilter }),
  z.object({ enabled, kind: z.enum(['label-root', 'label-leaf']), key: name }),
  z.object({ enabled, kind: z.literal('granularity'), rows: z.enum(GRANULARITIES) }),
  z.object({ enabled, kind: z.literal('no-inlines') }),
]);

export const namedTransformsSchema = z.array(namedTransformSchema).max(MAX_TRANSFORMS);

/**
 * Parses untrusted JSON text into transforms. Throws a TypeError that says what is wrong: `not JSON`, `not a list of
 * transforms at 0.kind: …`.
 */
export function parseTransforms(text: string): readonly NamedTransform[] {
  const document = jsonValue(text);
  if (document === undefined) throw new TypeError('not JSON');
  const read = namedTransformsSchema.safeParse(document);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new TypeError(`not a list of transforms${place}: ${issue?.message ?? 'an unexpected form'}`);
}
