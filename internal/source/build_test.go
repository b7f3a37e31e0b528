package source

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gotriage/triage/internal/gocode"
)

func TestAFileOfOneFrameShowsWhichFilesAreBuiltWithAnother(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.org/shop\n",
		"shop.go": "package main\n\nfunc run(c chan int) {\n\t<-c\n}\n",
		"new.go":  "//go:build fast\n\npackage main\n\nfunc order(c chan int) {\n\t<-c\n}\n",
		"old.go":  "//go:build !fast\n\npackage main\n\nfunc order(c chan int) {\n\tprintln()\n\t<-c\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := Open([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	frame := func(file, function string, line int) gocode.Frame {
		return gocode.Frame{Func: "main." + function, File: "example.org/shop/" + file, Line: line, Callee: "runtime.chanrecv1"}
	}
	run, fast, slow := frame("shop.go", "run", 4), frame("new.go", "order", 6), frame("old.go", "order", 7)
	for _, c := range []struct {
		claim  string
		frames []gocode.Frame
		known  bool
	}{
		{"a frame in new.go", []gocode.Frame{run, fast}, true},
		// Near misses.
		{"no frame in either", []gocode.Frame{run}, false},
		{"frames of two builds", []gocode.Frame{run, fast, slow}, false},
	} {
		packages := tree.Packages()
		packages.Doubt(c.frames, nil)
		if p, _ := packages.Of(run); (p != nil) != c.known {
			t.Errorf("%s: the package of shop.go is known: %v", c.claim, p != nil)
		}
	}
	packages := tree.Packages()
	packages.Doubt([]gocode.Frame{run, fast}, nil)
	one, _ := packages.Of(run)
	if other, _ := packages.Of(fast); one != other {
		t.Error("frames in two files of one build are in two packages")
	}
}
