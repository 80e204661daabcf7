/**
 * What a person needs to know when Level Zero does not come up: init answers
 * ZE_RESULT_ERROR_UNINITIALIZED whatever the cause is.
 *
 * @module
 */

import { accessible, environment, list, platform } from "./ffi/system.ts";

/** Where the kernel's GPU and NPU drivers put their devices. */
const DEVICE_FILES: readonly { folder: string; pattern: RegExp }[] = [
  { folder: "/dev/dri", pattern: /^renderD\d+$/ },
  { folder: "/dev/accel", pattern: /^accel\d+$/ },
];

/** The variables that change which drivers and layers the loader takes. */
const VARIABLES = [
  "ZE_ENABLE_ALT_DRIVERS",
  "ZE_AFFINITY_MASK",
  "ZE_FLAT_DEVICE_HIERARCHY",
  "ZE_ENABLE_PCI_ID_DEVICE_ORDER",
  "ZE_SHARED_FORCE_DEVICE_ALLOC",
  "ZEL_DRIVERS_ORDER",
] as const;

/**
 * The switches. The loader takes the text `1` for on and everything else for
 * off, so that `true` is silently off; `2` means something for two of them.
 */
const SWITCHES: Readonly<Record<string, readonly string[]>> = {
  ZE_ENABLE_NULL_DRIVER: ["0", "1"],
  ZE_ENABLE_VALIDATION_LAYER: ["0", "1"],
  ZE_ENABLE_PARAMETER_VALIDATION: ["0", "1"],
  ZE_ENABLE_HANDLE_LIFETIME: ["0", "1"],
  ZE_ENABLE_TRACING_LAYER: ["0", "1"],
  ZES_ENABLE_SYSMAN: ["0", "1"],
  ZE_ENABLE_LOADER_DEBUG_TRACE: ["0", "1", "2"],
  ZEL_ENABLE_LOADER_LOGGING: ["0", "1", "2"],
};

/** The part of the machine's state that init depends on, a line for each finding. */
export function describeMachine(): string[] {
  return [...describeDeviceFiles(), ...describeVariables()];
}

function describeDeviceFiles(): string[] {
  if (platform() !== "linux") return [];
  const lines: string[] = [];
  let listed = false;
  for (const { folder, pattern } of DEVICE_FILES) {
    const names = list(folder);
    if (!names) continue;
    listed = true;
    for (const name of names.filter((name) => pattern.test(name)).sort()) {
      const file = `${folder}/${name}`;
      const access = accessible(file);
      lines.push(
        access === undefined
          ? `${file} is there`
          : access
          ? `${file} is there and may be used`
          : `${file} is there, but this user may not read and write it: join the group \`render\` or \`video\``,
      );
    }
  }
  if (lines.length > 0) return lines;
  return [
    listed
      ? "no /dev/dri/renderD* and no /dev/accel/accel* is there: the kernel has no driver for a GPU or NPU here"
      : "/dev/dri and /dev/accel are not there or may not be read: no GPU or NPU is known to the kernel, or this is a container or a program without access to them",
  ];
}

function describeVariables(): string[] {
  const lines: string[] = [];
  for (const name of [...VARIABLES, ...Object.keys(SWITCHES)]) {
    const value = environment(name);
    if (value === undefined) continue;
    const accepted = SWITCHES[name];
    lines.push(
      accepted && !accepted.includes(value)
        ? `${name}=${value} is set, which the loader takes for off: set it to 1`
        : `${name}=${value} is set`,
    );
  }
  return lines;
}
