import type { z } from 'zod';
import { malformed } from './reader.ts';
import { jsonValue } from '../../model/json-value.ts';

/** Parses JSON of a given shape; `what` names it in messages: `a HAR file`. Throws an `ImportFailure` (`malformed`). */
export function parseJsonAs<Schema extends z.ZodType>(text: string, schema: Schema, what: string): z.infer<Schema> {
  const value = jsonValue(text);
  if (value === undefined) throw malformed(`${what} ends early or is damaged`);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw malformed(`not ${what}: ${issue!.path.map(String).join('.')}: ${issue!.message}`);
}
