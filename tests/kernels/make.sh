#!/bin/sh
# Makes the SPIR-V that the tests and the examples load, from the sources beside it. The results
# are committed, so that running the tests needs none of this.
# Debian 13: apt-get install clang-18 llvm-spirv-18 spirv-tools
set -eu
cd "$(dirname "$0")"
clang=${CLANG:-clang-18} translator=${LLVM_SPIRV:-llvm-spirv-18}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for source in *.cl ../../examples/kernels/*.cl; do
  name=${source%.cl}
  # -O2: at -O1 the translator writes loop merges that spirv-val refuses.
  "$clang" -c -target spir64 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -O2 \
    -emit-llvm -o "$scratch/kernels.bc" "$source"
  "$translator" --spirv-max-version=1.2 -o "$name.spv" "$scratch/kernels.bc"
  spirv-val --target-env spv1.2 "$name.spv"
done
for source in *.spvasm; do
  name=${source%.spvasm}
  spirv-as --target-env spv1.2 -o "$name.spv" "$source"
  spirv-val --target-env spv1.2 "$name.spv"
done
ls -l ./*.spv ../../examples/kernels/*.spv
