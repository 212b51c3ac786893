/**
 * Joins the chunks of a body as they arrive. Kept one by one, each chunk would take hundreds of bytes of memory, so a
 * client that sends a byte at a time could fill the memory with a body of a few megabytes.
 */
export class GrowingBuffer {
  #block: Buffer<ArrayBuffer> = Buffer.alloc(0);
  #length = 0;

  append(chunk: Buffer<ArrayBuffer>): void {
    const length = this.#length + chunk.byteLength;
    // Most bodies arrive in one chunk, which needs no copy.
    if (this.#length === 0) this.#block = chunk;
    else {
      if (length > this.#block.byteLength) this.#grow(length);
      chunk.copy(this.#block, this.#length);
    }
    this.#length = length;
  }

  /** What has arrived so far. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#block.subarray(0, this.#length);
  }

  #grow(least: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(least, 2 * this.#block.byteLength));
    this.#block.copy(larger, 0, 0, this.#length);
    this.#block = larger;
  }
}
