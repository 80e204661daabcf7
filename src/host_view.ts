/**
 * Views of native memory that end with it: when the memory is freed, the buffer
 * is detached, so that no view of it shows what is there afterwards.
 *
 * @module
 */

import { viewAt } from "./ffi/mod.ts";

/** What has to live as long as a buffer over its memory can be reached. */
const owners = new WeakMap<ArrayBufferLike, object>();

/** The memory that a buffer shows, if it is one of ours. */
export function ownerOf(buffer: ArrayBufferLike): object | undefined {
  return owners.get(buffer);
}

/**
 * The one buffer over an allocation, as what frees the memory knows it. That is
 * reachable until the memory is freed, so it must not keep the buffer; the
 * owner does, and the buffer keeps the owner.
 */
export class HostView {
  #buffer: WeakRef<ArrayBuffer> | undefined;

  /** Makes the buffer; once. The owner has to keep it. */
  create(owner: object, address: bigint, byteLength: number): ArrayBuffer {
    const { buffer } = viewAt(address, byteLength);
    this.#buffer = new WeakRef(buffer);
    owners.set(buffer, owner);
    return buffer;
  }

  /**
   * Takes the memory away from the buffer and all views of it: they are empty
   * from now on. Nothing is copied. False if the memory can still be seen, by
   * a buffer that this one was transferred to: it must not be freed then.
   */
  detach(): boolean {
    const buffer = this.#buffer?.deref();
    if (!buffer) return true;
    if (buffer.detached) return false;
    buffer.transfer(0);
    return buffer.detached;
  }
}
