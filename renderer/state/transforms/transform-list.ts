import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';

type List = readonly NamedTransform[];

/** With another at the end; an equal one that is there already is switched on instead. */
export function added(list: List, transform: NamedTransform): List {
  const same = JSON.stringify({ ...transform, enabled: true });
  const at = list.findIndex((one) => JSON.stringify({ ...one, enabled: true }) === same);
  return at < 0 ? [...list, transform] : replaced(list, at, { ...list[at]!, enabled: true });
}

export function replaced(list: List, index: number, transform: NamedTransform): List {
  return list.map((one, at) => (at === index ? transform : one));
}

export function removed(list: List, index: number): List {
  return list.filter((_, at) => at !== index);
}

/** Moved to the place that `to` has once it is taken out; kept inside the list. */
export function moved(list: List, index: number, to: number): List {
  const rest = removed(list, index);
  const place = Math.max(0, Math.min(rest.length, to));
  return [...rest.slice(0, place), list[index]!, ...rest.slice(place)];
}

export function toggled(list: List, index: number): List {
  const one = list[index]!;
  return replaced(list, index, { ...one, enabled: !one.enabled });
}

export function allEnabled(list: List, enabled: boolean): List {
  return list.map((one) => ({ ...one, enabled }));
}
