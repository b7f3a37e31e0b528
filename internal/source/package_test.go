package source

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gotriage/triage/internal/gocode"
)

// packageOfFrame returns the names of the declarations of the package that a frame is in; nil without one.
func packageOfFrame(t *testing.T, files map[string]string, f gocode.Frame) map[string]bool {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := Open([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	p, _ := tree.Packages().Of(f)
	if p == nil {
		return nil
	}
	names := map[string]bool{"(partial)": p.Partial}
	for _, name := range p.Types.Scope().Names() {
		names[name] = true
	}
	return names
}

func TestAPackageHasTheFilesThatAreBuiltTogether(t *testing.T) {
	files := map[string]string{
		"go.mod":     "module example.org/shop\n",
		"shop.go":    "package main\n\nfunc run(c chan int) {\n\t<-c\n}\n",
		"old.go":     "//go:build !fast\n\npackage main\n\nfunc order(c chan int) { <-c }\n\nvar slow = 1\n",
		"new.go":     "//go:build fast\n\npackage main\n\nfunc order(c chan int) {\n\t<-c\n}\n",
		"win.go":     "//go:build windows\n\npackage main\n\nvar win = 1\n",
		"x_arm64.go": "package main\n\nvar arm = 1\n",
		"y_test.go":  "package main\n\nvar tests = 1\n",
		"linux.go":   "//go:build linux && go1.17\n\npackage main\n\nvar linux = 1\n",
	}
	of := func(file, function string, line int) map[string]bool {
		return packageOfFrame(t, files, gocode.Frame{Func: "main." + function, File: "example.org/shop/" + file, Line: line,
			Callee: "runtime.chanrecv1"})
	}
	if got := of("shop.go", "run", 4); got != nil {
		t.Errorf("a file that may be built, and receives, makes the package unknown: %v", got)
	}
	delete(files, "old.go")
	files["new.go"] = "//go:build fast\n\npackage main\n\nvar fast = 1\n"
	if got := of("shop.go", "run", 4); !got["run"] || !got["linux"] || got["win"] ||
		got["tests"] || got["arm"] || got["fast"] || !got["(partial)"] {
		t.Errorf("a file that may be built, and ends no wait, is left out, and noted: %v", got)
	}
	files["new.go"] = "//go:build fast\n\npackage main\n\nfunc free(t *T) func() { return t.mu.Unlock }\n"
	if got := of("shop.go", "run", 4); got != nil {
		t.Errorf("a file that may be built, and gives an Unlock away, makes the package unknown: %v", got)
	}
}

func TestAFolderThatIsNotReadToItsEndHasNoPackage(t *testing.T) {
	files := map[string]string{
		"go.mod":  "module example.org/shop\n",
		"shop.go": "package main\n\nfunc run(c chan int) {\n\t<-c\n}\n",
	}
	at := gocode.Frame{Func: "main.run", File: "example.org/shop/shop.go", Line: 4, Callee: "runtime.chanrecv1"}
	if packageOfFrame(t, files, at) == nil {
		t.Error("no package in a small folder")
	}
	for i := range maxEntries {
		files[fmt.Sprintf("%d.txt", i)] = ""
	}
	if packageOfFrame(t, files, at) != nil {
		t.Error("a file that was not listed may end a wait")
	}
}

func TestAPackageOfATestHasItsTests(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.org/shop\n",
		"shop.go":      "package shop\n\nfunc read(c chan int) {\n\t<-c\n}\n",
		"shop_test.go": "package shop\n\nfunc TestRead() {\n\tread(nil)\n}\n",
		"x_test.go":    "package shop_test\n\nfunc TestOther() {}\n",
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
	read := gocode.Frame{Func: "example.org/shop.read", File: "example.org/shop/shop.go", Line: 4, Callee: "runtime.chanrecv1"}
	test := gocode.Frame{Func: "example.org/shop.TestRead", File: "example.org/shop/shop_test.go", Line: 4,
		Callee: "example.org/shop.read"}
	for _, frames := range [][]gocode.Frame{{read}, {read, test}} {
		packages := tree.Packages()
		packages.Doubt(frames, nil)
		p, _ := packages.Of(read)
		if p == nil || (p.Types.Scope().Lookup("TestRead") != nil) != (len(frames) == 2) ||
			p.Types.Scope().Lookup("TestOther") != nil {
			t.Errorf("%d frames: %v", len(frames), p)
		}
	}
}

func TestALineDirectiveMakesAPackageUnknown(t *testing.T) {
	files := map[string]string{"go.mod": "module example.org/shop\n",
		"shop.go": "package main\n\nfunc run(c chan int) {\n\t<-c\n}\n",
		"feed.go": "package main\n\n//line feed.y:10\nfunc feed(c chan int) {\n\tc <- 1\n}\n"}
	frame := gocode.Frame{Func: "main.run", File: "example.org/shop/shop.go", Line: 4, Callee: "runtime.chanrecv1"}
	if packageOfFrame(t, files, frame) != nil {
		t.Error("calls of feed have other places than those of the file")
	}
	delete(files, "feed.go")
	if packageOfFrame(t, files, frame) == nil {
		t.Error("without it the package is known")
	}
}

func TestALoopOverWhatACallReturnsReceives(t *testing.T) {
	files := map[string]string{"go.mod": "module example.org/shop\n",
		"shop.go": "package main\n\nfunc main() {\n\tfor range time.Tick(1) {\n\t}\n\tselect {}\n}\n"}
	frame := gocode.Frame{Func: "main.main", File: "example.org/shop/shop.go", Line: 4, Callee: "runtime.chanrecv2"}
	if packageOfFrame(t, files, frame) == nil {
		t.Error("the head of a range loop receives")
	}
	if frame.Line++; packageOfFrame(t, files, frame) != nil {
		t.Error("its body does not")
	}
	frame.Line, frame.Callee = 6, "runtime.block"
	if packageOfFrame(t, files, frame) == nil {
		t.Error("a select without cases blocks")
	}
}

func TestAFileThatOneFrameContradictsHasNoCode(t *testing.T) {
	dir := t.TempDir()
	text := "package main\n\nfunc read(c chan int) {\n\t<-c\n}\n\nfunc main() {\n\tgo read(nil)\n\tprintln()\n}\n"
	for name, text := range map[string]string{"go.mod": "module example.org/shop\n", "shop.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := Open([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	at := func(function string, line int, callee string) gocode.Frame {
		return gocode.Frame{Func: "main." + function, File: "example.org/shop/shop.go", Line: line, Callee: callee}
	}
	wait := at("read", 4, "runtime.chanrecv1")
	var first *gocode.Package
	for _, c := range []struct {
		name            string
		frames, created []gocode.Frame
		known           bool
	}{
		{"what fits", []gocode.Frame{wait}, []gocode.Frame{at("main", 8, "")}, true},
		{"another goroutine's line", []gocode.Frame{wait, at("main", 4, "")}, nil, false},
		{"a line of a goroutine's start that starts none", nil, []gocode.Frame{at("main", 9, "")}, false},
		{"what fits, after another build", []gocode.Frame{wait}, nil, true},
	} {
		packages := tree.Packages()
		packages.Doubt(c.frames, c.created)
		p, _ := packages.Of(wait)
		if (p != nil) != c.known {
			t.Errorf("%s: the package is known: %t", c.name, p != nil)
		}
		if first == nil {
			first = p
		} else if c.known && p != first {
			t.Errorf("%s: the package is read again", c.name)
		}
	}
}
