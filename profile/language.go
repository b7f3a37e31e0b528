package profile

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// The runtimes that Profile.Runtime names.
const (
	RuntimeGo     = "Go"
	RuntimeJava   = "Java"
	RuntimeDotNet = ".NET"
	RuntimePython = "Python"
	RuntimeNode   = "Node.js"
	RuntimeRuby   = "Ruby"
	RuntimeRust   = "Rust"
	RuntimeNative = "C or C++"
)

// runtimeOf returns the runtime of the profiled program: most functions have a source of its language, or a name as
// only its runtime has them. A quarter of Go functions make a Go program, however much C it calls. "" where no
// function shows it.
func runtimeOf(p *Profile) string {
	votes := map[string]int{}
	for i := range p.Functions {
		if r := languageOf(&p.Functions[i]); r != "" {
			votes[r]++
		}
	}
	best, most, all := "", 0, 0
	for _, r := range []string{
		RuntimeGo, RuntimeJava, RuntimeDotNet, RuntimePython, RuntimeNode, RuntimeRuby, RuntimeRust, RuntimeNative,
	} {
		all += votes[r]
		if votes[r] > most {
			best, most = r, votes[r]
		}
	}
	if 4*votes[RuntimeGo] >= all && all > 0 {
		return RuntimeGo
	}
	return best
}

// sources are the files' endings by the runtime that runs them.
var sources = map[string]string{
	".go": RuntimeGo, ".java": RuntimeJava, ".kt": RuntimeJava, ".scala": RuntimeJava, ".cs": RuntimeDotNet,
	".py": RuntimePython, ".js": RuntimeNode, ".ts": RuntimeNode, ".mjs": RuntimeNode, ".cjs": RuntimeNode,
	".jsx": RuntimeNode, ".tsx": RuntimeNode, ".rb": RuntimeRuby, ".rs": RuntimeRust, ".c": RuntimeNative,
	".cc": RuntimeNative, ".cpp": RuntimeNative, ".cxx": RuntimeNative, ".h": RuntimeNative, ".hpp": RuntimeNative,
}

func languageOf(fn *Function) string {
	if dot := strings.LastIndexByte(fn.File, '.'); dot >= 0 {
		if runtime, ok := sources[fn.File[dot:]]; ok {
			return runtime
		}
	}
	switch name := fn.Name; {
	case strings.HasPrefix(fn.File, "node:"), strings.HasPrefix(name, "(program)"):
		return RuntimeNode
	case hasPrefix(name, "java/", "java.", "sun.misc.", "jdk/internal/", "jdk.internal.", "_ZN7JavaThread"):
		return RuntimeJava
	case hasPrefix(name, "System.", "Microsoft."), strings.Contains(name, "!System."):
		return RuntimeDotNet
	case hasPrefix(name, "runtime.", "internal/runtime/", "main.main", "net/http.", "syscall.", "sync.(*",
		"github.com/"):
		return RuntimeGo
	case hasPrefix(name, "std::", "_ZN"):
		return RuntimeNative
	}
	return ""
}

// hasPrefix reports whether s begins with one of the prefixes.
func hasPrefix(s string, prefixes ...string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// A nameEra is the minor releases of Go 1 in whose profiles function names begin with one of some prefixes. Where to is
// 0, newer releases have them still. From the functions in the sources of package runtime and its neighbours of Go 1.18
// and 1.20 to 1.27; names that only an experiment brought earlier are left out.
type nameEra struct {
	from, to int
	prefixes []string
}

var nameEras = []nameEra{
	{27, 0, []string{
		"runtime.mallocgcSlowPathStub", "runtime.mallocgcSmallNoScanSlowPath", "runtime.mallocgcSmallScanSlowPath",
		"runtime.mallocgcTinySlowPath",
	}},
	{26, 0, []string{
		"internal/runtime/syscall/linux.", "runtime.mallocgcSmallNoScanSC", "runtime.mallocgcSmallScanNoHeaderSC",
		"runtime.mallocgcTinySC", "runtime.growsliceNoAlias", "runtime.growsliceBuf",
	}},
	{23, 25, []string{"internal/runtime/syscall."}},
	{25, 0, []string{"runtime.runFinalizers", "runtime.runCleanups"}},
	{0, 24, []string{"runtime.runfinq"}},
	{24, 0, []string{
		"internal/runtime/maps.", "internal/sync.", "runtime.mallocgcSmallNoscan", "runtime.mallocgcSmallScan",
		"runtime.mallocgcTiny", "runtime.mallocgcLarge", "runtime.mapIterNext", "runtime.mapIterStart",
	}},
	{0, 23, []string{"runtime.mapiternext", "runtime.hashGrow", "runtime.growWork", "runtime.evacuate"}},
	{13, 23, []string{"sync.(*Mutex).lockSlow", "sync.(*Mutex).unlockSlow"}},
	{23, 0, []string{"runtime.(*timers)."}},
	{18, 22, []string{"runtime/internal/syscall."}},
	{0, 22, []string{"runtime/internal/atomic."}},
	{22, 0, []string{"runtime.gcDrainMarkWorker"}},
	{21, 0, []string{"runtime.gcWriteBarrier1", "runtime.gcWriteBarrier2"}},
	{20, 0, []string{"runtime.deductAssistCredit"}},
	{19, 0, []string{"runtime.findRunnable"}},
	{0, 18, []string{"runtime.findrunnable"}},
}

// toolchainPath finds the release in the path of a toolchain from the module cache, of an unpacked distribution, or of
// a CI's tool cache.
var toolchainPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:toolchain@v0\.0\.1-go|/go-?|hostedtoolcache/go/)(1\.\d+(?:\.\d+)?)` +
		`(?:[./-][a-z0-9.-]+)?/(?:x64/|arm64/|go/)?src/runtime/`)
})

// releaseOf names the Go release that wrote a profile: "1.26.8" where a path contains it, "1.24-1.25", "1.26",
// ">=1.20" or "<=1.18" by the names of the runtime's functions, "" where nothing shows it or the names disagree.
func releaseOf(p *Profile) string {
	from, to := 0, 99
	paths := 8 // all files of package runtime lie in one folder: a few show as much as all
	for i := range p.Functions {
		fn := &p.Functions[i]
		if paths > 0 && strings.HasPrefix(fn.Name, "runtime.") && strings.Contains(fn.File, "1.") {
			paths--
			if m := toolchainPath().FindStringSubmatch(fn.File); m != nil {
				return m[1]
			}
		}
		if !hasPrefix(fn.Name, "runtime", "internal/", "sync.(*Mutex).") {
			continue
		}
		for _, era := range nameEras {
			if hasPrefix(fn.Name, era.prefixes...) {
				from = max(from, era.from)
				if era.to > 0 {
					to = min(to, era.to)
				}
			}
		}
	}
	minor := func(n int) string { return "1." + strconv.Itoa(n) }
	switch {
	case from == 0 && to == 99, from > to:
		return ""
	case from == to:
		return minor(from)
	case to == 99:
		return ">=" + minor(from)
	case from == 0:
		return "<=" + minor(to)
	}
	return minor(from) + "-" + minor(to)
}
