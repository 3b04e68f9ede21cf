/** Far more terms than any argument here needs; a fraction that has not converged by then is a defect. */
const MAX_TERMS = 10_000;
const EPSILON = 2 ** -52;
/** Keeps Lentz's method from dividing by zero. */
const TINY = 1e-300;
const SQRT_TWO_PI = Math.sqrt(2 * Math.PI);
/** From this value on, the normal tail's fraction converges faster than its series. */
const SERIES_END = 2.5;
/**
 * Degrees of freedom from which Student's t is treated as normal; the beta function's fraction would need ever more
 * terms.
 */
const NEARLY_NORMAL = 1e6;

/** Lanczos' approximation with g = 7 and nine terms (coefficients: P. Godfrey, 2001); relative error about 1e-15. */
const LANCZOS = [
  0.999_999_999_999_809_93, 676.520_368_121_885_1, -1_259.139_216_722_402_8, 771.323_428_777_653_13,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
] as const;

/** Returns the natural logarithm of Γ(x), x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const shifted = x - 1;
  const base = shifted + 7.5;
  let sum: number = LANCZOS[0];
  for (let place = 1; place < LANCZOS.length; place++) sum += LANCZOS[place]! / (shifted + place);
  return Math.log(SQRT_TWO_PI * sum) + (shifted + 0.5) * Math.log(base) - base;
}

/**
 * The regularised incomplete beta function I_x(a, b), 0 ≤ x ≤ 1, a and b > 0. `y` is 1 − x, passed separately because
 * the difference could lose digits. Continued fraction 26.5.8 of Abramowitz & Stegun by Lentz's method, as in Press et
 * al., Numerical Recipes, 6.4.
 */
export function incompleteBeta(x: number, a: number, b: number, y = 1 - x): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(y, b, a, x);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(y));
  return (front * betaFraction(x, a, b)) / a;
}

function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const step = d * c;
    fraction *= step;
    if (Math.abs(step - 1) < 4 * EPSILON) return fraction;
  }
  throw new RangeError(`the incomplete beta function of ${x}, ${a}, ${b} does not settle`);
}

/** Returns the probability that a standard normal value is beyond ±z. */
export function normalTwoSided(z: number): number {
  const size = Math.abs(z);
  return size < SERIES_END ? 1 - 2 * density(size) * centreSeries(size) : 2 * density(size) * tailFraction(size);
}

const density = (z: number): number => Math.exp((-z * z) / 2) / SQRT_TWO_PI;

/** Returns (Φ(z) − ½) ÷ φ(z): Abramowitz & Stegun 26.2.11. */
function centreSeries(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; term > sum * EPSILON; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum;
}

/**
 * (1 − Φ(z)) ÷ φ(z): Abramowitz & Stegun 26.2.14, evaluated from its end. 200 terms suffice for every z from 2.5 on.
 */
function tailFraction(z: number): number {
  let below = z;
  for (let term = 200; term > 0; term--) below = z + term / below;
  return 1 / below;
}

/**
 * Probability that Student's t with the given degrees of freedom (any number above 0; Infinity: the normal
 * distribution) is beyond ±t.
 */
export function studentTwoSided(t: number, freedom: number): number {
  if (freedom === Infinity) return normalTwoSided(t);
  const square = t * t;
  if (square === Infinity) return 0;
  // Wallace, Ann. Math. Statist. 30 (1959); its relative error is below 1e-7 wherever p is above 1e-300.
  if (freedom >= NEARLY_NORMAL) return normalTwoSided(Math.sqrt((freedom - 0.5) * Math.log1p(square / freedom)));
  return incompleteBeta(freedom / (freedom + square), freedom / 2, 0.5, square / (freedom + square));
}

/**
 * Returns the t ≥ 0 with probability p beyond ±t, 0 < p ≤ 1. Newton's method on the logarithms of t and p, where the
 * tail is nearly linear; steps stay within the known bounds of the answer.
 */
export function studentQuantile(p: number, freedom: number): number {
  if (!(p > 0 && p <= 1)) throw new RangeError(`no quantile of probability ${p}`);
  if (p === 1) return 0;
  let low = 0;
  let high = Infinity;
  let t = firstGuess(p, freedom);
  for (let round = 0; round < 200; round++) {
    const tail = studentTwoSided(t, freedom);
    if (tail > p) low = t;
    else high = t;
    const slope = (2 * studentDensity(t, freedom) * t) / tail;
    const next = t * Math.exp(Math.log(tail / p) / slope);
    const inside = next > low && next < high;
    const then = inside ? next : high === Infinity ? t * 2 : (low + high) / 2;
    if (Math.abs(then - t) <= 4 * EPSILON * t) return then;
    t = then;
  }
  return t;
}

/** Abramowitz & Stegun 26.2.23 for the normal distribution, widened by the first term of 26.7.5. */
function firstGuess(p: number, freedom: number): number {
  const r = Math.sqrt(-2 * Math.log(p / 2));
  const below = 1 + r * (1.432_788 + r * (0.189_269 + r * 0.001_308));
  const z = Math.max(1e-8, r - (2.515_517 + r * (0.802_853 + r * 0.010_328)) / below);
  return z + (z ** 3 + z) / (4 * freedom);
}

function studentDensity(t: number, freedom: number): number {
  if (freedom >= NEARLY_NORMAL) return density(t);
  const scale = logGamma((freedom + 1) / 2) - logGamma(freedom / 2) - Math.log(freedom * Math.PI) / 2;
  return Math.exp(scale - ((freedom + 1) / 2) * Math.log1p((t * t) / freedom));
}
