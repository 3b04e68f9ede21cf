import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { parseTransforms } from '#core/analyze/transforms/transform-schema.ts';
import { usageError } from '../errors.ts';
import { readOptionFile } from './read-option-file.ts';

/** Reads a file of transforms, which is untrusted. Throws a usage error that names the first invalid part. */
export function readTransforms(path: string): readonly NamedTransform[] {
  const text = readOptionFile(path);
  try {
    return parseTransforms(text);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(`${path} is ${error.message}`, 'give a JSON list of transforms, see docs/cli.md');
  }
}
