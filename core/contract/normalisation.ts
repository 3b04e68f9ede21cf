export const NORMALISATIONS = ['raw', 'share', 'per-second', 'per-cpu-second', 'per-request'] as const;
export type Normalisation = (typeof NORMALISATIONS)[number];
