# Functions that `run`, `full` and `release` share.

shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target_dir=${CARGO_TARGET_DIR:-$PWD/target}
export CARGO_TERM_COLOR=never
# Data for incremental builds would double the space on the disk.
export CARGO_INCREMENTAL=0

if [[ -z "${IDX_DATA:-}" && -d ../shared/data ]]; then
    IDX_DATA=$(cd ../shared/data && pwd)
    export IDX_DATA
fi

# The published crates, and the libraries that programs depend on, as cargo options in a form that `.ci/rename` finds.
mapfile -t crates < <(cargo metadata --no-deps --format-version 1 \
    | grep -o '"manifest_path":"[^"]*"' | sed -n 's|.*[/\\]\(idx-[a-z]*\)[/\\]*Cargo.toml"$|\1|p')
libraries=(-p idx-core -p idx-std -p idx-data)

current=
times=()
not_run=()

step() {
    end_step
    printf '\n==> %s (%s s)\n' "$1" "$SECONDS"
    current=$1 start=$SECONDS
}

end_step() {
    [[ -z $current ]] || times+=("$current $((SECONDS - start)) s")
}

# Reports what the current step could not run, and why. The functions below that check for what a step needs call it,
# and fail.
cannot() {
    not_run+=("${current:+$current: }$1")
    echo "not run: ${not_run[-1]}"
}

# Prints how long each step took, and what could not be run.
summary() {
    end_step
    printf '\n==> done (%s s)\n' "$SECONDS"
    (IFS=,; echo "${times[*]}" | sed 's/,/, /g')
    if [[ ${#not_run[@]} -gt 0 ]]; then
        printf 'not run: %s\n' "${not_run[@]}"
    else
        echo "everything was run"
    fi
}

# Succeeds if a step of `full` passed with these files as they are now. `.ci/passed` has the commit at which it last
# passed; a shallow clone may lack that commit.
has_passed() {
    local commit
    commit=$(awk -v step="$1" '$1 == step { print $2 }' .ci/passed)
    [[ -n $commit ]] && git cat-file -e "$commit^{commit}" 2>/dev/null && git diff --quiet "$commit" -- "${@:2}"
}

# Runs the named steps, or else all of `steps`. A step that fails ends the script.
run_steps() {
    local name
    for name in "$@"; do
        [[ " ${steps[*]} " == *" $name "* ]] || { echo "there is no step $name; there are: ${steps[*]}"; exit 2; }
    done
    [[ $# -gt 0 ]] || set -- "${steps[@]}"
    for name in "$@"; do
        step "$name"
        "$name"
        remember "$name"
    done
    summary
}

# `full` redefines this, to record that a step passed.
remember() { :; }

# Runs a command that may fail, such as an installation, without its output.
available() { "$@" >/dev/null 2>&1; }

as_root() {
    if [[ $(id -u) == 0 ]]; then "$@"; else sudo -n "$@"; fi
}

# Installs packages of Debian or Ubuntu.
install_packages() {
    available as_root apt-get update
    available as_root apt-get install -y --no-install-recommends "$@"
}

# Succeeds if the programs $1 are here, or could be installed with these packages.
has_programs() {
    local program
    for program in $1; do
        available command -v "$program" && continue
        install_packages "${@:2}" || { cannot "apt-get could not install ${*:2}"; return 1; }
        return
    done
}

# Succeeds if cargo has the command $1, or could install it.
has_cargo() {
    available cargo "$1" --version || available cargo install "cargo-$1" --locked \
        || { cannot "cargo-$1 could not be installed"; return 1; }
}

# Succeeds if rustup has the oldest Rust that the manifests allow; sets `oldest` to its version.
has_oldest_rust() {
    oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
    available rustup toolchain install "$oldest" --profile minimal || { cannot "rustup has no $oldest"; return 1; }
}

# Succeeds if rustup has target $1.
has_rustup_target() {
    available rustup target add "$1" || { cannot "rustup has no $1"; return 1; }
}

# Succeeds if standard input has each digit of the sample.
has_sample() {
    local shown digit
    shown=$(cat)
    for digit in {0..9}; do
        grep -q "$digit: label $digit" <<<"$shown" || { echo "the sample has no $digit"; return 1; }
    done
}

# Copies the sources that git knows, as they are now, to the new folder $1: all, or those below the given paths.
copy_sources() {
    rm -rf "$1"
    mkdir -p "$1"
    git ls-files -z "${@:2}" | xargs -0 cp --parents --no-dereference -t "$1"
}

# Makes a Python environment in target/$1 with the packages in $2.
python_environment() {
    local environment=$target_dir/$1/environment
    available python3 -m venv "$environment" && available "$environment/bin/pip" install -r "$2" \
        || { cannot "python3 could not make an environment with $2"; return 1; }
}

# Prints the features in a crate's manifest, without `default`.
features_of() {
    sed -n '/^\[features\]/,/^\[[^f]/s/^"\?\([^" ]*\)"\? = .*/\1/p' "$1/Cargo.toml" | grep -vx default
}

# Runs a command for a crate without features, with each feature, and with all.
each_feature() {
    local crate=$1 feature
    shift
    "$@" -p "$crate" --no-default-features
    for feature in $(features_of "$crate"); do
        "$@" -p "$crate" --no-default-features --features "$feature"
    done
    "$@" -p "$crate" --all-features
}

# Succeeds if the toolchain has the libraries of target $1.
has_target() {
    [[ -d $(rustc --print target-libdir --target "$1") ]]
}

# Succeeds if `cargo_for` can build for target $1: with rustup, or else with Debian's compiler, which is packaged
# together with the sources of its libraries.
add_target() {
    available rustup target add "$1" \
        || [[ -d /usr/lib/rustlib/src/rust/library ]] \
        || install_packages rustc-web cargo-web rust-web-src \
        || { cannot "neither rustup nor Debian has the libraries of $1"; return 1; }
}

# Runs cargo for target $1, with its libraries $2 (such as `core`, or `std`).
cargo_for() {
    local target=$1 libraries=$2 command=$3
    shift 3
    if has_target "$target"; then
        cargo "$command" --quiet --target "$target" "$@"
    else
        RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc \
            /usr/bin/cargo "$command" --quiet --target "$target" -Z build-std="$libraries" "$@"
    fi
}

# Succeeds if there is a nightly toolchain with these components: the installed one, or else the newest.
has_nightly() {
    { available rustup run nightly rustc --version || available rustup toolchain install nightly --profile minimal; } \
        && { [[ $# == 0 ]] || available rustup component add --toolchain nightly "$@"; } \
        || { cannot "rustup has no nightly${1:+ with $*}"; return 1; }
}

# Tests that need another compiler, real data, or much time, or that start this program again, which an emulator cannot.
not_portable=(--skip faults_writing:: --skip ndarray:: --skip chain::
    --skip properties:: --skip real_data:: --skip identify:: --skip mnist:: --skip forms:: --skip append::a_logger_
    --skip append::a_program_that_ --skip appearing::linux:: --skip together::linux:: --skip logger::
    --skip parallel::small_ --skip parallel::no_thread_can_be_started --skip parallel::a_part_that_ends_early
    --skip unfinished::a_repair_that_is_killed --skip other_programs
    --skip repaired::a_file_on_a_disk --skip joining::many_pairs_from_another_folder
    --skip log::histories::no_record_is_lost --skip stream_and_storage::every_read_of_a_driver --skip exhaustive::all_over
    --skip paper:: --skip csv::long_lines --skip csv::threads_do --skip choosing::a_list_of_records_has_a_limit)

# Runs tests for target $1 under the emulator qemu-$2: the given tests of idx-tests, or else all portable tests and the
# doc tests. An emulator that hangs is an error.
tests_for() {
    local target=$1 qemu=$2 variable features names=("${@:3}")
    local gnu=${target/-unknown/}
    if ! { available command -v "qemu-$qemu" && available command -v "$gnu-gcc"; } \
        && ! install_packages qemu-user "gcc-$gnu" "libc6-dev-${target%%-*}-cross"; then
        cannot "apt-get could not install qemu-user and gcc-$gnu"
        return
    fi
    add_target "$target" || return 0
    variable=CARGO_TARGET_$(tr a-z- A-Z_ <<<"$target")
    local -x "${variable}_LINKER=$gnu-gcc" "${variable}_RUNNER=timeout 1200 qemu-$qemu -L /usr/$gnu"
    [[ ${#names[@]} -gt 0 ]] || names=(core std data format)
    cargo_for "$target" std,panic_abort,test test -p idx-tests "${names[@]/#/--test=}" -- "${not_portable[@]}"
    [[ $# == 2 ]] || return 0
    # A program with defmt needs the linker script of its microcontroller.
    features=$(features_of idx-core | grep -vx defmt | paste -sd,)
    cargo_for "$target" std,panic_abort,test test -p idx-core --features "$features" --doc
    cargo_for "$target" std,panic_abort,test test -p idx-std --all-features --doc
}
