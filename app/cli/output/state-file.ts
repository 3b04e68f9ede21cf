import { existsSync } from 'node:fs';
import type * as z from 'zod';
import { readGivenFile } from '#app/engine/files/read-given-file.ts';
import { inputError } from '../errors.ts';
import { saveOutput } from './output-file.ts';
import { jsonValue } from '#core/model/json-value.ts';

/** What a command keeps in the file of `--state` for its next runs, as JSON. */
export interface StateFile<State> {
  readonly schema: z.ZodType<State>;
  /** As in `is not a state of a bisection`. */
  readonly of: string;
  readonly maxBytes: number;
}

/** Returns null if there is no file yet. Throws an input error for a file of another kind. */
export function readState<State>(path: string, { schema, of, maxBytes }: StateFile<State>): State | null {
  if (!existsSync(path)) return null;
  const read = schema.safeParse(jsonValue(readGivenFile(path, maxBytes).toString()));
  if (read.success) return read.data;
  throw inputError(`--state ${path} is not a state of ${of}`, 'name another file, or remove it');
}

export function writeState(path: string, state: object): void {
  saveOutput(path, { inPlaceOf: path }, `${JSON.stringify(state)}\n`);
}
