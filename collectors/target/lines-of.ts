/** Longer lines are cut. Characters; a line of /proc is shorter. */
const MAX_LINE = 4096;

/** Splits output into its lines; a last one without an end is left out. */
export async function* linesOf(output: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!.slice(0, MAX_LINE);
    yield* lines;
  }
}
