/**
 * Who frees what, and when: the order in which native objects are destroyed,
 * whether by `dispose`, by `using`, or by the garbage collector.
 *
 * @module
 */

import { UseAfterDisposeError } from "./error.ts";

/** Sets a resource free whose object was collected without having been disposed. */
const collected = new FinalizationRegistry<Resource>((resource) => resource.release());

/**
 * A native object's handle, apart from the TypeScript object that people hold:
 * the two end at different times. The handle is destroyed once it was released,
 * no call uses it any more, and everything made from it is destroyed.
 */
export class Resource {
  readonly #what: string;
  readonly #handle: bigint;
  readonly #destroy: (handle: bigint) => void;
  readonly #parent: Resource | undefined;
  /** In order of creation. */
  readonly #children = new Set<Resource>();
  #uses = 0;
  #released = false;
  #destroyed = false;
  #failure: unknown;
  readonly #whenDestroyed: (() => void)[] = [];

  /**
   * Takes over a handle; `destroy` is called with it exactly once.
   *
   * @throws {UseAfterDisposeError} If the parent was released while the call
   * that made the handle was under way; the handle is destroyed then.
   */
  constructor(
    what: string,
    handle: bigint,
    destroy: (handle: bigint) => void,
    parent?: Resource,
  ) {
    this.#what = what;
    this.#handle = handle;
    this.#destroy = destroy;
    this.#parent = parent;
    if (parent?.released) {
      destroy(handle);
      throw new UseAfterDisposeError(parent.#what);
    }
    if (parent) parent.#children.add(this);
  }

  /** Whether it was released; its handle may still be in use by pending calls. */
  get released(): boolean {
    return this.#released;
  }

  /**
   * The handle, for a call that is over before the caller goes on.
   *
   * @throws {UseAfterDisposeError} If it was released.
   */
  get handle(): bigint {
    if (this.#released) throw new UseAfterDisposeError(this.#what);
    return this.#handle;
  }

  /** Releases this when `owner` is collected. */
  watch(owner: object): void {
    collected.register(owner, this, this);
  }

  /** Keeps the handle from being destroyed until the Promise settles. */
  async use<T>(work: (handle: bigint) => Promise<T>): Promise<T> {
    const handle = this.handle;
    this.#uses++;
    try {
      return await work(handle);
    } finally {
      this.#uses--;
      this.#destroyIfUnused();
    }
  }

  /** Gives the handle up, and all that was made from it, newest first. Twice is the same as once. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    collected.unregister(this);
    for (const child of [...this.#children].reverse()) child.release();
    this.#destroyIfUnused();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Gives the handle up and resolves when it is destroyed; rejects with what the driver said. */
  async releaseAsync(): Promise<void> {
    this.release();
    if (!this.#destroyed) {
      await new Promise<void>((resolve) => this.#whenDestroyed.push(resolve));
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  #destroyIfUnused(): void {
    if (!this.#released || this.#destroyed || this.#uses > 0 || this.#children.size > 0) return;
    this.#destroyed = true;
    try {
      this.#destroy(this.#handle);
    } catch (error) {
      this.#failure = error;
    }
    for (const resolve of this.#whenDestroyed.splice(0)) resolve();
    const parent = this.#parent;
    if (!parent) return;
    parent.#children.delete(this);
    parent.#destroyIfUnused();
  }
}

/**
 * The base of the objects that own a native handle. Disposing one disposes what
 * was made from it first, newest first; native calls that are still under way
 * are waited for, after which the handle is destroyed. Disposing twice does
 * nothing. An object that is collected undisposed is freed too, at some time.
 */
export abstract class OwnedObject implements Disposable, AsyncDisposable {
  /** The handle and what depends on it. Not part of the public interface. */
  readonly resource: Resource;

  /** Makes the object the owner of the resource. */
  protected constructor(resource: Resource) {
    this.resource = resource;
    resource.watch(this);
  }

  /**
   * The native handle, to call the functions of `@ze/level-zero/libze` with. It
   * stays owned by this object: never destroy it, and keep this object as long
   * as it is used.
   *
   * @throws {UseAfterDisposeError} After dispose.
   */
  get handle(): bigint {
    return this.resource.handle;
  }

  /** Whether it was disposed, or what it was made from was. */
  get disposed(): boolean {
    return this.resource.released;
  }

  /**
   * Frees it now, or when the nonblocking calls that use it have settled.
   *
   * @throws {ZeError} If the driver refuses. It is not tried again.
   */
  dispose(): void {
    this.resource.release();
  }

  /** The same as {@linkcode OwnedObject.dispose}, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Frees it, and resolves when it is freed; for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.resource.releaseAsync();
  }
}
