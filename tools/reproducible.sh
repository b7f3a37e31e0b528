#!/usr/bin/env bash
# Builds the commit twice, in two folders and with a build cache each, and fails where a byte of the binary differs.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d) commit=$(git rev-parse HEAD)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
for n in one another/with/a/longer/name; do
	mkdir -p "$work/$n/src"
	git archive "$commit" | tar -x -C "$work/$n/src"
	(cd "$work/$n/src" && CGO_ENABLED=0 GOCACHE=$work/$n/cache GOFLAGS=-buildvcs=false go build -trimpath -o "$work/$n/triage" ./cmd/triage)
done
sha256sum "$work"/one/triage "$work"/another/with/a/longer/name/triage | sed "s|$work/||"
cmp "$work"/one/triage "$work"/another/with/a/longer/name/triage
