/**
 * The fabric: what connects devices with each other, such as Xe Link.
 *
 * @module
 */

import { checkInstance } from "./checks.ts";
import type { Device } from "./device.ts";
import type { Driver } from "./driver.ts";
import { ZeError } from "./error.ts";
import { requireFunction } from "./features.ts";
import { ZE_FABRIC_EXP_NAME } from "./libze/constants.ts";
import {
  ze_bandwidth_unit_t,
  ze_fabric_edge_exp_duplexity_t,
  ze_fabric_vertex_exp_type_t,
  ze_latency_unit_t,
  ze_result_t,
} from "./libze/enums_ze.ts";
import {
  zeDeviceGetFabricVertexExp,
  zeFabricEdgeGetExp,
  zeFabricEdgeGetPropertiesExp,
  zeFabricVertexGetDeviceExp,
  zeFabricVertexGetExp,
  zeFabricVertexGetPropertiesExp,
  zeFabricVertexGetSubVerticesExp,
} from "./libze/functions_ze.ts";
import {
  ze_fabric_edge_exp_properties_t,
  ze_fabric_vertex_exp_properties_t,
} from "./libze/structs_ze.ts";
import { handleList } from "./lists.ts";
import { enumName, type NameOf } from "./names.ts";

type Named<E extends Readonly<Record<string, number>>, Prefix extends string> =
  | NameOf<E, Prefix>
  | `unknown_${string}`;

/** What a vertex is; see `ze_fabric_vertex_exp_properties_t`. */
export interface FabricVertexProperties {
  readonly uuid: string;
  readonly type: Named<typeof ze_fabric_vertex_exp_type_t, "ZE_FABRIC_VERTEX_EXP_TYPE">;
  /** Whether it is in another machine. */
  readonly remote: boolean;
  /** On the PCI bus. */
  readonly address: {
    readonly domain: number;
    readonly bus: number;
    readonly device: number;
    readonly function: number;
  };
}

/** What an edge is; see `ze_fabric_edge_exp_properties_t`. */
export interface FabricEdgeProperties {
  readonly uuid: string;
  /** The technology, such as `XeLink`. */
  readonly model: string;
  /** In `bandwidthUnit`. */
  readonly bandwidth: number;
  readonly bandwidthUnit: Named<typeof ze_bandwidth_unit_t, "ZE_BANDWIDTH_UNIT">;
  /** In `latencyUnit`. */
  readonly latency: number;
  readonly latencyUnit: Named<typeof ze_latency_unit_t, "ZE_LATENCY_UNIT">;
  readonly duplexity: Named<
    typeof ze_fabric_edge_exp_duplexity_t,
    "ZE_FABRIC_EDGE_EXP_DUPLEXITY"
  >;
}

/** One or more links between two vertices. It belongs to the driver; nothing has to be freed. */
export class FabricEdge {
  /** The native handle, for the functions of `@ze/level-zero/libze`. */
  readonly handle: bigint;
  /** What it connects. */
  readonly vertices: readonly [FabricVertex, FabricVertex];

  /** Wraps a handle that a driver gave; use {@linkcode FabricVertex.edgesTo} to get edges. */
  constructor(handle: bigint, vertices: readonly [FabricVertex, FabricVertex]) {
    this.handle = handle;
    this.vertices = vertices;
  }

  /** What it is. */
  get properties(): FabricEdgeProperties {
    const view = ze_fabric_edge_exp_properties_t.create();
    zeFabricEdgeGetPropertiesExp(this.handle, view);
    const { stype: _stype, pNext: _pNext, ...properties } = ze_fabric_edge_exp_properties_t.read(
      view,
    );
    const { bandwidthUnit, latencyUnit, duplexity } = properties;
    return {
      ...properties,
      bandwidthUnit: enumName(ze_bandwidth_unit_t, "ZE_BANDWIDTH_UNIT", bandwidthUnit),
      latencyUnit: enumName(ze_latency_unit_t, "ZE_LATENCY_UNIT", latencyUnit),
      duplexity: enumName(
        ze_fabric_edge_exp_duplexity_t,
        "ZE_FABRIC_EDGE_EXP_DUPLEXITY",
        duplexity,
      ),
    };
  }
}

/**
 * A device, a part of one, or a switch, in the fabric. It belongs to the
 * driver; nothing has to be freed.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=fabric | Fabric}.
 */
export class FabricVertex {
  /** The native handle, for the functions of `@ze/level-zero/libze`. */
  readonly handle: bigint;
  /** The driver that knows it. */
  readonly driver: Driver;

  /** Wraps a handle that a driver gave; use {@linkcode Driver.fabricVertices} to get vertices. */
  constructor(handle: bigint, driver: Driver) {
    this.handle = handle;
    this.driver = driver;
  }

  /** What it is. */
  get properties(): FabricVertexProperties {
    const view = ze_fabric_vertex_exp_properties_t.create();
    zeFabricVertexGetPropertiesExp(this.handle, view);
    const { uuid, type, remote, address } = ze_fabric_vertex_exp_properties_t.read(view);
    return {
      uuid,
      type: enumName(ze_fabric_vertex_exp_type_t, "ZE_FABRIC_VERTEX_EXP_TYPE", type),
      remote,
      address,
    };
  }

  /** The device or part of one that it is; undefined for a switch and for another machine's. */
  get device(): Device | undefined {
    const found = handleOrUndefined((handle) => zeFabricVertexGetDeviceExp(this.handle, handle));
    const devices = this.driver.devices;
    return [...devices, ...devices.flatMap((device) => device.subDevices)]
      .find(({ handle }) => handle === found);
  }

  /** The vertices of the parts of the device that it is. */
  get subVertices(): readonly FabricVertex[] {
    return handleList((count, list) => zeFabricVertexGetSubVerticesExp(this.handle, count, list))
      .map((handle) => new FabricVertex(handle, this.driver));
  }

  /**
   * The edges between it and another vertex.
   *
   * @throws {ArgumentTypeError} If that is no vertex.
   */
  edgesTo(other: FabricVertex): readonly FabricEdge[] {
    checkInstance("FabricVertex.edgesTo", "other", other, FabricVertex);
    return handleList((count, list) => zeFabricEdgeGetExp(this.handle, other.handle, count, list))
      .map((handle) => new FabricEdge(handle, [this, other]));
  }
}

/** See {@linkcode Driver.fabricVertices}. */
export function fabricVertices(driver: Driver): readonly FabricVertex[] {
  requireFunction("Driver.fabricVertices", driver, "zeFabricVertexGetExp", ZE_FABRIC_EXP_NAME);
  return handleList((count, list) => zeFabricVertexGetExp(driver.handle, count, list))
    .map((handle) => new FabricVertex(handle, driver));
}

/** See {@linkcode Device.fabricVertex}. */
export function fabricVertexOf({ handle, driver }: Device): FabricVertex | undefined {
  requireFunction(
    "Device.fabricVertex",
    driver,
    "zeDeviceGetFabricVertexExp",
    ZE_FABRIC_EXP_NAME,
  );
  const found = handleOrUndefined((vertex) => zeDeviceGetFabricVertexExp(handle, vertex));
  return found === undefined ? undefined : new FabricVertex(found, driver);
}

/** What a driver answers when there is none. */
const NONE: readonly number[] = [
  ze_result_t.ZE_RESULT_EXP_ERROR_DEVICE_IS_NOT_VERTEX,
  ze_result_t.ZE_RESULT_EXP_ERROR_VERTEX_IS_NOT_DEVICE,
  ze_result_t.ZE_RESULT_EXP_ERROR_REMOTE_DEVICE,
];

function handleOrUndefined(get: (handle: BigUint64Array) => unknown): bigint | undefined {
  const handle = new BigUint64Array(1);
  try {
    get(handle);
  } catch (error) {
    if (error instanceof ZeError && NONE.includes(error.code)) return undefined;
    throw error;
  }
  return handle[0] || undefined;
}
