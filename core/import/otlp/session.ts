import type { Profile } from '../../model/profile.ts';
import type { ImportSession } from '../importer.ts';
import { wholeSession } from '../text/byte-collector.ts';
import { JsonSession } from '../text/json-session.ts';
import { buildOtlp } from './build.ts';
import { isOtlpMessage } from './sniff.ts';
import { decodeOtlp } from './wire.ts';

/** Offsets are stored as 32-bit integers. */
const MAX_BYTES = 2 ** 31 - 1;

export const otlpSession = (): ImportSession => wholeSession('an OTLP profile', read, MAX_BYTES);

function read(bytes: Uint8Array): Profile {
  if (isOtlpMessage(bytes)) return buildOtlp(decodeOtlp(bytes));
  const json = new JsonSession('an OTLP profile', buildOtlp);
  json.push(bytes);
  return json.finish();
}
