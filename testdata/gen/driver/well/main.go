// Package well takes the dumps of healthy programs that triage must not accuse of anything: it builds the programs, lets
// each work, and dumps it at moments that chance chooses, which the programs know nothing of.
package well

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/capture"
)

// releases are the Go releases the dumps are made with. All programs have twenty dumps of the first; those that an old
// release can build have five of each of the others.
const releases = "1.26.8,1.18.10,1.27.4"

// mainRelease is the release of which every program has its dumps.
const mainRelease = "1.26"

// Make takes the dumps of the programs that are asked for, with some releases, or with all.
func Make(ctx context.Context, gen, versions string, o capture.Options) error {
	temp, err := os.MkdirTemp("", "well")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	builds := &capture.Builds{Dir: temp}
	var tasks []task
	for _, version := range strings.Split(cmp.Or(versions, releases), ",") {
		r := release(version)
		for _, p := range programs {
			if !o.Only.MatchString(p.name) || !r.isMain() && !p.old {
				continue
			}
			bin, err := builds.Path(ctx, capture.Build{Release: version, Module: filepath.Join(gen, "well", p.source()), Package: ".",
				Test: p.tests})
			if err != nil {
				return err
			}
			tasks = append(tasks, p.tasks(r, bin, filepath.Join(o.Out, p.name))...)
		}
	}
	d := &driver{temp: temp, secrets: []string{filepath.Dir(gen), temp, "/pkg/mod/"}}
	fmt.Fprintf(os.Stderr, "driver: %d runs\n", len(tasks))
	return errors.Join(d.runAll(tasks)...)
}

// A release is one of Go: "1.26.8".
type release string

// isMain reports whether it is of mainRelease.
func (r release) isMain() bool { return strings.HasPrefix(string(r), mainRelease+".") }

// prefix begins the names of the dumps of another release than the main one: "go1.18-".
func (r release) prefix() string {
	if r.isMain() {
		return ""
	}
	return "go" + string(r[:strings.LastIndexByte(string(r), '.')]) + "-"
}
