/**
 * Returns a predicate for texts that contain each word of the query, ignoring case and order; true for an empty query.
 */
export function containsWords(query: string): (text: string) => boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const whole = text.toLowerCase();
    return words.every((word) => whole.includes(word));
  };
}
