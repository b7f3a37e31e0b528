package profile

import "strings"

// The runtimes that Profile.Runtime names.
const (
	RuntimeGo     = "Go"
	runtimeJava   = "Java"
	runtimeDotNet = ".NET"
	runtimePython = "Python"
	runtimeNode   = "Node.js"
	runtimeRuby   = "Ruby"
	runtimeRust   = "Rust"
	runtimeNative = "C or C++"
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
		RuntimeGo, runtimeJava, runtimeDotNet, runtimePython, runtimeNode, runtimeRuby, runtimeRust, runtimeNative,
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
	".go": RuntimeGo, ".java": runtimeJava, ".kt": runtimeJava, ".scala": runtimeJava, ".cs": runtimeDotNet,
	".py": runtimePython, ".js": runtimeNode, ".ts": runtimeNode, ".mjs": runtimeNode, ".cjs": runtimeNode,
	".jsx": runtimeNode, ".tsx": runtimeNode, ".rb": runtimeRuby, ".rs": runtimeRust, ".c": runtimeNative,
	".cc": runtimeNative, ".cpp": runtimeNative, ".cxx": runtimeNative, ".h": runtimeNative, ".hpp": runtimeNative,
}

func languageOf(fn *Function) string {
	if dot := strings.LastIndexByte(fn.File, '.'); dot >= 0 {
		if runtime, ok := sources[fn.File[dot:]]; ok {
			return runtime
		}
	}
	switch name := fn.Name; {
	case strings.HasPrefix(fn.File, "node:"), strings.HasPrefix(name, "(program)"):
		return runtimeNode
	case hasPrefix(name, "java/", "java.", "sun.misc.", "jdk/internal/", "jdk.internal.", "_ZN7JavaThread"):
		return runtimeJava
	case hasPrefix(name, "System.", "Microsoft."), strings.Contains(name, "!System."):
		return runtimeDotNet
	case hasPrefix(name, "runtime.", "internal/runtime/", "main.main", "net/http.", "syscall.", "sync.(*",
		"github.com/"):
		return RuntimeGo
	case hasPrefix(name, "std::", "_ZN"):
		return runtimeNative
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
