package frame

import (
	"maps"
	"slices"
	"testing"

	"github.com/gotriage/triage/internal/symbol"
)

// program infers from frames given as function, file pairs.
func program(pairs ...string) Program {
	return InferProgram(func(yield func(Frame) bool) {
		for i := 0; i+1 < len(pairs); i += 2 {
			if !yield(Frame{Func: pairs[i], File: pairs[i+1], Line: 1}) {
				return
			}
		}
	})
}

func TestInferProgramFindsTheMainModule(t *testing.T) {
	tests := []struct {
		name  string
		pairs []string
		want  string
	}{
		{"vendored functions name their owner", []string{
			"github.com/acme/fleet/vendor/k8s.io/client-go/tools/cache.(*Reflector).Run", "/go/src/github.com/acme/fleet/vendor/k8s.io/client-go/tools/cache/reflector.go",
			"main.main", "/go/src/github.com/acme/fleet/main.go",
		}, "github.com/acme/fleet"},
		{"of two vendoring modules the one with package main wins", []string{
			"example.com/lib/x/vendor/example.com/a.F", "", "example.com/lib/x/vendor/example.com/a.G", "",
			"example.com/fleet/app/vendor/example.com/a.F", "",
			"main.main", "/go/src/example.com/fleet/app/cmd/app/main.go",
		}, "example.com/fleet/app"},
		{"go install m@v leaves main in the module cache", []string{
			"main.main", "/home/ci/go/pkg/mod/github.com/!acme/tool/v2@v2.3.4/cmd/tool/main.go",
			"github.com/spf13/cobra.(*Command).Execute", "/home/ci/go/pkg/mod/github.com/spf13/cobra@v1.8.0/command.go",
		}, "github.com/Acme/tool/v2"},
		{"a trimmed build repeats import paths as files", []string{
			"main.main", "github.com/acme/fleet-operator/cmd/manager/main.go",
			"github.com/acme/fleet-operator/internal/controller.(*R).Reconcile", "github.com/acme/fleet-operator/internal/controller/r.go",
			"sigs.k8s.io/controller-runtime/pkg/manager.New", "sigs.k8s.io/controller-runtime@v0.19.0/pkg/manager/manager.go",
		}, "github.com/acme/fleet-operator"},
		{"an unknown host's module ends before cmd", []string{
			"main.main", "example.com/storage/volume-agent/cmd/volume-agent/main.go",
			"example.com/storage/volume-agent/internal/engine.(*V).desired", "example.com/storage/volume-agent/internal/engine/engine.go",
		}, "example.com/storage/volume-agent"},
		{"a folder of any name holds the module", []string{
			"main.main", "/workspace/cmd/volume-agent/main.go",
			"example.com/storage/volume-agent/internal/engine.(*V).desired", "/workspace/internal/engine/engine.go",
		}, "example.com/storage/volume-agent"},
		{"the module's folder has the module's last name", []string{
			"main.main", "/home/me/volume-agent/cmd/volume-agent/main.go",
			"example.com/storage/volume-agent/internal/engine.(*V).desired", "/home/me/volume-agent/internal/engine/engine.go",
		}, "example.com/storage/volume-agent"},
		{"a major version belongs to the module", []string{
			"main.main", "/build/main.go",
			"github.com/acme/server/v2/internal/raft.(*R).run", "/build/internal/raft/raft.go",
		}, "github.com/acme/server/v2"},
		{"GOPATH without vendoring: main's folder decides", []string{
			"main.main", "/go/src/github.com/acme/fleet/cmd/fleet/main.go",
			"github.com/acme/fleet/pkg/a.F", "/go/src/github.com/acme/fleet/pkg/a/a.go",
			"github.com/other/lib/b.F", "/go/src/github.com/other/lib/b/b.go",
			"github.com/other/lib/c.F", "/go/src/github.com/other/lib/c/c.go",
		}, "github.com/acme/fleet"},
		{"Windows paths", []string{
			"main.main", "D:/build/fleet/main.go",
			"github.com/acme/fleet/pkg/a.F", "D:/build/fleet/pkg/a/a.go",
		}, "github.com/acme/fleet"},
		{"a module without a dot", []string{
			"main.main", "/src/zoo/cmd/main.go",
			"zoo/pkg/cage.(*T).Open", "/src/zoo/pkg/cage/cage.go",
		}, "zoo"},
		{"without package main the module with most packages, libraries aside", []string{
			"k8s.io/client-go/tools/cache.F", "", "k8s.io/client-go/rest.F", "", "k8s.io/client-go/util.F", "",
			"github.com/acme/fleet/pkg/a.F", "", "github.com/acme/fleet/pkg/b.F", "", "github.com/other/lib.F", "",
		}, "github.com/acme/fleet"},
		{"package main alone, in no import path, tells nothing", []string{
			"main.main", "/src/main.go", "sync.(*Mutex).Lock", "/usr/local/go/src/sync/mutex.go",
		}, ""},
		{"no frames", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := program(tt.pairs...).Module; got != tt.want {
				t.Errorf("module %q, want %q", got, tt.want)
			}
			slices.Reverse(tt.pairs)
			for i := 0; i+1 < len(tt.pairs); i += 2 {
				tt.pairs[i], tt.pairs[i+1] = tt.pairs[i+1], tt.pairs[i]
			}
			if got := program(tt.pairs...).Module; got != tt.want {
				t.Errorf("in reverse order: module %q, want %q", got, tt.want)
			}
		})
	}
}

func TestClassSaysWhoseCodeAFrameIs(t *testing.T) {
	p := Program{Module: "example.com/fleet/app"}
	tests := []struct {
		fn, file string
		want     Class
	}{
		{"runtime.gopark", "/usr/local/go/src/runtime/proc.go", ClassRuntime},
		{"internal/runtime/maps.(*Map).Get", "", ClassRuntime},
		{"runtime/internal/atomic.Load", "", ClassRuntime},
		{"panic", "/usr/local/go/src/runtime/panic.go", ClassRuntime},
		{"type:.eq.main.T", "", ClassRuntime},
		{"runtime/debug.Stack", "runtime/debug/stack.go", ClassStdlib},
		{"sync.runtime_Semacquire", "/usr/local/go/src/runtime/sema.go", ClassStdlib},
		{"sync.runtime_Semacquire", "runtime/sema.go", ClassStdlib},
		{"net/http.(*conn).serve", "C:/Program Files/Go/src/net/http/server.go", ClassStdlib},
		{"net/http.(*conn).serve", "", ClassStdlib},
		{"vendor/golang.org/x/net/http2/hpack.(*Decoder).Write", "/usr/local/go/src/vendor/golang.org/x/net/http2/hpack/hpack.go", ClassStdlib},
		{"example.com/fleet/app/vendor/k8s.io/klog.Info", "", ClassVendored},
		{"k8s.io/klog/v2.Info", "/src/fleet/vendor/k8s.io/klog/v2/klog.go", ClassVendored},
		{"k8s.io/klog/v2.Info", "/go/pkg/mod/k8s.io/klog/v2@v2.80.1/klog.go", ClassDependency},
		{"k8s.io/klog/v2.Info", "k8s.io/klog/v2@v2.80.1/klog.go", ClassDependency},
		{"github.com/other/lib.F", "/go/src/github.com/other/lib/f.go", ClassDependency},
		{"main.main", "/src/main.go", ClassOwn},
		{"example.com/fleet/app/pkg/x.F", "/src/pkg/x/f.go", ClassOwn},
		{"example.com/fleet/app_test.TestX", "/src/x_test.go", ClassOwn},
		{"example.com/fleet/application.F", "", ClassDependency},
		{"log/custom.F", "/app/log/custom/f.go", ClassOwn},
		{"main._Cfunc_usleep", "_cgo_gotypes.go", ClassForeign},
		{"pthread_cond_wait", "", ClassForeign},
		{"std::foo(int)", "/src/foo.cc", ClassForeign},
		{"", "", ClassUnknown},
	}
	for _, tt := range tests {
		if got := p.Class(Frame{Func: tt.fn, File: tt.file}); got != tt.want {
			t.Errorf("Class(%q, %q) = %v, want %v", tt.fn, tt.file, got, tt.want)
		}
	}
}

func TestClassTellsAModuleNamedLikeTheStandardLibraryByItsFiles(t *testing.T) {
	p := program("main.main", "/src/zoo/cmd/main.go", "zoo/pkg/cage.Open", "/src/zoo/pkg/cage/cage.go",
		"runtime.main", "/opt/go1.26/src/runtime/proc.go")
	if got := p.Class(Frame{Func: "zoo/pkg/cage.Open", File: "/src/zoo/pkg/cage/cage.go"}); got != ClassOwn {
		t.Errorf("zoo/pkg/cage is %v, want own", got)
	}
	if got := p.Class(Frame{Func: "newstd/thing.F", File: "/opt/go1.26/src/newstd/thing/f.go"}); got != ClassStdlib {
		t.Errorf("a package below GOROOT is %v, want stdlib", got)
	}
}

func TestClassOfTheZeroProgramGuessesNoOwner(t *testing.T) {
	if got := (Program{}).Class(Frame{Func: "github.com/acme/x.F", File: "/src/x/f.go"}); got != ClassUnknown {
		t.Errorf("class %v, want unknown", got)
	}
}

func TestClassesPrintAsReportsNameThem(t *testing.T) {
	got := ""
	for c := ClassUnknown; c <= ClassForeign+1; c++ {
		got += c.String() + " "
	}
	if want := "unknown runtime stdlib dependency vendored own foreign unknown "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func frames(fns ...string) []Frame {
	fs := make([]Frame, len(fns))
	for i, fn := range fns {
		fs[i].Func = fn
	}
	return fs
}

func TestCulpritSkipsRuntimeStandardLibraryAndFramework(t *testing.T) {
	p := Program{Module: "example.com/fleet/app"}
	tests := []struct {
		name   string
		frames []Frame
		want   int
	}{
		{"a vendored dependency that yields in a loop", frames("runtime.Gosched",
			"example.com/fleet/app/vendor/example.com/listener.(*listener).Wrap.func1", "example.com/fleet/app/pkg/server.Run"), 1},
		{"a handler behind the server's dispatch", frames("sync.(*Mutex).Lock", "example.com/fleet/app/api.(*API).get",
			"net/http.HandlerFunc.ServeHTTP", "github.com/gorilla/mux.(*Router).ServeHTTP", "net/http.(*conn).serve"), 1},
		{"the program's reconcile below a worker loop", frames("k8s.io/klog/v2.(*loggingT).output", "k8s.io/klog/v2.Infof", "reflect.Value.Call",
			"example.com/fleet/app/pkg/c.(*R).Reconcile", "sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller).reconcileHandler"), 3},
		{"an idle worker has only framework", frames("sync.(*Cond).Wait", "k8s.io/client-go/util/workqueue.(*Type).Get", "k8s.io/apimachinery/pkg/util/wait.JitterUntil"), 1},
		{"a C call's Go caller", frames("runtime.cgocall", "main._Cfunc_spin", "main.work"), 2},
		{"the runtime alone", frames("runtime.gopark", "runtime.bgsweep"), -1},
		{"nothing", nil, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := p.Culprit(tt.frames); got != tt.want {
				t.Errorf("Culprit = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestFrameworkIgnoresVendorPrefixesAndMajorVersions(t *testing.T) {
	var p Program
	yes := []string{
		"k8s.io/apimachinery/pkg/util/wait.JitterUntil", "example.com/m/vendor/k8s.io/apimachinery/pkg/util/wait.BackoffUntil.func1",
		"k8s.io/klog/v2.Infof", "k8s.io/klog.Infof", "github.com/go-chi/chi/v5.(*Mux).ServeHTTP", "github.com/urfave/cli/v2.(*App).Run",
		"k8s.io/klog/v2/internal/serialize.KVListFormat", "golang.org/x/sync/errgroup.(*Group).Go.func1", "sync.(*Once).doSlow",
		"testing.tRunner.func1.2", "runtime/pprof.Do", "reflect.Value.Call", "k8s.io/client-go/tools/cache.(*processorListener).run.func1",
	}
	no := []string{
		"k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch", "github.com/urfave/climate.F", "main.main", "panic", "sync.(*Mutex).Lock",
		"net/http.(*Transport).RoundTrip", "example.com/wait.JitterUntil", "reflect.DeepEqual",
	}
	for _, fn := range yes {
		if !p.Framework(Frame{Func: fn}) {
			t.Errorf("%s is no framework", fn)
		}
	}
	for _, fn := range no {
		if p.Framework(Frame{Func: fn}) {
			t.Errorf("%s is framework", fn)
		}
	}
	if !p.Framework(Frame{Func: "main.main", File: "_testmain.go"}) {
		t.Error("the generated main of a test binary is no framework")
	}
	if (Program{Module: "k8s.io/klog/v2"}).Framework(Frame{Func: "k8s.io/klog/v2.Infof"}) {
		t.Error("a program's own module is framework to itself")
	}
}

func TestLayersHaveNoVersion(t *testing.T) {
	all := slices.AppendSeq(slices.Collect(maps.Keys(layers)), maps.Keys(wholeLayers()))
	for _, pkg := range all {
		if symbol.DropMajors(pkg) != pkg {
			t.Errorf("%s has a major version, with which Framework never looks for it", pkg)
		}
		if layers[pkg] != "" && wholeLayers()[pkg] {
			t.Errorf("%s is in both tables", pkg)
		}
	}
}

// A name or file of any form has a class: hostile dumps hold whatever they like.
func FuzzClass(f *testing.F) {
	for _, seed := range []string{"main.main.func1", "a/vendor/b.C", "type..eq.x", "/pkg/mod/a@v1.2.3/b.go", "@v1", "a/b.(*T[...]).M-fm"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, fn, file string) {
		for _, p := range []Program{{}, {Module: "a"}, InferProgram(slices.Values([]Frame{{Func: fn, File: file}}))} {
			class, framework := p.Look(Frame{Func: fn, File: file})
			if class != p.Class(Frame{Func: fn, File: file}) || framework != p.Framework(Frame{Func: fn, File: file}) {
				t.Errorf("Look(%q, %q) is neither Class nor Framework", fn, file)
			}
		}
	})
}
