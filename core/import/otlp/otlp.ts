import type { Importer } from '../importer.ts';
import { isOtlpMessage } from './sniff.ts';

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
  start: async () => (await import('./session.ts')).otlpSession(),
};
