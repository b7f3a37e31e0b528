#!/usr/bin/env bash
# Measures the whole command over one large log, beside ripgrep counting the headers: in turns, wall time, processor
# time, peak memory. The rounds go to standard error, a table of them to standard output. BIG is made by ./big where it
# is not given.
#
#   bench/whole.sh [BIG]       ROUNDS=5 by default
#   APART=1 bench/whole.sh     the same dumps one by one in the log, not as one process
#   CHECK=1 bench/whole.sh     one round that fails where a goroutine is missing or memory outgrows its bound
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

big=${1:-}
if [ -z "$big" ]; then
	big=$work/big.log
	go run ./big ${APART:+-apart} >"$big"
fi
(cd .. && go build -o "$work/triage" ./cmd/triage)
headers=$(grep -c '^goroutine [0-9].*]:$' "$big")
ls -l "$big" | awk -v n="$headers" '{ printf "A log of %.0f MB with %d goroutines:\n\n", $5 / 1e6, n }'

gnu_time=
if /usr/bin/time -f '%e %U %S %M' true >/dev/null 2>&1; then
	gnu_time=1
else
	echo "no GNU time here: peak memory is not measured" >&2
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

keep() { # keep FILE COMMAND keeps what measure found for row
	echo "$wall $cpu $mb" >>"$work/$1.runs"
	echo "$2: $wall s, $cpu s of CPU time, $mb MB" >&2
}

row() { # row FILE COMMAND: the range of each figure, and the median of the ratios to rg
	local ratio=-
	if [ -n "$have_rg" ] && [ "$1" != rg ]; then
		ratio=$(printf %.1f "$(median "$1")")
	fi
	awk -v name="$2" -v ratio="$ratio" '
		{ for (i = 1; i <= 3; i++) { v = $i + 0
			if (NR == 1 || v < low[i]) low[i] = v
			if (NR == 1 || v > high[i]) high[i] = v } }
		END { printf "| `%s` | %.2f to %.2f | %.2f to %.2f | %d to %d | %s |\n", name, low[1], high[1], low[2], high[2], low[3], high[3], ratio }
	' "$work/$1.runs"
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
	echo "no rg here: the comparison with it is left out" >&2
fi

cat "$big" >/dev/null # in the page cache for all
for round in $(seq "$rounds"); do
	measure "exec '$work/triage' '$big'"
	head -n 1 "$work/out" | tr -d , >"$work/first"
	file_mb=$mb
	file=$wall
	keep file "round $round: triage BIG"
	measure "cat '$big' | '$work/triage' -"
	pipe=$wall
	keep pipe "round $round: cat BIG | triage -"
	if [ -n "$have_rg" ]; then
		measure "exec rg -c '^goroutine ' '$big'"
		ratio file "$file" "$wall"
		ratio pipe "$pipe" "$wall"
		keep rg "round $round: rg -c"
	fi
done
echo '| | wall, s | processor time, s | peak memory, MB | ÷ wall time of rg, median |'
echo '|---|--:|--:|--:|--:|'
row file 'triage BIG'
row pipe 'cat BIG \| triage -'
if [ -n "$have_rg" ]; then
	row rg "rg -c '^goroutine ' BIG"
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
	echo "all $headers goroutines counted, $file_mb of $bound MB" >&2
fi
