/** Reads output that nobody needs, so that its process is not blocked; never rejects. */
export async function discardOutput(output: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of output);
  } catch {
    // The link is lost, which ends the other output, too.
  }
}
