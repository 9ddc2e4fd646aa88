# Shared by `run`, `levels` and `size`: the machines, and how to build for them.

shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
export IDX_CLASSIFIER=$CARGO_TARGET_DIR/classifier

# The targets that have a machine in QEMU, and their names in the tables.
declare -A names=(
    [thumbv6m-none-eabi]=Cortex-M0
    [thumbv7m-none-eabi]=Cortex-M3
    [thumbv7em-none-eabihf]=Cortex-M4F
    [riscv32imac-unknown-none-elf]=RISC-V
)
targets=(thumbv6m-none-eabi thumbv7m-none-eabi thumbv7em-none-eabihf riscv32imac-unknown-none-elf)

# The command that runs a program of target $1.
machine_of() {
    sed -n "/^\[target.$1\]/,/^runner/s/^runner = \"\(.*\)\"/\1/p" .cargo/config.toml
}

stop() {
    echo "tests/firmware: $*" >&2
    exit 1
}

as_root() {
    if [[ $(id -u) == 0 ]]; then "$@"; else sudo -n "$@"; fi
}

install_packages() {
    { as_root apt-get update && as_root apt-get install -y --no-install-recommends "$@"; } \
        >"$CARGO_TARGET_DIR/apt.log" 2>&1
}

# Prints a result: the machine, what was tried, and `passed` or why it failed.
failures=0
report() {
    printf '%-12s%-42s%s\n' "$@"
    [[ $3 == passed ]] || failures=$((failures + 1))
}

# Builds for the target $1; further arguments go to cargo.
build() {
    cargo_for "$1" build --quiet --release --target "$@"
}

# Succeeds if there is a `core` for target $1.
installed() {
    [[ -d $(rustc --print target-libdir --target "$1") ]]
}

# Runs cargo for target $1: with rustup's `core` if it is installed, else with the compiler of the distribution, which
# brings the sources of `core`. The linker is that of rustup's toolchain for this computer either way.
cargo_for() {
    local target=$1
    shift
    if installed "$target"; then
        cargo "$@"
    else
        PATH=$(rustc --print target-libdir)/../bin:$PATH \
            RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc /usr/bin/cargo "$@" -Z build-std=core
    fi
}

# Installs what is missing: QEMU, the targets, and the files of the classifier. Stores the classifier's accuracy in
# `accuracy`.
prepare() {
    mkdir -p "$CARGO_TARGET_DIR"
    if ! { command -v qemu-system-arm && command -v qemu-system-riscv32; } >/dev/null; then
        install_packages qemu-system-arm qemu-system-misc \
            || stop "QEMU is missing and apt-get could not install it, see $CARGO_TARGET_DIR/apt.log;" \
                "install qemu-system-arm and qemu-system-riscv32"
    fi
    local missing=()
    for target in "${targets[@]}"; do
        installed "$target" || missing+=("$target")
    done
    if ((${#missing[@]})) && ! rustup target add "${missing[@]}"; then
        [[ -d /usr/lib/rustlib/src/rust/library/core ]] \
            || install_packages rustc-web cargo-web rust-web-src \
            || stop "rustup cannot add ${missing[*]}, and apt-get no compiler with the sources of core"
    fi
    # From the root, because the configuration of this folder builds for a microcontroller.
    accuracy=$(cd ../.. && cargo run --quiet --release -p idx-data --example quantized_network -- \
        "$IDX_CLASSIFIER.new" | tail -n 1)
    # Unchanged files stay: cargo would rebuild what reads newer ones, at each level.
    if diff -rq "$IDX_CLASSIFIER" "$IDX_CLASSIFIER.new" >/dev/null 2>&1; then
        rm -r "$IDX_CLASSIFIER.new"
    else
        rm -rf "$IDX_CLASSIFIER"
        mv "$IDX_CLASSIFIER.new" "$IDX_CLASSIFIER"
    fi
}
