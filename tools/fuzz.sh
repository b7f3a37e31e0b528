#!/usr/bin/env bash
# Runs every fuzz target of the module, LANES of them side by side (as many as there are processors), each with one worker:
#   tools/fuzz.sh                  170 s in all, shared evenly: one more target makes no check longer
#   tools/fuzz.sh TIME             TIME (5s) for each
#   tools/fuzz.sh TIME LONG SINCE  LONG for those whose function is new or changed since a date ("1 day ago"), TIME for
#                                  the others; what they found is kept under testdata/fuzz: commit it
# PACKAGES=./report takes the targets of some packages. BLIND=1 fuzzes without coverage, from the seeds and what runs with
# coverage have kept in Go's cache: it finds no new code and tries more inputs in the same time. An input that fails is kept
# under testdata/fuzz in every case: commit it with the repair.
set -euo pipefail
cd "$(dirname "$0")/.."
total=170 time=${1:-} long=${2:-} since=${3:-} blind=${BLIND:-}
if [ -n "$long" ] && [ -z "$since" ]; then
	echo "usage: tools/fuzz.sh [TIME [LONG SINCE]]" >&2
	exit 2
fi
lanes=${LANES:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Before Go 1.27 a target can fail with "context deadline exceeded" and nothing else when its time is up
# (https://go.dev/issue/75804). That is the clock, not the code.
only_the_clock() { # log
	grep -q '^    context deadline exceeded$' "$1" && ! grep -qE 'Failing input written|panic:|_test\.go:' "$1"
}

# The files of a target's seeds are read by every test run and every clone.
most_bytes=$((1 << 20)) most_files=100
bytes_of() { find "$1" -type f -exec cat {} + 2>/dev/null | wc -c; }

# keep copies the inputs that led to new code, the last ones first, as far as they are small and there is room.
keep() { # package, folder, target
	local cache=$(go env GOCACHE)/fuzz/$1/$3 to=$2/testdata/fuzz/$3 f n
	[ -d "$cache" ] || return 0
	mkdir -p "$to"
	ls -t "$cache" | sed -n "1,${most_files}p" | while read -r f; do # head would end ls by a signal
		n=$(wc -c <"$cache/$f")
		if [ "$n" -le $((most_bytes / most_files)) ] && [ "$(ls "$to" | wc -l)" -lt "$most_files" ] &&
			[ $(($(bytes_of "$to") + n)) -le "$most_bytes" ]; then
			cp -n "$cache/$f" "$to/$f"
		fi
	done
}

# targets lists "package folder target file" of each.
targets() {
	shopt -s nullglob # a package without tests
	go list -f "{{.ImportPath}} {{.Dir}}" ${PACKAGES:-./...} | while read -r pkg dir; do
		grep -oE '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go /dev/null | while IFS=: read -r file func; do
			echo "$pkg $dir ${func#func } $file"
		done || true
	done
}

before=
if [ -n "$since" ]; then
	before=$(git rev-list -1 --before="$since" HEAD)
fi

# body prints the function of a target.
body() { sed -n "/^func $1(/,/^}/p"; }

# changed holds where a target was not there before, or not as it is: a test file changes more often than its targets.
changed() { # file, target
	[ -n "$since" ] || return 1
	[ -n "$before" ] || return 0
	[ "$(git show "$before:./${1#"$PWD"/}" 2>/dev/null | body "$2")" != "$(body "$2" <"$1")" ]
}

# run fuzzes a target. With BLIND, a package's binary is built once, and runs in the package's folder as go test does. On
# one processor the engine, which starts a goroutine for each input, tries a third more of them.
run() { # package, folder, target, time
	local binary=$work/${1//\//_}.test
	if [ -z "$blind" ]; then
		go test -run '^$' -fuzz "^$3\$" -fuzztime "$4" -fuzzminimizetime 2s -parallel 1 "$1"
	else
		[ -x "$binary" ] || { go test -c -o "$binary.$3" "$1" && mv "$binary.$3" "$binary"; }
		cd "$2"
		GOMAXPROCS=1 "$binary" -test.run '^$' -test.fuzz "^$3\$" -test.fuzztime "$4" -test.fuzzminimizetime 2s -test.parallel 1 \
			-test.fuzzcachedir "$(go env GOCACHE)/fuzz/$1"
	fi
}

# one fuzzes a target and prints its output in one piece. Until all went well, $work holds a file that says what failed.
one() { # package, folder, target, file
	local pkg=$1 dir=$2 target=$3 lasts=$time log
	log=$(mktemp "$work/log.XXXXXX")
	echo "failed: $pkg $target" >"$log.failed"
	if changed "$4" "$target"; then
		lasts=$long
	fi
	echo "fuzz $pkg $target $lasts" >"$log"
	if (run "$pkg" "$dir" "$target" "$lasts") >>"$log" 2>&1 </dev/null; then
		rm "$log.failed"
	elif only_the_clock "$log"; then
		echo "note: $target ended with its time and found nothing" >>"$log"
		rm "$log.failed"
	fi
	# go test prints "fuzz: elapsed: 3s, execs: 42 (14/sec), ...", the last one counts all.
	sed -n 's/.*, execs: \([0-9]*\) .*/\1/p' "$log" | tail -n 1 >"$log.execs"
	[ -z "$long" ] || keep "$pkg" "$dir" "$target"
	if [ "$(bytes_of "$dir/testdata/fuzz/$target")" -gt "$most_bytes" ]; then
		echo "failed: $pkg $target: over $most_bytes bytes in testdata/fuzz" >"$log.failed"
	fi
	cat "$log"
}

list=$(targets)
[ -n "$time" ] || time=$((1000 * total * lanes / $(wc -l <<<"$list")))ms
while read -r pkg dir target file; do
	[ "$(jobs -rp | wc -l)" -lt "$lanes" ] || wait -n
	one "$pkg" "$dir" "$target" "$file" &
done <<<"$list"
wait
cat "$work"/*.execs | awk '{ n += $1 } END { printf "fuzz: %d executions of %d targets\n", n, NR }'
if compgen -G "$work/*.failed" >/dev/null; then
	cat "$work"/*.failed >&2
	exit 1
fi
