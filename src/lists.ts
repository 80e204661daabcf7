/**
 * The two-call pattern of Level Zero's lists: ask for the count, then for the
 * elements.
 *
 * @module
 */

/** Handles, from a function that takes a count and an array of handles or null. */
export function handleList(
  get: (count: Uint32Array, handles: BigUint64Array | null) => unknown,
): bigint[] {
  const count = new Uint32Array(1);
  get(count, null);
  if (count[0] === 0) return [];
  const handles = new BigUint64Array(count[0]!);
  get(count, handles);
  // There may be fewer by now: a device can be unplugged between the calls.
  return [...handles.subarray(0, count[0])];
}

/** A generated struct, as far as lists of it go. */
interface Codec<T> {
  array(length: number): Uint8Array;
  readAll(view: ArrayBufferView, length: number): T[];
}

/** Structs, from a function that takes a count and an array of structs or null. */
export function structList<T>(
  codec: Codec<T>,
  get: (count: Uint32Array, structs: Uint8Array | null) => unknown,
): T[] {
  const count = new Uint32Array(1);
  get(count, null);
  if (count[0] === 0) return [];
  const structs = codec.array(count[0]!);
  get(count, structs);
  return codec.readAll(structs, count[0]!);
}

/** Bytes, from a function that takes a size and a buffer or null. */
export function byteList(
  get: (size: BigUint64Array, bytes: Uint8Array | null) => unknown,
): Uint8Array<ArrayBuffer> {
  const size = new BigUint64Array(1);
  get(size, null);
  const bytes = new Uint8Array(Number(size[0]));
  if (bytes.length > 0) get(size, bytes);
  return bytes;
}

/** Text that ends at its NUL byte, or at the end. */
export function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
