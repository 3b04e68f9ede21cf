/**
 * Frees the memory of an array immediately; the array and all others over its buffer are empty afterwards. Garbage
 * collectors free buffers late: without this, the chunks of a finished column of a million rows would stay in memory
 * next to the column.
 */
export function release(array: { readonly buffer: ArrayBufferLike }): void {
  const { buffer } = array;
  // Engines before 2023 lack it; the garbage collector then frees the memory later.
  if (buffer instanceof ArrayBuffer && 'transfer' in ArrayBuffer.prototype) buffer.transfer(0);
}
