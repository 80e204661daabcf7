/**
 * Who frees what, and when: the order in which native objects are destroyed,
 * whether by `dispose`, by `using`, or by the garbage collector.
 *
 * @module
 */

import { UseAfterDisposeError } from "./error.ts";
import { reportLeak, whereCreated } from "./leaks.ts";
import { whenUnused } from "./library.ts";

/** Sets a resource free whose object was collected without having been disposed. */
const collected = new FinalizationRegistry<Resource>((resource) => {
  reportLeak(resource);
  resource.release();
});

/** Something that knows of work of the device which uses a resource. */
export interface Holder {
  /** Finds out whether the work has ended by now; lets go of the resource if so. */
  poll(): void;
  /** Sees to it that the resource is let go when the work has ended. */
  drain(): void;
}

/** What else {@linkcode Resource} may have to do. */
export interface ResourceOptions {
  /**
   * Called once, when it is released and before it is destroyed; it may
   * {@linkcode Resource.hold} it until work on the device has ended.
   */
  readonly onRelease?: () => void;
  /**
   * Destroys it where the caller of `releaseAsync` waits for that, instead of
   * `destroy`, and also while the device works with it.
   */
  readonly destroyAsync?: (handle: bigint) => Promise<void>;
}

/**
 * A native object's handle, apart from the TypeScript object that people hold:
 * the two end at different times. The handle is destroyed once it was released,
 * no call uses it any more, and everything made from it is destroyed.
 */
export class Resource {
  /** What it is, such as `Context`. */
  readonly what: string;
  /** Where in the program it was made; known only when leaks are tracked. */
  readonly created: string | undefined;
  readonly #handle: bigint;
  readonly #destroy: (handle: bigint) => void;
  readonly #parent: Resource | undefined;
  readonly #options: ResourceOptions;
  /** In order of creation. */
  readonly #children = new Set<Resource>();
  /** Native calls on other threads. */
  #uses = 0;
  /** Those who know of work of the device. */
  #holders: Set<Holder> | undefined;
  #released = false;
  #destroyed = false;
  /** Destroying may take its time: whether it is over. */
  #told = false;
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
    options: ResourceOptions = {},
  ) {
    this.what = what;
    this.created = whereCreated();
    this.#options = options;
    this.#handle = handle;
    this.#destroy = destroy;
    this.#parent = parent;
    if (parent?.released) {
      destroy(handle);
      throw new UseAfterDisposeError(parent.what);
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
    if (this.#released) throw new UseAfterDisposeError(this.what);
    return this.#handle;
  }

  /** Whether work of the device is not known to have ended. */
  get held(): boolean {
    return this.#holders !== undefined && this.#holders.size > 0;
  }

  /** The device begins to work with it: it is not destroyed until {@linkcode Resource.unhold}. */
  hold(holder: Holder): void {
    (this.#holders ??= new Set()).add(holder);
  }

  /** The device has ended what {@linkcode Resource.hold} was called for. */
  unhold(holder: Holder): void {
    this.#holders?.delete(holder);
    this.#destroyIfUnused();
  }

  /** Whether the device still works with it, as far as can be found out at once. */
  pollHeld(): boolean {
    if (!this.held) return false;
    for (const holder of [...this.#holders!]) holder.poll();
    return this.held;
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
    this.#begin();
    if (this.pollHeld()) { for (const holder of [...this.#holders!]) holder.drain(); }
    this.#destroyIfUnused();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #begin(): void {
    let failure: unknown;
    for (const child of [...this.#children].reverse()) {
      try {
        child.release();
      } catch (error) {
        // The others are freed all the same; the first failure is the one to tell.
        failure ??= error;
      }
    }
    this.#options.onRelease?.();
    this.#failure ??= failure;
  }

  /** Gives the handle up and resolves when it is destroyed; rejects with what the driver said. */
  async releaseAsync(): Promise<void> {
    if (this.#released) await this.#end();
    else if (this.#options.destroyAsync) await this.#releaseBy(this.#options.destroyAsync);
    else {
      this.release();
      await this.#end();
    }
  }

  /** Lets the driver itself wait for the device, on another thread. */
  async #releaseBy(destroyAsync: (handle: bigint) => Promise<void>): Promise<void> {
    this.#released = true;
    collected.unregister(this);
    this.#begin();
    if (this.#uses > 0 || this.#children.size > 0 || this.#usedByOthers()) {
      this.#destroyIfUnused();
      return await this.#end();
    }
    this.#destroyed = true;
    try {
      await destroyAsync(this.#handle);
    } catch (error) {
      this.#failure ??= error;
    }
    this.#tell();
    await this.#end();
  }

  async #end(): Promise<void> {
    if (!this.#told) {
      await new Promise<void>((resolve) => this.#whenDestroyed.push(resolve));
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  #destroyIfUnused(): void {
    const inUse = this.#uses > 0 || this.held || this.#children.size > 0;
    if (!this.#released || this.#destroyed || inUse || this.#usedByOthers()) return;
    this.#destroyed = true;
    try {
      this.#destroy(this.#handle);
    } catch (error) {
      this.#failure ??= error;
    }
    this.#tell();
  }

  /** Whether calls of the C API, which the program made itself, still have the handle. */
  #usedByOthers(): boolean {
    const unused = whenUnused(this.#handle);
    void unused?.then(() => this.#destroyIfUnused());
    return unused !== undefined;
  }

  /** The handle is gone: whoever waited goes on. */
  #tell(): void {
    this.#told = true;
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
   * as it is used, other than by calls that are under way.
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
