#!/bin/sh
# Remakes testdata/citests with the Go at hand: capture.sh CASE... (all of them without an argument).
set -u
cd "$(dirname "$0")" || exit 1
out=../../citests
for dir in ${*:-dev/* unseen/*}; do
	flags=-timeout=2s
	case $dir in
	*/counter | */cache) flags=-race ;;
	*/asleep) flags=-timeout=0 ;;
	*/journal) flags=-timeout=5s ;;
	*/passes | */warm) flags=-bench=. ;;
	esac
	name=$out/$(echo "$dir" | tr / -)
	go test -count=1 -trimpath $flags "./$dir" >"$name.txt" 2>&1
	if [ -f "$name.v.txt" ]; then go test -count=1 -trimpath -v $flags "./$dir" >"$name.v.txt" 2>&1; fi
	if [ -f "$name.json" ]; then go test -count=1 -trimpath -json $flags "./$dir" >"$name.json" 2>&1; fi
done
