package profile

import "strings"

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

// runtimeOf tells which runtime's program was profiled: most functions have a source of its language, or a name as only
// its runtime has them. A quarter of Go functions make a Go program, however much C it calls. "" where no function tells.
func runtimeOf(p *Profile) string {
	votes := map[string]int{}
	for i := range p.Functions {
		if r := languageOf(&p.Functions[i]); r != "" {
			votes[r]++
		}
	}
	best, most, all := "", 0, 0
	for _, r := range []string{RuntimeGo, RuntimeJava, RuntimeDotNet, RuntimePython, RuntimeNode, RuntimeRuby, RuntimeRust, RuntimeNative} {
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

func languageOf(fn *Function) string {
	if dot := strings.LastIndexByte(fn.File, '.'); dot >= 0 {
		switch fn.File[dot:] {
		case ".go":
			return RuntimeGo
		case ".java", ".kt", ".scala":
			return RuntimeJava
		case ".cs":
			return RuntimeDotNet
		case ".py":
			return RuntimePython
		case ".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx":
			return RuntimeNode
		case ".rb":
			return RuntimeRuby
		case ".rs":
			return RuntimeRust
		case ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp":
			return RuntimeNative
		}
	}
	switch name := fn.Name; {
	case strings.HasPrefix(fn.File, "node:"), strings.HasPrefix(name, "(program)"):
		return RuntimeNode
	case strings.HasPrefix(name, "java/"), strings.HasPrefix(name, "java."), strings.HasPrefix(name, "sun.misc."),
		strings.HasPrefix(name, "jdk/internal/"), strings.HasPrefix(name, "jdk.internal."), strings.HasPrefix(name, "_ZN7JavaThread"):
		return RuntimeJava
	case strings.HasPrefix(name, "System.") || strings.HasPrefix(name, "Microsoft.") || strings.Contains(name, "!System."):
		return RuntimeDotNet
	case strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/") || strings.HasPrefix(name, "main.main") || strings.HasPrefix(name, "net/http.") ||
		strings.HasPrefix(name, "syscall.") || strings.HasPrefix(name, "sync.(*") || strings.HasPrefix(name, "github.com/"):
		return RuntimeGo
	case strings.HasPrefix(name, "std::") || strings.HasPrefix(name, "_ZN"):
		return RuntimeNative
	}
	return ""
}
