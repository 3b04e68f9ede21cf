import type { ValueType } from '../model/profile.ts';

/** Returns whether the profile counts goroutines: Go's profile of them, or a dump with their states. */
export const countsGoroutines = ({
  valueTypes,
}: {
  readonly valueTypes: readonly Pick<ValueType, 'type' | 'unit'>[];
}): boolean => valueTypes.some(({ type, unit }) => type === 'goroutine' && unit === 'count');

/** Packages of Go's standard library in which goroutines wait. */
const WAITS =
  /^(?:runtime|internal|sync|time|net|os|io|bufio|context|syscall|vendor|crypto\/tls|log)(?:\/[^():]+)?\.(?!.*::)/;

/** What Go leaves out of its profile with `debug=1`. */
const LEFT_OUT = '[runtime]';

/** Returns whether the function only waits on behalf of another: `runtime.gopark`, `net/http.(*conn).serve`. */
export const isGoroutineWait = (name: string): boolean => name === LEFT_OUT || WAITS.test(name.slice(0, 200));
