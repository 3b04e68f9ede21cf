/**
 * Returns the half width of Robbins' mixture of normals for the mean of `n` windows with variance `variance`: with
 * probability 1 − `alpha` the true mean lies within it at every `n`. It is narrowest at `best` windows (ADR 13).
 */
export function robbinsReach(variance: number, n: number, alpha: number, best: number): number {
  const log = Math.log(alpha);
  const rho2 = (Math.log(1 - 2 * log) - 2 * log) / best;
  const at = n * rho2;
  return Math.sqrt(variance * ((2 * (at + 1)) / (n * at)) * (Math.log(at + 1) / 2 - log));
}
