/**
 * Wrong uses of modules and kernels.
 *
 * @module
 */
import type { Device } from "../../mod.ts";
import { testSpirv } from "./kernels.ts";
import {
  NO_INTEGERS,
  NO_OBJECTS,
  NO_OPTIONS,
  right,
  type Use,
  without,
  type World,
  type Wrong,
} from "./wrong_values.ts";

/** Each call with what it must refuse. */
export function kernelUses(
  { context, device, module, kernel, memory }: World,
  wrong: Wrong,
): Use[] {
  const spirv = testSpirv("basic");
  const noPointers = [
    ...without(wrong.memories, null, 0, 1, -1n),
    1.5,
    true,
    new Uint32Array(4),
    kernel,
    context,
  ];
  // SPIR-V does not tell whether an integer has a sign.
  const noUint = [
    ...without(NO_INTEGERS, true, false, -1, -1n),
    -(2 ** 31) - 1,
    2 ** 32,
    2n ** 32n,
    undefined,
    memory,
  ];
  const noSides = [...NO_INTEGERS, 0, 2 ** 20];
  return [
    {
      name: "kernel.args(memory, value)",
      parameters: [{ right: memory, wrong: noPointers }, { right: 5, wrong: noUint }],
      call: (...values) => kernel.args(...values),
    },
    {
      name: "kernel.args() of another number",
      parameters: [{ right: [memory, 5], wrong: [[], [memory], [memory, 5, 6]] }],
      call: (values) => kernel.args(...values),
    },
    {
      name: "kernel.setArgument(index, value)",
      parameters: [{ right: 1, wrong: [...NO_INTEGERS, 2] }, { right: 7, wrong: noUint }],
      call: (index, value) => kernel.setArgument(index, value),
    },
    {
      name: "kernel.setGroupSize(x, y, z)",
      parameters: [
        { right: 1, wrong: [...noSides, undefined] },
        { right: 1, wrong: noSides },
        { right: 1, wrong: noSides },
      ],
      call: (...sides: [number]) => kernel.setGroupSize(...sides),
    },
    {
      name: "kernel.suggestGroupSize(x, y, z)",
      parameters: [
        { right: 64, wrong: [...NO_INTEGERS, 0, 2 ** 32] },
        { right: 1, wrong: [...NO_INTEGERS, 0, 2 ** 32] },
        right(1),
      ],
      call: (...sides: [number]) => kernel.suggestGroupSize(...sides),
    },
    {
      name: "kernel.setIndirectAccess(kinds)",
      parameters: [{ right: ["host"], wrong: [...without(NO_OBJECTS, []), ["nope"], [1], "host"] }],
      call: (kinds) => kernel.setIndirectAccess(kinds),
    },
    {
      name: "module.kernel(name)",
      parameters: [{ right: "fill", wrong: ["", "nope", 1, null, undefined, {}, ["fill"]] }],
      call: (name) => module.kernel(name),
      instead: () => module.kernelNames(),
    },
    {
      name: "context.createModule(device, options)",
      parameters: [
        { right: device, wrong: wrong.devices },
        {
          right: { spirv },
          wrong: [
            undefined,
            ...NO_OPTIONS,
            {},
            { spirv, native: spirv },
            ...NO_OBJECTS.map((spirv) => ({ spirv })),
            { spirv: spirv.subarray(0, 19) },
            { spirv: spirv.subarray(1) },
            { spirv: spirv.slice().reverse() },
            ...[1, null, {}].map((buildFlags) => ({ spirv, buildFlags })),
            ...[1, "x", { 1: "x" }, { x: 1 }].map((specializationConstants) => ({
              spirv,
              specializationConstants,
            })),
          ],
        },
      ],
      call: (...args: [Device, { spirv: Uint8Array }]) => context.createModule(...args),
      instead: () => module.kernelNames(),
    },
  ];
}
