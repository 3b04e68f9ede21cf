/** A sample of a Prometheus exposition. */
export interface PrometheusSample {
  readonly value: number;
  /** The value only grows: its change per second is what says something. */
  readonly isCounter: boolean;
}

/** Maximum number of samples that are read from one answer. */
const MAX_SAMPLES = 20_000;

const LINE =
  /^([A-Za-z_:][\w:]{0,199})(\{[^\n]{0,1000}\})?[ \t]+([+-]?(?:[\d.]+(?:e[+-]?\d+)?|Inf|NaN))(?:[ \t]+-?\d+)?$/i;

/**
 * Reads the text format of Prometheus and OpenMetrics: samples by name with labels. Buckets of histograms, values that
 * are not finite and lines that are not samples are left out. See prometheus.io/docs/instrumenting/exposition_formats.
 */
export function readPrometheus(text: string): Map<string, PrometheusSample> {
  const types = new Map<string, string>();
  const samples = new Map<string, PrometheusSample>();
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\S{1,200}) (\w+)/.exec(line);
    if (type !== null) types.set(type[1]!, type[2]!);
    const [, name = '', labels = '', word = ''] = LINE.exec(line.trim()) ?? [];
    const value = Number(word);
    if (name === '' || name.endsWith('_bucket') || !Number.isFinite(value)) continue;
    if (samples.size >= MAX_SAMPLES) break;
    const isCounter = types.get(name) === 'counter' || /_(?:total|count|sum)$/.test(name);
    samples.set(name + labels, { value, isCounter });
  }
  return samples;
}
