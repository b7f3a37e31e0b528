package stackparse

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// trueOf reports whether a release named by the parser is true of the release that wrote a dump, 1.minor.
func trueOf(said string, minor int) bool {
	if low, ok := strings.CutPrefix(said, ">=1."); ok {
		n, err := strconv.Atoi(low)
		return err == nil && n <= minor
	}
	return said == "" || said == "1."+strconv.Itoa(minor) || strings.HasPrefix(said, "1."+strconv.Itoa(minor)+".")
}

func TestRelease_IsNeverWrongOnFixtures(t *testing.T) {
	for _, dir := range goVersionDirs(t) {
		minor, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(dir), "go1."))
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no fixtures in %s: %v", dir, err)
		}
		for _, file := range files {
			for _, d := range parse(readFixture(t, file)) {
				if !trueOf(d.Go, minor) {
					t.Errorf("%s/%s: %q", filepath.Base(dir), filepath.Base(file), d.Go)
				}
			}
		}
	}
}

func TestRelease_OfASignalsDumpIsNamed(t *testing.T) {
	for _, dir := range goVersionDirs(t) {
		want := strings.TrimPrefix(filepath.Base(dir), "go")
		d := parseOne(t, string(readFixture(t, dir, "zoo-signal.txt")))
		if d.Go != want && !strings.HasPrefix(d.Go, want+".") {
			t.Errorf("%s: %q", want, d.Go)
		}
	}
}

func TestRelease_FollowsFromTheGrammar(t *testing.T) {
	frames := "main.f()\n\t/a.go:1 +0x1\n"
	tests := []struct{ name, text, want string }{
		{"nothing", "goroutine 5 [select]:\n" + frames, ""},
		{"minutes", "goroutine 5 [select, 2 minutes]:\n" + frames, ">=1.4"},
		{"a parent's id", "goroutine 5 [select]:\n" + frames + "created by main.main in goroutine 1\n\t/a.go:2 +0x1\n", ">=1.21"},
		{"gp=", "goroutine 5 gp=0xc000007880 m=nil [select]:\n" + frames, ">=1.22"},
		{"internal/sync", "goroutine 5 [sync.Mutex.Lock]:\ninternal/sync.(*Mutex).lockSlow(0x1)\n\t/a.go:1 +0x1\n" + frames, ">=1.24"},
		{"a bubble", "goroutine 5 [select, synctest group 1]:\n" + frames, ">=1.24"},
		{"durable", "goroutine 5 [select (durable), synctest bubble 1]:\n" + frames, ">=1.25"},
		{"leaked", "goroutine 5 [select (leaked)]:\n" + frames, ">=1.26"},
		{"labels inside", "goroutine 5 [select labels:{\"k\": \"v\"}]:\n" + frames, ">=1.26"},
		{"labels outside", "goroutine 5 [select] {k: v}:\n" + frames, ">=1.27"},
		{"a toolchain's path", "goroutine 5 [sleep]:\ntime.Sleep(0x1)\n\t/home/ci/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.24.11.linux-amd64/src/runtime/time.go:315 +0x1\n", "1.24.11"},
		{"a distribution's path", "goroutine 5 [sleep]:\ntime.Sleep(0x1)\n\t/opt/go1.23.4/src/runtime/time.go:315 +0x1\n", "1.23.4"},
		{"a program's path is no toolchain's", "goroutine 5 [sleep]:\nmain.f(0x1)\n\t/opt/go1.23.4/src/app/time.go:315 +0x1\n", ""},
	}
	for _, test := range tests {
		if got := parseOne(t, test.text).Go; got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestRelease_OfLaterDumpsOfAStreamIsTheSame(t *testing.T) {
	const lines = "goroutine 5 [select]:\nruntime.gopark(0x1)\n\t/usr/lib/go/src/runtime/proc.go:435 +0xce\n\n"
	const path = "goroutine 5 [select]:\nruntime.gopark(0x1)\n\t/go/toolchain@v0.0.1-go1.25.3.linux-amd64/src/runtime/proc.go:1 +0xce\n\n"
	for want, text := range map[string]string{"1.24": lines, "1.25.3": path} {
		dumps := parse([]byte(strings.Repeat(text, 3))) // an id that comes again begins a dump
		if len(dumps) != 3 {
			t.Fatalf("%d dumps", len(dumps))
		}
		for i, d := range dumps {
			if d.Go != want {
				t.Errorf("dump %d: %q, want %q", i+1, d.Go, want)
			}
		}
	}
}
