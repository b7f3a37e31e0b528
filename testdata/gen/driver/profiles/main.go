// Package profiles remakes the profiles of known guilt: it builds the programs of gen/burn with several Go releases, runs
// each kind, asks `go tool pprof` whether the guilty function dominates, and writes the profiles with a list of them.
package profiles

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"example.com/capture"
)

// newest makes all profiles; the older releases those whose functions had other names then.
const newest = "1.26.8"

var older = []string{"1.20.14", "1.22.12", "1.24.11"}

// renamed are the kinds in whose profiles names changed between Go 1.20 and 1.26: crypto moved to crypto/internal/fips140, locks to
// internal/sync, maps to internal/runtime/maps, system calls twice; timers, the collector and the scheduler's entry changed.
var renamed = regexp.MustCompile(`^(rsa-key|ecdsa-key|ed25519-key|client-cert-rsa|client-cert-ecdsa|rsa-sign|ecdsa-verify|sha256-bodies|` +
	`tls-dial|mutex-cpu|syncmap-cpu|map-growth|map-lookup|gc-pressure|stat-loop|ticker-storm|spin-gosched|type-assert)$`)

// seconds are those of a CPU that a profile covers.
const seconds = 4.0

// Make makes the profiles whose names, which are those of files without extensions, are asked for.
func Make(ctx context.Context, gen, _ string, o capture.Options) error {
	temp, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return err
	}
	var made []capture.Label
	var failed []error
	for _, release := range append([]string{newest}, older...) {
		labels, errs := makeAll(ctx, release, filepath.Join(gen, "burn"), temp, o)
		made, failed = append(made, labels...), append(failed, errs...)
	}
	failed = append(failed, capture.UpdateLabels(filepath.Join(o.Out, "all.yaml"), made))
	fmt.Fprintf(os.Stderr, "driver: %d profiles\n", len(made))
	return errors.Join(failed...)
}

// makeAll makes the profiles of one Go release, one at a time: they would take CPU from each other.
func makeAll(ctx context.Context, release, burn, temp string, o capture.Options) (made []capture.Label, failed []error) {
	binaries := &capture.Builds{Dir: temp}
	for _, b := range builds {
		if b.newestOnly && release != newest {
			continue
		}
		bin, err := binaries.Path(ctx, b.of(release, burn))
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
				if !o.Only.MatchString(s.name) {
					continue
				}
				labels, err := s.make(bin, temp, o.Out)
				made = append(made, labels...)
				if err != nil {
					failed = append(failed, err)
				}
			}
		}
	}
	return made, failed
}
