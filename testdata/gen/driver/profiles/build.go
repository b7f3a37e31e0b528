package profiles

import (
	"fmt"
	"os"
	"path/filepath"

	"example.com/capture"
)

// A build is one of the programs: a module below the folder of the programs, with build flags.
type build struct {
	module     string
	flags      string
	cgo        bool
	only       string // the one kind that it is for, "" for all
	newestOnly bool
}

var builds = []build{
	{module: "."},
	{module: ".", flags: "-tags=c", cgo: true, only: "cgo", newestOnly: true},
	{module: "k8s", newestOnly: true},
}

// installed is the folder that profiles name as the program's. It has as many letters as the folder that it was in, so that one can be
// put for the other in a profile without taking it apart.
const installed = "/usr/local/bin"

// tempDir makes a folder with a name as long as installed.
func tempDir() (string, error) {
	for i := 0; i < 100; i++ {
		dir := fmt.Sprintf("/tmp/fixture%02d", i)
		if err := os.Mkdir(dir, 0o700); err == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("no folder /tmp/fixture00 to /tmp/fixture99 can be made")
}

// of is what a release builds, below the folder of the programs.
func (b build) of(release, burn string) capture.Build {
	want := capture.Build{Release: release, Module: filepath.Join(burn, b.module), Package: ".", Flags: "-ldflags=-buildid= " + b.flags}
	if b.cgo {
		want.Env = "CGO_ENABLED=1"
	}
	return want
}
