// Command driver remakes the profiles of known guilt: it builds the programs above with several Go releases, runs each
// kind, asks `go tool pprof` whether the guilty function dominates, and writes the profiles with a manifest.
//
//	go run . -out ../../../profiles -only '^spin-'
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// newest makes all profiles; the older releases those whose functions had other names then.
const newest = "1.26.8"

var older = []string{"1.20.14", "1.22.12", "1.24.11"}

// renamed are the kinds in whose profiles names changed between Go 1.20 and 1.26: crypto moved to crypto/internal/fips140, locks to
// internal/sync, maps to internal/runtime/maps, system calls twice; timers, the collector and the scheduler's entry changed.
var renamed = regexp.MustCompile(`^(rsa-key|ecdsa-key|ed25519-key|client-cert-rsa|client-cert-ecdsa|rsa-sign|ecdsa-verify|sha256-bodies|` +
	`tls-dial|mutex-cpu|syncmap-cpu|map-growth|map-lookup|gc-pressure|stat-loop|ticker-storm|spin-gosched|type-assert)$`)

func main() {
	out := flag.String("out", "../../../profiles", "folder for the profiles")
	burn := flag.String("burn", "..", "folder of the programs")
	only := flag.String("only", "", "make only the profiles whose name (file name without extensions) matches this regular expression")
	seconds := flag.Float64("seconds", 4, "CPU seconds that a profile covers")
	flag.Parse()
	if err := run(*out, *burn, *only, *seconds); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

func run(out, burn, only string, seconds float64) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if burn, err = filepath.Abs(burn); err != nil {
		return err
	}
	temp, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var made []entry
	var failed []error
	for _, release := range append([]string{newest}, older...) {
		entries, errs := makeAll(release, burn, temp, out, match, seconds)
		made, failed = append(made, entries...), append(failed, errs...)
	}
	failed = append(failed, updateManifest(filepath.Join(out, "MANIFEST.tsv"), made))
	fmt.Fprintf(os.Stderr, "driver: %d profiles\n", len(made))
	return errors.Join(failed...)
}

// makeAll makes the profiles of one Go release, one at a time: they would take CPU from each other.
func makeAll(release, burn, temp, out string, match *regexp.Regexp, seconds float64) (made []entry, failed []error) {
	t, err := newToolchain(release, temp)
	if err != nil {
		return nil, []error{err}
	}
	for _, b := range builds {
		if b.newestOnly && release != newest {
			continue
		}
		bin, err := t.build(burn, b)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		kinds, err := list(bin)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		for _, k := range kinds {
			if b.only != "" && k.name != b.only || release != newest && !renamed.MatchString(k.name) {
				continue
			}
			for _, s := range k.shots(release) {
				if !match.MatchString(s.name) {
					continue
				}
				entries, err := s.make(t, bin, temp, out, seconds)
				made = append(made, entries...)
				if err != nil {
					failed = append(failed, err)
				}
			}
		}
	}
	return made, failed
}
