package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
)

// klog is a file of which the tests know the lines: (*T).Run is at 6 to 11.
const klog = `package klog

// A T runs.
type T struct{ n int }

func (t *T) Run(name string, n int) error {
	for {
		go func() { t.n++ }()
		step(t)
	}
}

func step(t *T) {
	t.n++
}
`

// tree writes files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// show looks for one place below the folders.
func show(t *testing.T, ask Ask, dirs ...string) Answer {
	t.Helper()
	src, err := Open(dirs)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	a := src.Show([]Ask{ask})[0]
	if (a.Code == nil) == (a.Reason == "") {
		t.Fatalf("code %v and reason %q: one of them is wanted", a.Code, a.Reason)
	}
	return a
}

func at(fn, file string, line int) Ask {
	return Ask{Place: rules.Place{Function: fn, File: file, Line: line}}
}

func TestAFileIsFoundInEveryLayout(t *testing.T) {
	const run = "k8s.io/klog/v2.(*T).Run"
	cached := map[string]string{"k8s.io/klog/v2@v2.80.1/klog.go": klog}
	tests := []struct {
		name     string
		files    map[string]string
		fn, file string
		want     string
	}{
		{"a module cache, for a path of another one", cached, run, "/go/pkg/mod/k8s.io/klog/v2@v2.80.1/klog.go",
			"k8s.io/klog/v2@v2.80.1/klog.go"},
		{"a module cache, for a path of -trimpath", cached, run, "k8s.io/klog/v2@v2.80.1/klog.go",
			"k8s.io/klog/v2@v2.80.1/klog.go"},
		{"a module cache in a folder of any name", cached, run, "/var/cache/m/k8s.io/klog/v2@v2.80.1/klog.go",
			"k8s.io/klog/v2@v2.80.1/klog.go"},
		{"a module cache of Windows", cached, run, `C:\Users\me\go\pkg\mod\k8s.io\klog\v2@v2.80.1\klog.go`,
			"k8s.io/klog/v2@v2.80.1/klog.go"},
		{"a GOPATH with its module cache", map[string]string{"pkg/mod/k8s.io/klog/v2@v2.80.1/klog.go": klog}, run,
			"k8s.io/klog/v2@v2.80.1/klog.go", "pkg/mod/k8s.io/klog/v2@v2.80.1/klog.go"},
		{"capitals of -trimpath are escaped", map[string]string{"github.com/!acme/!k@v1.0.0-!r!c1/x/k.go": klog},
			"github.com/Acme/K/x.(*T).Run", "github.com/Acme/K@v1.0.0-RC1/x/k.go", "github.com/!acme/!k@v1.0.0-!r!c1/x/k.go"},
		{"capitals of a cache's path", map[string]string{"github.com/!acme/!k@v1.0.0/x/k.go": klog},
			"github.com/Acme/K/x.(*T).Run", "/m/github.com/!acme/!k@v1.0.0/x/k.go", "github.com/!acme/!k@v1.0.0/x/k.go"},
		{"a fork that replaces the module", map[string]string{"example.com/fork@v1.0.0/klog.go": klog}, run,
			"/go/pkg/mod/example.com/fork@v1.0.0/klog.go", "example.com/fork@v1.0.0/klog.go"},
		{"a checkout that vendors the module", map[string]string{"go.mod": "module example.com/app\n",
			"vendor/modules.txt": "# k8s.io/klog/v2 v2.80.1\n", "vendor/k8s.io/klog/v2/klog.go": klog}, run,
			"k8s.io/klog/v2@v2.80.1/klog.go", "vendor/k8s.io/klog/v2/klog.go"},
		{"a vendored path", map[string]string{"go.mod": "module example.com/app\n", "vendor/k8s.io/klog/v2/klog.go": klog},
			"example.com/app/vendor/k8s.io/klog/v2.(*T).Run", "/src/app/vendor/k8s.io/klog/v2/klog.go",
			"vendor/k8s.io/klog/v2/klog.go"},
		{"a checkout of the module itself", map[string]string{"go.mod": "module k8s.io/klog/v2\n", "klog.go": klog}, run,
			"k8s.io/klog/v2@v2.80.1/klog.go", "klog.go"},
		{"a checkout, for a path of -trimpath", map[string]string{"go.mod": "module k8s.io/klog\n", "v2/klog.go": klog}, run,
			"k8s.io/klog/v2/klog.go", "v2/klog.go"},
		{"a checkout, for a path of another machine", map[string]string{"go.mod": "// x\nmodule \"k8s.io/klog\" // y\n",
			"v2/klog.go": klog}, run, "/workspace/v2/klog.go", "v2/klog.go"},
		{"a module in a folder of the checkout", map[string]string{"srv/go.mod": "module k8s.io/klog\n",
			"srv/v2/klog.go": klog}, run, "/app/v2/klog.go", "srv/v2/klog.go"},
		{"package main by the end of its path", map[string]string{"go.mod": "module example.com/app\n",
			"cmd/app/main.go": strings.Replace(klog, "klog", "main", 1)}, "main.(*T).Run", "/home/ci/app/cmd/app/main.go",
			"cmd/app/main.go"},
		{"a GOPATH's src", map[string]string{"src/k8s.io/klog/v2/klog.go": klog}, run, "/go/src/k8s.io/klog/v2/klog.go",
			"src/k8s.io/klog/v2/klog.go"},
		{"an external test", map[string]string{"go.mod": "module k8s.io/klog\n", "v2/k_test.go": klog},
			"k8s.io/klog/v2_test.(*T).Run", "/w/v2/k_test.go", "v2/k_test.go"},
		{"a GOROOT", map[string]string{"src/runtime/runtime2.go": "", "src/net/http/k.go": klog}, "net/http.(*T).Run",
			"/usr/local/go/src/net/http/k.go", "src/net/http/k.go"},
		{"the src of a GOROOT, for a trimmed path", map[string]string{"runtime/runtime2.go": "", "net/http/k.go": klog},
			"net/http.(*T).Run", "net/http/k.go", "net/http/k.go"},
		{"a replaced module in a folder", map[string]string{"go.mod": "module example.com/app\n", "third/klog/klog.go": klog},
			run, "/build/third/klog/klog.go", "third/klog/klog.go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := tree(t, tt.files)
			ask := at(tt.fn, tt.file, 9)
			pkg, _ := symbol.SplitPackage(tt.fn)
			ask.Callee = pkg + ".step"
			a := show(t, ask, t.TempDir(), dir)
			if a.Code == nil {
				t.Fatalf("not found: %s", a.Reason)
			}
			want := &rules.Code{Dir: dir, File: tt.want, First: 7, Line: 9, Fits: rules.FitsYes, Compared: a.Code.Compared,
				Lines: []string{"\tfor {", "\t\tgo func() { t.n++ }()", "\t\tstep(t)", "\t}", "}"}}
			if diff := cmp.Diff(want, a.Code); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnotherVersionIsMarked(t *testing.T) {
	const run, file = "k8s.io/klog/v2.(*T).Run", "k8s.io/klog/v2@v2.80.1/klog.go"
	checkout := map[string]string{"go.mod": "module k8s.io/klog/v2\n", "klog.go": klog}
	vendored := map[string]string{"go.mod": "module example.com/app\n", "vendor/k8s.io/klog/v2/klog.go": klog}
	tests := []struct {
		name    string
		files   map[string]string
		modules string
		fn      string
		line    int
		want    string
	}{
		{"another function is there", checkout, "", run, 14, "line 14 is in step, not in (*T).Run"},
		{"the function is elsewhere", checkout, "", run, 1, "(*T).Run is in lines 6 to 11"},
		{"the function is gone", checkout, "", "k8s.io/klog/v2.New", 1, "line 1 is in no function, and the file has no New"},
		{"the file is shorter", checkout, "", run, 90, "the file has only 15 lines"},
		{"the vendor folder has another one", vendored, "# k8s.io/klog/v2 v2.70.0\n", run, 9,
			"the vendor folder has k8s.io/klog/v2@v2.70.0, the build k8s.io/klog/v2@v2.80.1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := tree(t, tt.files)
			if tt.modules != "" {
				name := filepath.Join(dir, "vendor", "modules.txt")
				if err := os.WriteFile(name, []byte(tt.modules), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			a := show(t, at(tt.fn, file, tt.line), dir)
			if a.Code == nil {
				t.Fatalf("not found: %s", a.Reason)
			}
			if a.Code.Fits != rules.FitsNo || a.Code.Compared != tt.want {
				t.Errorf("fits %q: %q, want no: %q", a.Code.Fits, a.Code.Compared, tt.want)
			}
		})
	}
}

func TestALineIsHeldAgainstWhatTheBuildDidThere(t *testing.T) {
	const code = `package klog

func (t *T) Run(in, out chan int) {
	defer t.mu.Unlock()
	t.mu.Lock()
	for n := range in {
		out <- n
	}
	select {
	case <-in:
	case out <- 1:
	}
	go t.Close(
		<-in)
	t.wait(func() {
		t.step(1,
			2)
	})
	fn()
}
`
	tests := []struct {
		callee string
		line   int
		fits   string
		want   string
	}{
		{"sync.(*Mutex).Lock", 5, rules.FitsYes, "line 5 is in (*T).Run and calls Lock"},
		{"sync.(*Mutex).Lock", 7, rules.FitsNo, "(*T).Run calls Lock in line 5, not in line 7"},
		{"sync.(*Mutex).Unlock", 20, rules.FitsUnknown, "line 20 is in (*T).Run; its version is unknown"},
		{"k8s.io/klog/v2.(*T).step", 17, rules.FitsUnknown, "line 17 is in (*T).Run; its version is unknown"},
		{"k8s.io/klog/v2.(*T).wait", 16, rules.FitsNo, "(*T).Run calls wait in line 15, not in line 16"},
		{"k8s.io/klog/v2.(*T).wait", 15, rules.FitsYes, "line 15 is in (*T).Run and calls wait"},
		{"k8s.io/klog/v2.other", 19, rules.FitsUnknown, "line 19 is in (*T).Run; its version is unknown"},
		{"k8s.io/klog/v2.(*T).Run.func1", 19, rules.FitsUnknown, "line 19 is in (*T).Run; its version is unknown"},
		{"runtime.chanrecv2", 6, rules.FitsYes, "line 6 is in (*T).Run and receives from a channel"},
		{"runtime.chanrecv1", 14, rules.FitsYes, "line 14 is in (*T).Run and receives from a channel"},
		{"runtime.chanrecv1", 5, rules.FitsNo, "(*T).Run receives from a channel in line 10, not in line 5"},
		{"runtime.chansend1", 7, rules.FitsYes, "line 7 is in (*T).Run and sends to a channel"},
		{"runtime.selectgo", 9, rules.FitsYes, "line 9 is in (*T).Run and selects"},
		{"runtime.selectgo", 10, rules.FitsNo, "(*T).Run selects in line 9, not in line 10"},
		{"panic", 19, rules.FitsUnknown, "line 19 is in (*T).Run; its version is unknown"},
	}
	dir := tree(t, map[string]string{"go.mod": "module k8s.io/klog/v2\n", "klog.go": code})
	for _, tt := range tests {
		ask := at("k8s.io/klog/v2.(*T).Run", "/w/klog.go", tt.line)
		ask.Callee = tt.callee
		a := show(t, ask, dir)
		if a.Code == nil {
			t.Fatalf("not found: %s", a.Reason)
		}
		if a.Code.Fits != tt.fits || a.Code.Compared != tt.want {
			t.Errorf("%s: fits %q: %q, want %q: %q", tt.callee, a.Code.Fits, a.Code.Compared, tt.fits, tt.want)
		}
	}
}

func TestWhatCanNotBeComparedIsNotCalledRight(t *testing.T) {
	for name, file := range map[string]string{
		"since it can't be parsed":           "package p\nfunc {\n",
		"since it is not Go":                 "",
		"since it is too large to be parsed": "package p\n" + strings.Repeat("// comment\n", maxParsed/10),
	} {
		asked := "/w/v2/klog.go"
		if file == "" {
			asked, file = "/w/v2/klog.s", "TEXT ·x(SB),0,$0\nRET\n"
		}
		dir := tree(t, map[string]string{"go.mod": "module k8s.io/klog\n", "v2/" + filepath.Base(asked): file})
		a := show(t, at("k8s.io/klog/v2.(*T).Run", asked, 2), dir)
		if a.Code == nil {
			t.Fatalf("%s: not found: %s", name, a.Reason)
		}
		if a.Code.Fits != rules.FitsUnknown || a.Code.Compared != "not compared with the build, "+name {
			t.Errorf("%s: fits %q: %q", name, a.Code.Fits, a.Code.Compared)
		}
	}
}

func TestAFileThatIsNotFoundHasAReason(t *testing.T) {
	checkout := map[string]string{"go.mod": "module example.com/app\n", "main.go": klog, "other/main.go": klog,
		"vendor/x/x.go": klog, "k8s.io/klog/v2@v2.90.0/klog.go": klog, "big.go": strings.Repeat("//\n", MaxFile/3+1),
		"bin.go": "package main\n\x00", "folder.go/x.go": klog}
	tests := []struct{ name, fn, file, want string }{
		{"no file", "main.f", "", "the input names no file"},
		{"generated code", "main.f", "<autogenerated>", "the compiler generated this code: it has no source file"},
		{"cgo's code", "main._Cfunc_f", "_cgo_gotypes.go", "the compiler generated this code: it has no source file"},
		{"no source", "main.f", "/home/me/.ssh/id_rsa", "only sources in Go, C, assembly and yacc are shown"},
		{"another version", "k8s.io/klog/v2.F", "/go/pkg/mod/k8s.io/klog/v2@v2.80.1/klog.go",
			"k8s.io/klog/v2 is present as v2.90.0, not as v2.80.1"},
		{"another module", "k8s.io/api.F", "/go/pkg/mod/k8s.io/api@v0.30.0/x.go", "no such module"},
		{"vendored", "y.dev/y.F", "/src/vendor/y.dev/y/y.go", "vendored, and the path names no version: a checkout with its vendor folder has it"},
		{"the standard library", "net/http.F", "/usr/local/go/src/net/http/server.go",
			"part of a Go release: --source $(go env GOROOT) has it"},
		{"moved in the checkout", "example.com/app/x.F", "/src/x/main.go", "no such file"},
		{"another package's main.go", "main.main", "/src/main.go", "only files with that name but other code"},
		{"another module's file of the name", "example.org/x.F", "/src/main.go", "only files with that name but other code"},
		{"only a name", "", "main.go", "only files with that name, and nothing to compare them with"},
		{"too large", "main.f", "/src/big.go", "larger than 4 MiB"},
		{"binary", "main.f", "/src/bin.go", "a binary file"},
		{"a folder", "main.f", "/src/folder.go", "not a regular file"},
		{"out of the folder", "main.f", "../../etc/passwd.go", "the path is not one that a Go build records"},
		{"out of the folder by its package", "../../etc.F", "/x/passwd.go", "no such file"},
		{"a control character", "main.f", "/src/\x1b[2Jmain.go", "the path is not one that a Go build records"},
		{"a NUL", "main.f", "/src/main.go\x00.go", "the path is not one that a Go build records"},
		{"a long path", "main.f", "/" + strings.Repeat("x", maxPath) + ".go", "the path is not one that a Go build records"},
	}
	dir := tree(t, checkout)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := show(t, at(tt.fn, tt.file, 14), dir)
			if a.Code != nil {
				t.Fatalf("found %s: %s", a.Code.File, a.Code.Compared)
			}
			if a.Reason != tt.want {
				t.Errorf("reason %q, want %q", a.Reason, tt.want)
			}
		})
	}
}

func TestNoLinkLeadsOutOfTheFolder(t *testing.T) {
	outside := tree(t, map[string]string{"secret.go": klog, "dir/secret.go": klog})
	dir := tree(t, map[string]string{"go.mod": "module k8s.io/klog\n", "real/klog.go": klog})
	for link, target := range map[string]string{"v2": "real", "file.go": filepath.Join(outside, "secret.go"),
		"away": filepath.Join(outside, "dir"), "up": "../" + filepath.Base(outside)} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	if a := show(t, at("k8s.io/klog/v2.(*T).Run", "/w/v2/klog.go", 9), dir); a.Code == nil {
		t.Errorf("a link inside is not followed: %s", a.Reason)
	}
	for _, file := range []string{"file.go", "away/secret.go", "up/secret.go"} {
		a := show(t, at("k8s.io/klog/"+filepath.Dir(file)+".(*T).Run", "/w/"+file, 9), dir)
		if file == "file.go" {
			a = show(t, at("main.(*T).Run", "/w/"+file, 9), dir)
		}
		if a.Code != nil || !strings.HasPrefix(a.Reason, "can't be opened: ") {
			t.Errorf("%s: code %v, reason %q", file, a.Code, a.Reason)
		}
	}
}

func TestLinesAreBounded(t *testing.T) {
	long := strings.Repeat("é", 1<<19) // 1 MiB; the cut would fall into a rune
	dir := tree(t, map[string]string{"go.mod": "module k8s.io/klog\n",
		"v2/klog.go": "package klog\n\nfunc F() {\n\tx() // a" + long + "\n\t// \xff\xfe\x1b[31m\u202e\r\n}"})
	a := show(t, at("k8s.io/klog/v2.F", "/w/v2/klog.go", 4), dir)
	if a.Code == nil {
		t.Fatal(a.Reason)
	}
	want := []string{"", "func F() {", "\tx() // a" + strings.Repeat("é", (maxLine-9)/2) + "…", "\t// �\x1b[31m\u202e", "}"}
	if diff := cmp.Diff(want, a.Code.Lines); diff != "" {
		t.Error(diff)
	}
	if n := len(a.Code.Lines[2]); n > maxLine+len("…") {
		t.Errorf("a line of %d bytes", n)
	}
}

func TestEachFileIsReadOnceAndABoundedNumberOfThem(t *testing.T) {
	files := map[string]string{"go.mod": "module k8s.io/klog\n", "v2/klog.go": klog}
	src, err := Open([]string{tree(t, files)})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	asks := slices.Repeat([]Ask{at("k8s.io/klog/v2.(*T).Run", "/w/v2/klog.go", 9)}, 2*MaxFiles)
	for i, a := range src.Show(asks) {
		if a.Code == nil {
			t.Fatalf("place %d: %s", i, a.Reason)
		}
	}
	for i := range asks {
		asks[i].Place.File = "/w/" + strings.Repeat("x/", i%30) + strings.Repeat("y", i) + ".go"
	}
	asks = append(asks, at("k8s.io/klog/v2.(*T).Run", "/w/v2/klog.go", 9))
	answers := src.Show(asks)
	if got, want := answers[len(asks)-1].Reason, "triage looks only for the first 256 files"; got != want {
		t.Errorf("reason %q, want %q", got, want)
	}
}

func TestAFolderThatIsNotThereIsAnError(t *testing.T) {
	if _, err := Open([]string{t.TempDir(), filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("no error")
	}
}

func TestAMethodsClosureIsNotInAFunctionOfItsName(t *testing.T) {
	dir := tree(t, map[string]string{"go.mod": "module k8s.io/klog/v2\n", "klog.go": klog})
	a := show(t, at("k8s.io/klog/v2.(*T).step.func1", "/w/klog.go", 14), dir)
	if a.Code == nil || a.Code.Fits != rules.FitsNo {
		t.Errorf("answer %+v, want code that does not fit", a)
	}
}
