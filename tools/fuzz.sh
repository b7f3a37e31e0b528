#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other, each for the time given: tools/fuzz.sh 5s
# An input that fails is kept under the package's testdata/fuzz: commit it with the repair.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:?usage: tools/fuzz.sh TIME}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Before Go 1.27 a target can fail with "context deadline exceeded" and nothing else when its time is up
# (https://go.dev/issue/75804). That is the clock, not the code.
only_the_clock() {
	grep -q '^    context deadline exceeded$' "$log" && ! grep -qE 'Failing input written|panic:|_test\.go:' "$log"
}

failed=()
for pkg in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$pkg" | grep '^Fuzz' || true); do
		echo "fuzz $pkg $target $time"
		if ! go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 2s "$pkg" 2>&1 | tee "$log"; then
			if only_the_clock; then
				echo "note: $target ended with its time and found nothing"
			else
				failed+=("$pkg $target")
			fi
		fi
	done
done
if [ ${#failed[@]} -gt 0 ]; then
	printf 'failed: %s\n' "${failed[@]}" >&2
	exit 1
fi
