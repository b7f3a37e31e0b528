#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other, each for the time given: tools/fuzz.sh 5s
# An input that fails is kept under the package's testdata/fuzz: commit it with the repair.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:?usage: tools/fuzz.sh TIME}
failed=()
for pkg in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$pkg" | grep '^Fuzz' || true); do
		echo "fuzz $pkg $target $time"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 2s "$pkg" || failed+=("$pkg $target")
	done
done
if [ ${#failed[@]} -gt 0 ]; then
	printf 'failed: %s\n' "${failed[@]}" >&2
	exit 1
fi
