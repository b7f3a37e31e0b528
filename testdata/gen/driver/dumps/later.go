package dumps

import "strings"

// moderns are programs that Go 1.12 cannot build.
func moderns() []fixture {
	const ring = "example.com/modern/spin/internal/ring."
	spins := []struct{ kind, from, culprit string }{
		{"generic", "1.18", ring + "(*Ring[...]).Push"},
		{"generic-func", "1.18", ring + "Drain[...]"},
		{"labels", "1.18", ring + "(*Ring[...]).Push"},
		{"trylock", "1.18", "main.lockSoon"},
		{"range-func", "1.23", "main.watchAll-range1"},
	}
	stucks := []struct{ kind, culprit, category string }{
		{"abba", "main.(*account).deposit", "deadlock"},
		{"double-lock", "main.(*account).deposit", "deadlock"},
		{"reader-recursion", "main.(*catalog).size", "deadlock"},
		{"send-under-lock", "main.(*board).publish", "deadlock"},
		{"read-under-lock", "main.(*pool).refresh", "contention"},
		{"waitgroup", "main.waitForParts", "leak"},
	}
	var list []fixture
	for _, s := range spins {
		f := fixture{
			name: "spin-" + s.kind, module: "modern", pkg: "./spin", kind: s.kind, from: s.from, minors: []int{18, 22, 23, 26, 27}, how: abort,
			format: "signal", culprit: s.culprit, creator: "main.start", category: "spin",
		}
		if s.kind == "labels" {
			f.env = []string{"GODEBUG=tracebacklabels=1"}
		}
		list = append(list, f)
	}
	for _, s := range stucks {
		list = append(list, fixture{
			name: "stuck-" + s.kind, module: "modern", pkg: "./stuck", kind: s.kind, minors: []int{18, 22, 26}, how: abort,
			format: "signal", culprit: s.culprit, category: s.category,
		})
	}
	return list
}

// outsiders are dumps that something else than the program's own death made: the race detector, go test, C.
func outsiders() []fixture {
	recent := []int{22, 26, 27}
	var list []fixture
	for kind, culprit := range map[string]string{
		"write-write": "main.(*counter).hit", "read-write": "main.(*counter).hit", "map": "main.(*counter).name",
	} {
		list = append(list, fixture{
			name: "race-" + kind, module: "race", pkg: ".", kind: kind, flags: []string{"-race"}, minors: recent, how: dies,
			want: "WARNING: DATA RACE", format: "race", culprit: culprit, category: "race",
		})
	}
	const store = "example.com/gotest.(*Store)."
	for _, g := range []struct{ name, test, culprit, category, flags string }{
		{"gotest-timeout", "TestStoreAddAllHangs", store + "Add", "deadlock", "-timeout=1s"},
		{"gotest-timeout-json", "TestStoreAddAllHangs", store + "Add", "deadlock", "-timeout=1s -json"},
		{"gotest-timeout-parallel", "TestStoreParallelHangs", store + "Add", "deadlock", "-timeout=1s"},
		{"gotest-panic", "TestStoreAddPanics", store + "Add", "crash", "-v"},
		{"gotest-race", "TestStoreHitRaces", store + "Hit", "race", "-race"},
	} {
		f := fixture{
			name: g.name, module: "gotest", pkg: ".", kind: g.test, args: []string{"-count=1", "-run=^" + g.test + "$"},
			flags: strings.Fields(g.flags), minors: recent, how: tests, format: "gotest", culprit: g.culprit, category: g.category,
		}
		if strings.HasSuffix(g.name, "-json") {
			f.format = "gotest-json"
		}
		list = append(list, f)
	}
	for _, c := range []struct {
		kind, culprit, category string
		how                     how
	}{
		{"spin", "main.waitInC", "spin", abort},
		{"abort", "main.giveUp", "crash", dies},
		{"nil", "main.readNil", "crash", dies},
	} {
		list = append(list, fixture{
			name: "cgo-" + c.kind, module: "cgo", pkg: ".", kind: c.kind, flags: []string{"-tags=c"}, minors: []int{22, 26}, how: c.how,
			format: "signal", culprit: c.culprit, category: c.category,
		})
	}
	return list
}

// healthyKinds are programs at work in which nothing is wrong.
var healthyKinds = strings.Fields("http workers tickers pipeline json keepalive fanout condqueue ratelimit cache")

// healthy are three dumps of each, at different moments, under the newest level-2 format and an older plain one.
func healthy() []fixture {
	var list []fixture
	for _, kind := range healthyKinds {
		list = append(list, fixture{
			name: "healthy-" + kind, module: "healthy", pkg: ".", kind: kind, minors: []int{18, 26}, how: abort, samples: 3,
			format: "signal", culprit: "-", category: "none",
		})
	}
	return list
}
