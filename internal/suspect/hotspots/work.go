package hotspots

import (
	"slices"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
)

// works are what functions do, by what their plain names begin with. Of several the longest counts.
const works = `
allocating memory: runtime.mallocgc runtime.new runtime.make runtime.growslice runtime.convT
atomic operations: sync/atomic. internal/runtime/atomic. runtime/internal/atomic.
big numbers: math/big.
C code: runtime.cgocall
certificates: crypto/x509. encoding/pem.
channel operations: runtime.chan runtime.select runtime.closechan reflect.Select
compression: compress/ github.com/klauspost/compress github.com/golang/snappy github.com/pierrec/lz4
copying memory: runtime.memmove runtime.typedmemmove runtime.duffcopy
cryptography: crypto/ golang.org/x/crypto/
encoding: encoding/ google.golang.org/protobuf github.com/golang/protobuf github.com/gogo/protobuf
file access: os. io/ioutil. io/fs. path/filepath.
forcing garbage collections: runtime.GC runtime/debug.FreeOSMemory
formatting text: fmt.
generating keys: crypto/rsa.Generate crypto/ecdsa.Generate crypto/ed25519.Generate crypto/rand.Prime
handling errors: errors. runtime.gopanic runtime.gorecover runtime.Callers runtime.Stack runtime/debug.Stack
handling text: strings. bytes. unicode strconv. runtime.concat runtime.slicebytetostring runtime.stringtoslicebyte
handling times: time.
hashing: hash/ crypto/sha crypto/md5. crypto/hmac. github.com/cespare/xxhash
hashing passwords: golang.org/x/crypto/bcrypt golang.org/x/crypto/scrypt golang.org/x/crypto/argon2
HTTP: net/http.
JSON: encoding/json github.com/json-iterator/ sigs.k8s.io/json github.com/goccy/go-json
locking: sync. internal/sync.
logging: log. log/slog. go.uber.org/zap github.com/rs/zerolog github.com/sirupsen/logrus k8s.io/klog
looking up maps: runtime.map internal/runtime/maps. aeshashbody runtime.strhash runtime.memhash
networking: net.
processing images: image/ image.
random numbers: math/rand crypto/rand
reading the clock: time.Now time.Since time.Until
reflection: reflect.
regular expressions: regexp. regexp/ github.com/dlclark/regexp2
scheduling: runtime.gopark runtime.newproc
searching text: internal/bytealg. memeqbody indexbytebody cmpbody countbody runtime.memequal runtime.cmpstring
sorting: sort. slices.Sort slices.sort container/heap.
SQL: database/sql
starting processes: os/exec. os.StartProcess
system calls: syscall. internal/runtime/syscall internal/poll. golang.org/x/sys/unix.
templates: text/template html/template
timers: time.Sleep time.After time.NewTimer time.NewTicker time.Tick time.(*Timer)
TLS: crypto/tls
YAML: gopkg.in/yaml sigs.k8s.io/yaml github.com/goccy/go-yaml go.yaml.in/yaml
yielding: runtime.Gosched
`

var workTable = sync.OnceValue(func() map[string]string {
	table := map[string]string{}
	for line := range strings.Lines(works) {
		work, prefixes, _ := strings.Cut(line, ":")
		for prefix := range strings.FieldsSeq(prefixes) {
			table[prefix] = work
		}
	}
	return table
})

// workOf is what a function does by its plain name; of one that the table lacks, its package.
func workOf(function string) string {
	for end := len(function); end > 0; end-- {
		if work, ok := workTable()[function[:end]]; ok {
			return work
		}
	}
	return "in " + symbol.PlainPackage(function)
}

// chores are what the runtime does on stacks of its own, where no code of the program shows, by the functions that
// do it and those with which code asks for it. They are tried in order.
var chores = []struct {
	work        string
	by, askedBy []string
}{
	{"garbage collection", []string{"runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge",
		"runtime.gcDrain"},
		[]string{"runtime.mallocgc", "runtime.GC", "runtime/debug.FreeOSMemory"}},
	{"yielding", []string{"runtime.goschedImpl", "runtime.gosched_m"}, []string{"runtime.Gosched"}},
	{"timers", []string{"runtime.(*timers).", "runtime.(*timer).", "runtime.checkTimers", "runtime.runtimer"},
		[]string{"time.", "runtime.chanrecv", "runtime.selectgo"}},
	{"scheduling", []string{"runtime.schedule", "runtime.park_m", "runtime.mstart", "runtime.mcall",
		"runtime.findRunnable", "runtime.sysmon", "runtime.goexit0", "runtime.morestack"},
		[]string{"runtime.gopark", "runtime.chan", "runtime.selectgo", "runtime.newproc", "runtime.goready", "sync.",
			"internal/sync.", "time.Sleep"}},
}

// choresOf are the chores that a function asks for and does, a bit each.
func choresOf(function string) (asks, does uint8) {
	for i, c := range chores {
		if hasPrefix(function, c.askedBy) {
			asks |= 1 << i
		}
		if hasPrefix(function, c.by) {
			does |= 1 << i
		}
	}
	return asks, does
}

func hasPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// A tally adds up by name.
type tally map[string]float64

// most is the name with the largest sum, the first of equal ones.
func (t tally) most() (name string, sum float64) {
	for n, v := range t {
		if v > sum || v == sum && n < name {
			name, sum = n, v
		}
	}
	return name, sum
}
