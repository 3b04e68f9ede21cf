/** From here on, three terms of the asymptotic series give twelve digits. */
const SERIES_START = 20;
/** Of Newton's method, which settles in a few. */
const MAX_ROUNDS = 50;

/** ψ(x), the derivative of log Γ(x), x > 0: the recurrence 6.3.5 and the series 6.3.18 of Abramowitz & Stegun. */
export function digamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < SERIES_START; at++) sum -= 1 / at;
  const square = 1 / at ** 2;
  return sum + Math.log(at) - 1 / (2 * at) - square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)));
}

/** ψ′(x), x > 0: 6.4.6 and 6.4.12 of Abramowitz & Stegun. */
export function trigamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < SERIES_START; at++) sum += 1 / at ** 2;
  const square = 1 / at ** 2;
  return sum + 1 / at + square / 2 + (square / at) * (1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30)));
}

/** ψ″(x), x > 0: 6.4.6 and 6.4.13 of Abramowitz & Stegun. */
function tetragamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < SERIES_START; at++) sum -= 2 / at ** 3;
  const square = 1 / at ** 2;
  return sum - square * (1 + 1 / at + square * (1 / 2 - square * (1 / 6 - square * (1 / 6 - square * 0.3))));
}

/** The x > 0 of which ψ′(x) is y, y > 0: Newton's method on 1 ÷ ψ′, which is nearly a straight line (Smyth 2004, appendix). */
export function trigammaInverse(y: number): number {
  let x = 0.5 + 1 / y;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const value = trigamma(x);
    const step = (value * (1 - value / y)) / tetragamma(x);
    x += step;
    if (Math.abs(step) < 1e-10 * x) break;
  }
  return x;
}
