import type { z } from 'zod';
import { malformed } from './reader.ts';
import { jsonValue } from '../../model/json-value.ts';

/** Parses JSON of a given shape; `what` is its subject in messages. */
export function parseJsonAs<Schema extends z.ZodType>(text: string, schema: Schema, what: string): z.infer<Schema> {
  const value = jsonValue(text);
  if (value === undefined) throw malformed(`${what} is not complete JSON`);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw malformed(`${what}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
}
