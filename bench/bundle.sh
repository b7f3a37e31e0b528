#!/usr/bin/env bash
# Measures the whole command over one large support bundle beside a program that only lists, decompresses and counts bytes
# with the same libraries on one core: wall time, processor time, peak memory, and the medians of the rounds' ratios. The bundle is made by
# testdata/gen/bundles/bigbundle where none is given.
#
#   bench/bundle.sh [BUNDLE]   ROUNDS=3 SIZE=2GiB FORMAT=zip by default
#   CHECK=1 bench/bundle.sh    one round that fails where the hidden dump or the loop is not found, or a bound is passed
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

big=${1:-}
(cd ../testdata/gen/bundles && go build -o "$work/walk" ./walk && go build -o "$work/bigbundle" ./bigbundle)
if [ -z "$big" ]; then
	big=$work/bundle.${FORMAT:-zip}
	(cd ../testdata/gen/bundles && "$work/bigbundle" -o "$big" -size "${SIZE:-2GiB}" -format "${FORMAT:-zip}")
fi
big=$(realpath "$big")
(cd .. && CGO_ENABLED=0 go build -trimpath -o "$work/triage" ./cmd/triage)
if ! /usr/bin/time -f '%e %U %S %M' true >/dev/null 2>&1; then
	echo "GNU time is needed: it tells the peak of memory" >&2
	exit 1
fi

# measure CORES COMMAND... sets wall and cpu (seconds) and mb (peak memory); the output is in $work/out.
measure() {
	local cores=$1
	shift
	GOMAXPROCS=$cores /usr/bin/time -o "$work/time" -f '%e %U %S %M' "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
	read -r wall user sys kb < <(tail -n 1 "$work/time")
	cpu=$(awk -v u="$user" -v s="$sys" 'BEGIN { printf "%.2f", u + s }')
	mb=$((kb * 1024 / 1000000))
}

ratio() { # ratio FILE A B appends A/B to FILE
	awk -v a="$2" -v b="$3" 'BEGIN { printf "%.2f\n", a / b }' >>"$work/$1"
}

median() { # of the numbers in FILE
	sort -n "$work/$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

cores=$(nproc)
rounds=${ROUNDS:-3}
if [ -n "${CHECK:-}" ]; then
	rounds=1
fi
cat "$big" >/dev/null # in the page cache for all
most=0
for round in $(seq "$rounds"); do
	measure 1 "$work/walk" "$big"
	base=$wall base_cpu=$cpu
	echo "round $round: walk, 1 core: $wall s, $cpu s of CPU time, $mb MB: $(cat "$work/out")"
	measure 1 "$work/triage" "$big"
	one=$wall
	echo "round $round: triage, 1 core: $wall s, $cpu s of CPU time, $mb MB"
	measure 2 "$work/triage" "$big"
	echo "round $round: triage, 2 cores: $wall s, $cpu s of CPU time, $mb MB"
	if [ "$mb" -gt "$most" ]; then most=$mb; fi
	ratio two_to_walk "$wall" "$base"
	ratio cpu_to_walk "$cpu" "$base_cpu"
	ratio speedup "$one" "$wall"
done
echo "median: triage on 2 cores takes $(median two_to_walk) times walk's wall time on one ($(median cpu_to_walk) times its CPU time);" \
	"two cores are $(median speedup) times as fast as one; at most $most MB"
if [ "$cores" -lt 2 ]; then
	echo "this machine has one core: the figures for two say nothing"
fi

if [ -n "${CHECK:-}" ]; then
	grep -q 'expireLoop.func1' "$work/out" || { echo "the hidden dump's culprit is not in the report" >&2; exit 1; }
	grep -q 'observability-agent' "$work/out" || { echo "the looping object is not in the report" >&2; exit 1; }
	# What was asked for: 256 MB, 4 times walk's time.
	[ "$most" -le 256 ] || { echo "$most MB are more than 256" >&2; exit 1; }
	awk -v r="$(median two_to_walk)" 'BEGIN { exit r > 4 }' || { echo "more than 4 times walk's time" >&2; exit 1; }
	echo "found both, within bounds"
fi
