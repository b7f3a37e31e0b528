#!/usr/bin/env bash
# Looks for known vulnerabilities in what the binary and the tools are built from:
#   tools/vuln.sh            asks https://vuln.go.dev
#   TRIAGE_VULNDB=DB ...     asks DB instead: an address, or a folder with a copy of the database
#                            (https://vuln.go.dev/vulndb.zip, unpacked)
# It exits 1 where one is found that the code calls, and 3 where the database can't be reached: nothing was checked then.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${TRIAGE_VULNDB:-}
if [ -d "$db" ]; then
	db=file://$(cd "$db" && pwd)
fi
if ! out=$(go tool -modfile=tools/go.mod govulncheck ${db:+-db "$db"} ./... 2>&1); then
	echo "$out"
	if grep -q '^Vulnerability #' <<<"$out"; then
		exit 1
	fi
	echo "NOT CHECKED for known vulnerabilities: the database ${db:-https://vuln.go.dev} can't be read." >&2
	echo "hint: name a copy of it: TRIAGE_VULNDB=FOLDER tools/vuln.sh" >&2
	exit 3
fi
echo "$out"
