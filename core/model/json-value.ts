/** Returns the value of JSON text; undefined, which no JSON text means, if it is not valid. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
