#!/usr/bin/env bash
# Writes what a build of triage prints about every file and folder below the given paths, so that two builds can be compared:
#
#	tools/reports.sh bin/old /tmp/old testdata "$TRIAGE_CORPUS"
#	tools/reports.sh bin/new /tmp/new testdata "$TRIAGE_CORPUS"
#	diff -rq /tmp/old /tmp/new
#
# For each input: the JSON report, the text report with --all, standard error and the exit status. Besides them: `triage rules` in both
# forms and `triage explain` of every rule. Build both with -buildvcs=false, so that their versions are equal.
set -euo pipefail
if [ $# -lt 3 ]; then
	echo "usage: tools/reports.sh BINARY FOLDER PATH..." >&2
	exit 2
fi
triage=$(realpath "$1")
mkdir -p "$2/inputs" "$2/explain"
out=$(realpath "$2")
shift 2
export triage out

# one reports on one input; its name becomes a file's name.
one() {
	local to status=0
	to=$out/inputs/$(printf '%s' "${1#/}" | tr '/ ' '__')
	"$triage" --color never --all -o text -o json="$to.json" -- "$1" </dev/null >"$to.txt" 2>"$to.err" || status=$?
	echo "$status" >>"$to.err"
}
export -f one

(cd / && "$triage" rules) >"$out/rules.txt"
(cd / && "$triage" rules -o json) >"$out/rules.json"
for id in $(grep -oE '^ *TR[0-9]+' "$out/rules.txt"); do
	"$triage" explain "$id" >"$out/explain/$id.txt"
done
# Folders that hold files are inputs too: several dumps of one process, the files of one case.
{
	find "$@" -type f -not -path '*/gen/*' -not -name '*.md' -print0
	find "$@" -type f -not -path '*/gen/*' -printf '%h\0' | sort -zu
} | xargs -0 -n1 -P"$(nproc)" bash -c 'one "$1"' one
echo "$(find "$out/inputs" -name '*.txt' | wc -l) inputs, $(find "$out/explain" -type f | wc -l) rules"
