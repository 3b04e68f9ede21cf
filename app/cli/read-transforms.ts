import { readFileSync } from 'node:fs';
import type { NamedTransform } from '#core/analyze/named-transform.ts';
import { namedTransformsSchema } from '#core/analyze/transform-schema.ts';
import { usageError } from './errors.ts';

const FORM = 'it takes a JSON list of transforms, see docs/cli.md';

/** Reads a file of transforms, believing nothing. Throws a usage error that names the first thing that is wrong. */
export function readTransforms(path: string): readonly NamedTransform[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw usageError(`can't read ${path}: ${error instanceof Error ? error.message : String(error)}`, 'check the name');
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw usageError(`${path} is no JSON`, FORM);
  }
  const read = namedTransformsSchema.safeParse(document);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  throw usageError(`${path} is no list of transforms${place}: ${issue?.message ?? 'of another form'}`, FORM);
}
