/**
 * Writes SPIR-V modules of any size, so that a compile takes as long as a demo
 * or a test needs, and no compiler is needed to make one.
 *
 * Each kernel `name(global float* data)` replaces `data[i]` by a long chain of
 * arithmetic on it. See the SPIR-V specification for the instructions.
 *
 * @module
 */

/** What a module holds. */
export interface SpirvModuleOptions {
  /** The kernels' names. */
  readonly kernels: readonly string[];
  /** Steps of arithmetic in each kernel, 1 by default; each adds about 40 bytes. */
  readonly steps?: number;
  /** The kind of step: `cheap` is a multiplication and addition, `costly` a cosine. */
  readonly step?: "cheap" | "costly";
  /** Computes in `double` instead of `float`, which not every device can. */
  readonly doubles?: boolean;
  /** Specialization constants of type `uint`, by SpecId; the first kernel adds them to its result. */
  readonly specializationConstants?: readonly number[];
}

/** Opcodes and operands, by their names in the specification. */
const Op = {
  ExtInstImport: 11,
  ExtInst: 12,
  MemoryModel: 14,
  EntryPoint: 15,
  Capability: 17,
  TypeVoid: 19,
  TypeInt: 21,
  TypeFloat: 22,
  TypeVector: 23,
  TypePointer: 32,
  TypeFunction: 33,
  Constant: 43,
  SpecConstant: 50,
  Function: 54,
  FunctionParameter: 55,
  FunctionEnd: 56,
  Variable: 59,
  Load: 61,
  Store: 62,
  InBoundsPtrAccessChain: 70,
  Decorate: 71,
  CompositeExtract: 81,
  ConvertUToF: 112,
  FAdd: 129,
  FMul: 133,
  Label: 248,
  Return: 253,
} as const;
const Capability = { Linkage: 5, Addresses: 4, Kernel: 6, Float64: 10, Int64: 11 } as const;
const StorageClass = { Input: 1, CrossWorkgroup: 5 } as const;
const Decoration = { SpecId: 1, BuiltIn: 11, Constant: 22, LinkageAttributes: 41 } as const;
const BuiltInGlobalInvocationId = 28;
const ExecutionModelKernel = 6;
const AlignedMemoryAccess = 2;
const CosInOpenCLStd = 14;
const ImportLinkage = 1;

/** Text as words: UTF-8, ended by a NUL byte, filled up with NUL bytes. */
function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value);
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / 4) * 4);
  padded.set(bytes);
  return [...new Uint32Array(padded.buffer)];
}

/** A floating-point literal as words. */
function literal(value: number, doubles: boolean): number[] {
  const array = doubles ? new Float64Array([value]) : new Float32Array([value]);
  return [...new Uint32Array(array.buffer)];
}

/** Makes the module. Equal options give equal bytes. */
export function spirvModule(options: SpirvModuleOptions): Uint8Array<ArrayBuffer> {
  const { kernels, steps = 1, step = "cheap", doubles = false, specializationConstants = [] } =
    options;
  const words: number[] = [];
  let last = 0;
  const id = (): number => ++last;
  const emit = (opcode: number, ...operands: number[]): void => {
    words.push((operands.length + 1) << 16 | opcode, ...operands);
  };

  const openclStd = id();
  const globalInvocationId = id();
  const functions = kernels.map(() => id());
  const specs = specializationConstants.map(() => id());

  for (const capability of Object.values(Capability)) {
    if (capability !== Capability.Float64 || doubles) emit(Op.Capability, capability);
  }
  emit(Op.ExtInstImport, openclStd, ...text("OpenCL.std"));
  emit(Op.MemoryModel, 2, 2);
  kernels.forEach((name, i) => {
    emit(Op.EntryPoint, ExecutionModelKernel, functions[i]!, ...text(name), globalInvocationId);
  });
  specializationConstants.forEach((specId, i) => {
    emit(Op.Decorate, specs[i]!, Decoration.SpecId, specId);
  });
  emit(Op.Decorate, globalInvocationId, Decoration.BuiltIn, BuiltInGlobalInvocationId);
  emit(Op.Decorate, globalInvocationId, Decoration.Constant);
  emit(
    Op.Decorate,
    globalInvocationId,
    Decoration.LinkageAttributes,
    ...text("__spirv_BuiltInGlobalInvocationId"),
    ImportLinkage,
  );

  const [none, uint, ulong, float, position, positionPointer, dataPointer, signature] = Array.from(
    { length: 8 },
    id,
  ) as [number, number, number, number, number, number, number, number];
  emit(Op.TypeVoid, none);
  emit(Op.TypeInt, uint, 32, 0);
  emit(Op.TypeInt, ulong, 64, 0);
  emit(Op.TypeFloat, float, doubles ? 64 : 32);
  emit(Op.TypeVector, position, ulong, 3);
  emit(Op.TypePointer, positionPointer, StorageClass.Input, position);
  emit(Op.TypePointer, dataPointer, StorageClass.CrossWorkgroup, float);
  emit(Op.TypeFunction, signature, none, dataPointer);
  specs.forEach((spec) => emit(Op.SpecConstant, uint, spec, 1));
  const alignment = doubles ? 8 : 4;
  const factor = id();
  emit(Op.Constant, float, factor, ...literal(1.0009765625, doubles));
  // A constant of each kernel's own keeps the compiler from sharing work between them.
  const summands = kernels.map((_, i) => {
    const summand = id();
    emit(Op.Constant, float, summand, ...literal(0.5 + i / 1024, doubles));
    return summand;
  });
  emit(Op.Variable, positionPointer, globalInvocationId, StorageClass.Input);

  kernels.forEach((_, i) => {
    emit(Op.Function, none, functions[i]!, 0, signature);
    const data = id();
    emit(Op.FunctionParameter, dataPointer, data);
    emit(Op.Label, id());
    const [where, index, element] = [id(), id(), id()];
    emit(Op.Load, position, where, globalInvocationId);
    emit(Op.CompositeExtract, ulong, index, where, 0);
    emit(Op.InBoundsPtrAccessChain, dataPointer, element, data, index);
    let value = id();
    emit(Op.Load, float, value, element, AlignedMemoryAccess, alignment);
    const combine = (opcode: number, other: number): void => {
      const result = id();
      emit(opcode, float, result, value, other);
      value = result;
    };
    for (let s = 0; s < steps; s++) {
      combine(Op.FMul, factor);
      combine(Op.FAdd, summands[i]!);
      if (step === "costly") {
        const result = id();
        emit(Op.ExtInst, float, result, openclStd, CosInOpenCLStd, value);
        value = result;
      }
    }
    for (const spec of i === 0 ? specs : []) {
      const converted = id();
      emit(Op.ConvertUToF, float, converted, spec);
      combine(Op.FAdd, converted);
    }
    emit(Op.Store, element, value, AlignedMemoryAccess, alignment);
    emit(Op.Return);
    emit(Op.FunctionEnd);
  });

  const magic = 0x07230203;
  const version = 0x00010000;
  return new Uint8Array(new Uint32Array([magic, version, 0, last + 1, 0, ...words]).buffer);
}
