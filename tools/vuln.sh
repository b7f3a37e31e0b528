#!/usr/bin/env bash
# Looks for known vulnerabilities in what the binary is built from:
#   tools/vuln.sh            asks https://vuln.go.dev, or where that can't be reached, the copy of its entries in the newest
#                            golang.org/x/vulndb that the module proxy has
#   TRIAGE_VULNDB=DB ...     asks DB instead: an address, or a folder with a copy of the database
#                            (https://vuln.go.dev/vulndb.zip, unpacked)
# It exits 1 where one is found that the code calls, and 3 where no database can be read: nothing was checked then.
set -euo pipefail
cd "$(dirname "$0")/.."

# ask prints what govulncheck says by a database, with one way to each vulnerability, and ends the script where it gives a
# verdict.
ask() { # database
	local out failed=0
	out=$(go tool -modfile=tools/go.mod govulncheck -db "$1" ./... 2>&1) || failed=$?
	if [ "$failed" = 0 ] || grep -q '^Vulnerability #' <<<"$out"; then
		echo "database: $1"
		grep -vE '^ +#([2-9]|[1-9][0-9]+): ' <<<"$out"
		exit $((failed != 0))
	fi
	echo "$out" >&2
}

# entries prints the folder with the entries of the newest golang.org/x/vulndb.
entries() { go mod download -json golang.org/x/vulndb@latest | sed -n 's|.*"Dir": "\(.*\)",|\1/data/osv|p'; }

db=${TRIAGE_VULNDB:-https://vuln.go.dev}
if [ -d "$db" ]; then
	db=file://$(cd "$db" && pwd)
fi
ask "$db"
if [ -z "${TRIAGE_VULNDB:-}" ] && copy=$(entries) && [ -d "$copy" ]; then
	ask "file://$copy"
fi
echo "NOT CHECKED for known vulnerabilities: the database $db can't be read." >&2
echo "hint: name a copy of it: TRIAGE_VULNDB=FOLDER tools/vuln.sh" >&2
exit 3
