#!/bin/sh
# Builds the driver and runs its test program through the real loader:
#   run_tests.sh                plain, then once for each kind of fault
#   run_tests.sh valgrind       with memory and leak checks
#   run_tests.sh thread         built with ThreadSanitizer
#   run_tests.sh address        built with AddressSanitizer
#   run_tests.sh speed          what copies and launches cost
# The variables are those of the Makefile; TEST is the test program's path.
set -eu
cd "$(dirname "$0")"
how=${1:-plain}
OUT=${OUT:-build}
case $how in thread|address) OUT=$OUT/$how ;; esac
TEST=${TEST:-$OUT/test_cpu}
export OUT
sanitize=
case $how in thread|address) sanitize=-fsanitize=$how ;; esac
make -s all test OUT="$OUT" TEST="$TEST" SANITIZE="$sanitize"
driver=$(cd "$OUT" && pwd)/libze_cpu.so
export ZE_ENABLE_ALT_DRIVERS="$driver" ZE_CPU_STRICT=1

run() {
  echo "== ${ZE_CPU_FAULTS:-no faults}: $*"
  "$@"
}
fault() {
  ZE_CPU_FAULTS=$1 run "$TEST" faults "$2"
}
case $how in
  plain)
    run "$TEST"
    run "$TEST" old-way
    fault 'zeModuleCreate:2:code=0x70000004;zeMemAllocHost:2+:code=0x70000002' code
    fault 'zeEventQueryStatus:2:sleep=100' sleep
    fault 'zeModuleCreate:1:log=fatal' log
    fault 'zeFenceCreate:absent' absent
    ;;
  valgrind)
    run valgrind --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite \
      --suppressions=valgrind.supp "$TEST"
    ;;
  thread)
    run "$TEST"
    ;;
  address)
    # What PoCL and its compiler keep until the end is not ours to free; valgrind looks for ours.
    ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-} run "$TEST"
    ;;
  speed) run "$TEST" speed ;;
esac
