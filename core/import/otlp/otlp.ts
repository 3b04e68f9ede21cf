import type { Importer } from '../importer.ts';

/** Profiles of OpenTelemetry's protocol with its dictionary, as JSON or protobuf. */
export const otlpImporter: Importer = {
  id: 'otlp',
  label: 'OpenTelemetry profiles (OTLP)',
  extensions: ['otlp', 'otlp.json', 'otlp.pb', 'json'],
  keeps:
    'every sample with its values and times; stacks with addresses, modules, files, lines and inlined frames; processes, threads and other attributes as labels; period, duration',
  loses:
    'columns, links to spans, mapping addresses, original payloads, scopes; the protocol before version 1.10 has other fields',
  recognizedBy: 'JSON with `resourceProfiles` or a `dictionary` of tables; a message of resources, scopes and profiles',
  specification:
    'https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/profiles/v1development/profiles.proto',
  differences: true,
  sniff: ({ text, bytes }) =>
    /^\s*\{\s*"(?:resourceProfiles"\s*:\s*\[|dictionary"\s*:\s*\{\s*"\w+Table")/.test(text) || isOtlpMessage(bytes)
      ? 'yes'
      : 'no',
  start: async () => new (await import('./session.ts')).OtlpSession(),
};

/** Returns whether bytes begin with a resource, its scope, its profile and the type of its samples. */
export function isOtlpMessage(bytes: Uint8Array): boolean {
  let at = 0;
  const length = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 32; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    return value;
  };
  /** Enters field 1 or 2, after field 1 if it may come before. */
  const enter = (tag: number, before: number): boolean => {
    if (bytes[at] === before) {
      at += 1;
      const skipped = length();
      at += skipped;
    }
    if (bytes[at] !== tag) return false;
    at += 1;
    return length() > 0;
  };
  return enter(0x0a, -1) && enter(0x12, 0x0a) && enter(0x12, 0x0a) && enter(0x0a, -1) && bytes[at] === 0x08;
}
