import { decodeOtlp } from '../import/otlp/wire.ts';
import type { Profile } from '../model/profile.ts';
import { JsonText } from './json-text.ts';
import { writeOtlp } from './otlp.ts';

/** Writes what {@link writeOtlp} does as OTLP's JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). */
export function writeOtlpJson(profile: Profile, write: (chunk: Uint8Array) => void): void {
  const out = new JsonText(write);
  let separator = '{';
  writeOtlp(profile, (message) => {
    for (const [name, value] of Object.entries(decodeOtlp(message))) {
      out.key(`${separator}"${name}"`);
      put(out, name, value);
      separator = ',\n';
    }
  });
  out.put('}\n');
  out.flush();
}

/** Writes the value of a field; messages nest only as deep as the protocol. */
function put(out: JsonText, field: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) out.put(textOf(field, value));
  else if (Array.isArray(value)) {
    out.put('[');
    value.forEach((one, row) => {
      if (row > 0) out.put(',');
      put(out, field, one);
    });
    out.put(']');
  } else {
    let separator = '{';
    for (const [name, own] of Object.entries(value)) {
      out.key(`${separator}"${name}"`);
      put(out, name, own);
      separator = ',';
    }
    out.put(separator === '{' ? '{}' : '}');
  }
}

/** Rows of tables have 32 bits; other integers have 64, which are texts in JSON. */
const ROW = /ind(?:ex|ices)$/i;

function textOf(field: string, value: unknown): string {
  if (typeof value !== 'number' && typeof value !== 'bigint') return JSON.stringify(value);
  if (ROW.test(field) || (field === 'doubleValue' && Number.isFinite(value))) return String(value);
  return `"${field === 'address' ? BigInt.asUintN(64, BigInt(value)) : value}"`;
}
