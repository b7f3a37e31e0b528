#!/usr/bin/env bash
# Measures the whole command over one large log, beside ripgrep counting the headers: in turns, wall time, processor
# time, peak memory, and the median of the rounds' ratios at the end. BIG is made by ./big where it is not given.
#
#   bench/whole.sh [BIG]       ROUNDS=5 by default
#   CHECK=1 bench/whole.sh     one round that fails where a goroutine is missing or memory outgrows its bound
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

big=${1:-}
if [ -z "$big" ]; then
	big=$work/big.log
	go run ./big >"$big"
fi
(cd .. && go build -o "$work/triage" ./cmd/triage)
headers=$(grep -c '^goroutine [0-9].*]:$' "$big")
ls -l "$big" | awk -v n="$headers" '{ printf "log: %.0f MB, %d goroutines\n", $5 / 1e6, n }'

gnu_time=
if /usr/bin/time -f '%e %U %S %M' true >/dev/null 2>&1; then
	gnu_time=1
else
	echo "no GNU time here: peak memory is not measured"
fi

# measure COMMAND sets wall and cpu (seconds) and mb (peak memory, 0 where unmeasured); the output is in $work/out.
measure() {
	if [ -n "$gnu_time" ]; then
		/usr/bin/time -o "$work/time" -f '%e %U %S %M' sh -c "$1" >"$work/out"
	else
		{ TIMEFORMAT='%R %U %S 0'; time sh -c "$1" >"$work/out"; } 2>"$work/time"
	fi
	read -r wall user sys kb <"$work/time"
	cpu=$(awk -v u="$user" -v s="$sys" 'BEGIN { printf "%.2f", u + s }')
	mb=$((kb * 1024 / 1000000))
}

ratio() { # ratio FILE A B appends A/B to FILE
	awk -v a="$2" -v b="$3" 'BEGIN { printf "%.2f\n", a / b }' >>"$work/$1"
}

median() { # of the numbers in FILE
	sort -n "$work/$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

rounds=${ROUNDS:-5}
if [ -n "${CHECK:-}" ]; then
	rounds=1
fi
have_rg=
if command -v rg >/dev/null; then
	have_rg=1
else
	echo "no rg here: the comparison with it is left out"
fi

cat "$big" >/dev/null # in the page cache for all
for round in $(seq "$rounds"); do
	measure "exec '$work/triage' '$big'"
	head -n 1 "$work/out" | tr -d , >"$work/first"
	file_mb=$mb
	file=$wall file_cpu=$cpu
	echo "round $round: triage BIG: $wall s, $cpu s of processor, $mb MB"
	measure "cat '$big' | '$work/triage' -"
	pipe=$wall pipe_cpu=$cpu
	echo "round $round: cat BIG | triage -: $wall s, $cpu s of processor, $mb MB"
	if [ -n "$have_rg" ]; then
		measure "exec rg -c '^goroutine ' '$big'"
		ratio file "$file" "$wall"
		ratio file_cpu "$file_cpu" "$cpu"
		ratio pipe "$pipe" "$wall"
		ratio pipe_cpu "$pipe_cpu" "$cpu"
		echo "round $round: rg -c: $wall s, $cpu s of processor"
	fi
done
if [ -n "$have_rg" ]; then
	echo "median: triage BIG $(median file) times rg ($(median file_cpu) in processor time)"
	echo "median: cat BIG | triage - $(median pipe) times rg ($(median pipe_cpu) in processor time)"
fi

if [ -n "${CHECK:-}" ]; then
	if ! grep -q "[^0-9]$headers goroutines" "$work/first"; then
		echo "triage did not count $headers goroutines: $(cat "$work/first")" >&2
		exit 1
	fi
	bound=$((128 + headers * 64 / 1000000)) # MB: what the design grants, 64 bytes a goroutine
	if [ "$file_mb" -gt "$bound" ]; then
		echo "triage took $file_mb MB, more than $bound" >&2
		exit 1
	fi
	echo "all $headers goroutines counted, $file_mb of $bound MB"
fi
