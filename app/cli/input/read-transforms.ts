import { readFileSync } from 'node:fs';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { parseTransforms } from '#core/analyze/transforms/transform-schema.ts';
import { usageError } from '../errors.ts';

/** Reads a file of transforms, which is untrusted. Throws a usage error that names the first invalid part. */
export function readTransforms(path: string): readonly NamedTransform[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw usageError(`can't read ${path}: ${error instanceof Error ? error.message : String(error)}`, 'check the name');
  }
  try {
    return parseTransforms(text);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(`${path} is ${error.message}`, 'give a JSON list of transforms, see docs/cli.md');
  }
}
