/** Whether a text holds each word of what is written, in whatever case and order; all do where nothing is. */
export function holdsWords(query: string): (text: string) => boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const whole = text.toLowerCase();
    return words.every((word) => whole.includes(word));
  };
}
