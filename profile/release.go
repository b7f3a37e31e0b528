package profile

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A nameEra is the minor releases of Go 1 in whose profiles function names begin with prefix. Where
// to is 0, newer releases have it still. From the functions in the sources of package runtime and its neighbours of
// Go 1.18 and 1.20 to 1.27; names that only an experiment brought earlier are left out.
type nameEra struct {
	prefix   string
	from, to int
}

var nameEras = []nameEra{
	{"runtime.mallocgcSlowPathStub", 27, 0},
	{"runtime.mallocgcSmallNoScanSlowPath", 27, 0},
	{"runtime.mallocgcSmallScanSlowPath", 27, 0},
	{"runtime.mallocgcTinySlowPath", 27, 0},
	{"internal/runtime/syscall/linux.", 26, 0},
	{"runtime.mallocgcSmallNoScanSC", 26, 0},
	{"runtime.mallocgcSmallScanNoHeaderSC", 26, 0},
	{"runtime.mallocgcTinySC", 26, 0},
	{"runtime.growsliceNoAlias", 26, 0},
	{"runtime.growsliceBuf", 26, 0},
	{"internal/runtime/syscall.", 23, 25},
	{"runtime.runFinalizers", 25, 0},
	{"runtime.runCleanups", 25, 0},
	{"runtime.runfinq", 0, 24},
	{"internal/runtime/maps.", 24, 0},
	{"internal/sync.", 24, 0},
	{"runtime.mallocgcSmallNoscan", 24, 0},
	{"runtime.mallocgcSmallScan", 24, 0},
	{"runtime.mallocgcTiny", 24, 0},
	{"runtime.mallocgcLarge", 24, 0},
	{"runtime.mapIterNext", 24, 0},
	{"runtime.mapIterStart", 24, 0},
	{"runtime.mapiternext", 0, 23},
	{"sync.(*Mutex).lockSlow", 13, 23},
	{"sync.(*Mutex).unlockSlow", 13, 23},
	{"runtime.hashGrow", 0, 23},
	{"runtime.growWork", 0, 23},
	{"runtime.evacuate", 0, 23},
	{"runtime.(*timers).", 23, 0},
	{"runtime/internal/syscall.", 18, 22},
	{"runtime/internal/atomic.", 0, 22},
	{"runtime.gcDrainMarkWorker", 22, 0},
	{"runtime.gcWriteBarrier1", 21, 0},
	{"runtime.gcWriteBarrier2", 21, 0},
	{"runtime.deductAssistCredit", 20, 0},
	{"runtime.findRunnable", 19, 0},
	{"runtime.findrunnable", 0, 18},
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
			if strings.HasPrefix(fn.Name, era.prefix) {
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
