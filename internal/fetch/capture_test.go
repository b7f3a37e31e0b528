package fetch

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"github.com/gotriage/triage/internal/fetch/kubectltest"
)

func TestMain(m *testing.M) {
	if kubectltest.Called() {
		os.Exit(kubectltest.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// served are net/http/pprof's own pages below a prefix.
func served(prefix string) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc(prefix+"/cmdline", pprof.Cmdline)
	mux.HandleFunc(prefix+"/profile", pprof.Profile)
	for _, name := range []string{"goroutine", "heap", "allocs", "mutex", "block", "threadcreate", "goroutineleak"} {
		mux.Handle(prefix+"/"+name, pprof.Handler(name))
	}
	return mux
}

// instead serves what a test wants for some pages and net/http/pprof for the others.
func instead(pages map[string]http.HandlerFunc) http.Handler {
	mux := served(DefaultPrefix)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := pages[strings.TrimPrefix(r.URL.Path, DefaultPrefix+"/")]; h != nil {
			h(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func server(t testing.TB, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func target(t testing.TB, s string) Target {
	t.Helper()
	tg, err := ParseTarget(s, "")
	if err != nil {
		t.Fatal(err)
	}
	return tg
}

// instant is a clock whose waits take no time, and count as if they did.
func instant() Clock {
	var mu sync.Mutex
	var ahead time.Duration
	return Clock{
		Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return time.Now().Add(ahead)
		},
		Wait: func(ctx context.Context, d time.Duration) error {
			mu.Lock()
			defer mu.Unlock()
			ahead += d
			return ctx.Err()
		},
	}
}

// options captures everything but the CPU profile, into a new place.
func options(t testing.TB, url string) Options {
	t.Helper()
	return Options{
		Target: target(t, url), Out: filepath.Join(t.TempDir(), "out"), Version: "v1", clock: instant(),
		Plan: Plan{Skip: []string{ItemCPU}},
	}
}

func capture(t testing.TB, o Options) *Result {
	t.Helper()
	res, err := Capture(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// results renders what became of items: "heap heap.pb.gz", "heap !answered 404 Not Found", "stacks (why not)".
func results(m Manifest) []string {
	var all []string
	for _, it := range m.Items {
		s := it.Name
		if it.File != "" {
			s += " " + it.File
		}
		if it.Error != "" {
			s += " !" + it.Error
		}
		if it.Note != "" {
			s += " (" + it.Note + ")"
		}
		all = append(all, s)
	}
	return all
}

func resultOf(t testing.TB, m Manifest, name string) ManifestItem {
	t.Helper()
	i := slices.IndexFunc(m.Items, func(it ManifestItem) bool { return it.Name == name })
	if i < 0 {
		t.Fatalf("no item %s in %q", name, results(m))
	}
	return m.Items[i]
}

// filesOf lists what lies below a folder.
func filesOf(t testing.TB, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func leakNote(served bool) string {
	if served {
		return "goroutineleak goroutineleak.pb.gz"
	}
	return "goroutineleak (not served: it is part of Go 1.27, and of 1.26 built with GOEXPERIMENT=goroutineleakprofile)"
}

func TestACaptureHoldsEverythingThatAProcessServes(t *testing.T) {
	s := server(t, served(DefaultPrefix))
	o := options(t, s.URL)
	o.Plan = Plan{Seconds: 1}
	res := capture(t, o)
	leaks := slices.Contains(filesOf(t, res.Path), "goroutineleak.pb.gz")
	want := []string{
		"cmdline cmdline.txt", "goroutine goroutine.pb.gz", leakNote(leaks), "cpu cpu.pb.gz",
		"stacks goroutine-1.txt", "stacks goroutine-2.txt", "stacks goroutine-3.txt",
		"heap heap.pb.gz", "allocs allocs.pb.gz", "mutex mutex.pb.gz", "block block.pb.gz", "threadcreate threadcreate.pb.gz",
	}
	if diff := cmp.Diff(want, results(res.Manifest)); diff != "" {
		t.Error(diff)
	}
	data, err := os.ReadFile(filepath.Join(res.Path, ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if m.Schema != "triage-capture/v1" || m.Target != s.URL+DefaultPrefix || m.Tool.Version != "v1" || m.Time.IsZero() || len(m.Items) != len(want) {
		t.Errorf("manifest %s", data)
	}
	for _, it := range m.Items {
		if it.File == "" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(res.Path, it.File))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case it.Kind == kindProfile && !bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
			t.Errorf("%s is no profile", it.File)
		case it.Kind == kindDump && !bytes.HasPrefix(data, []byte("goroutine ")):
			t.Errorf("%s is no dump", it.File)
		case it.Name != ItemCmdline && it.Bytes != int64(len(data)):
			t.Errorf("%s has %d bytes, the manifest says %d", it.File, len(data), it.Bytes)
		}
	}
	words, err := os.ReadFile(filepath.Join(res.Path, "cmdline.txt"))
	if err != nil || strings.TrimSuffix(string(words), "\n") != strings.Join(os.Args, "\n") {
		t.Errorf("command line %q, %v", words, err)
	}
}

func TestThePlanIsAnnouncedBeforeTheFirstRequest(t *testing.T) {
	var asked atomic.Bool
	s := server(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(true)
		served(DefaultPrefix).ServeHTTP(w, r)
	}))
	o := options(t, s.URL)
	o.Plan = Plan{Seconds: 1}
	var told []string
	o.Events = func(e Event) {
		if e.Kind == EventPlan {
			told = append(told, e.Text)
			if asked.Load() {
				t.Error("it asked before it told")
			}
		}
	}
	capture(t, o)
	text := strings.Join(told, "\n")
	for _, want := range []string{"a CPU profile of 1 s", "3 goroutine dumps", "cost: ", "10,000"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// goroutineProfile is a profile of n goroutines with one stack.
func goroutineProfile(n uint64) []byte {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "goroutine", Unit: "count"}}}
	p.Function = []*profile.Function{{ID: 1, Name: "main.main"}}
	p.Location = []*profile.Location{{ID: 1, Line: []profile.Line{{Function: p.Function[0]}}}}
	p.Sample = []*profile.Sample{{Location: p.Location, Value: []int64{int64(n)}}}
	var b bytes.Buffer
	_ = p.Write(&b)
	return b.Bytes()
}

// crowd serves a process of n goroutines, and counts the dumps that it is asked for.
func crowd(n uint64, dumps *atomic.Int32) http.Handler {
	return instead(map[string]http.HandlerFunc{"goroutine": func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("debug") == "2" {
			dumps.Add(1)
			fmt.Fprint(w, "goroutine 1 [running]:\nmain.main()\n")
			return
		}
		_, _ = w.Write(goroutineProfile(n))
	}})
}

func TestADumpThatWouldStopTheProcessForLongIsLeftOutUnlessAskedFor(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     uint64
		plan  Plan
		dumps int32
		note  string
	}{
		{"few", 10_000, Plan{}, 3, ""},
		{"many", 10_001, Plan{}, 0, "10001 goroutines: each dump would stop the process for about 200ms"},
		{"many, told", 500_000, Plan{Stacks: true}, 3, ""},
		{"many, asked for by name", 500_000, Plan{Only: []string{ItemStacks}}, 3, ""},
		{"not counted", 5, Plan{Skip: []string{ItemGoroutine}}, 0, "the number of goroutines is unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var dumps atomic.Int32
			o := options(t, server(t, crowd(c.n, &dumps)).URL)
			o.Plan = c.plan
			o.Plan.Skip = append(o.Plan.Skip, ItemCPU)
			m := capture(t, o).Manifest
			if got := resultOf(t, m, ItemStacks).Note; dumps.Load() != c.dumps || !strings.HasPrefix(got, c.note) || (got == "") != (c.note == "") {
				t.Errorf("%d dumps, note %q", dumps.Load(), got)
			}
		})
	}
}

func TestOneItemsFailureCostsNoOther(t *testing.T) {
	s := server(t, instead(map[string]http.HandlerFunc{
		"heap": http.NotFound,
		"allocs": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "out\nof order\x1b[31m", http.StatusTeapot)
		},
		"mutex": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<p>log in")
		},
		"block":        func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "\n <!DOCTYPE html><title>Log in</title>") },
		"threadcreate": func(http.ResponseWriter, *http.Request) {},
	}))
	m := capture(t, options(t, s.URL)).Manifest
	want := []string{
		"heap !answered 404 Not Found: 404 page not found", "allocs !answered 418 I'm a teapot: out of order [31m",
		"mutex !returned a web page, not a profile", "block !returned a web page, not a profile", "threadcreate !returned nothing",
	}
	if diff := cmp.Diff(want, results(m)[len(m.Items)-5:]); diff != "" {
		t.Error(diff)
	}
	if resultOf(t, m, ItemGoroutine).File == "" || resultOf(t, m, ItemStacks).File == "" {
		t.Errorf("the others are missing: %q", results(m))
	}
}

func TestAnAnswerWithoutEndIsCutAndReported(t *testing.T) {
	endless := func(w http.ResponseWriter, r *http.Request) {
		line := []byte(strings.Repeat("x", 1023) + "\n")
		for r.Context().Err() == nil {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	}
	s := server(t, instead(map[string]http.HandlerFunc{"heap": endless, "goroutine": func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("debug") == "" {
			_, _ = w.Write(goroutineProfile(7))
			return
		}
		endless(w, r)
	}}))
	o := options(t, s.URL)
	o.Limits.MaxBytes = 100_000
	o.Plan.Dumps = 1
	res := capture(t, o)
	heap, dump := resultOf(t, res.Manifest, ItemHeap), resultOf(t, res.Manifest, ItemStacks)
	if heap.File != "" || heap.Error != errTooLarge.Error() {
		t.Errorf("half a profile is none: %+v", heap)
	}
	if dump.File == "" || dump.Bytes != 100_000 || !dump.Truncated || dump.Error != errTooLarge.Error() {
		t.Errorf("half a dump is one: %+v", dump)
	}
	if info, err := os.Stat(filepath.Join(res.Path, dump.File)); err != nil || info.Size() != 100_000 {
		t.Errorf("%v, %v", info, err)
	}
	if slices.Contains(filesOf(t, res.Path), "heap.pb.gz") {
		t.Error("the cut profile was kept")
	}
}

func TestAnAnswerThatDiesHalfWayKeepsWhatOfADumpCame(t *testing.T) {
	dies := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, "goroutine 1 [running]:\n")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	s := server(t, instead(map[string]http.HandlerFunc{"goroutine": dies, "mutex": dies}))
	o := options(t, s.URL)
	o.Plan.Stacks, o.Plan.Dumps = true, 1
	m := capture(t, o).Manifest
	for name, kept := range map[string]bool{ItemGoroutine: false, ItemMutex: false, ItemStacks: true} {
		it := resultOf(t, m, name)
		if (it.File != "") != kept || it.Truncated != kept || !strings.HasPrefix(it.Error, "the connection ended after 23 bytes: ") {
			t.Errorf("%s: %+v", name, it)
		}
	}
}

func TestAServerThatHangsCostsItsTimeOnly(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	silent := func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}
	stalls := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "goroutine 1 [running]:\n")
		_ = http.NewResponseController(w).Flush()
		silent(w, r)
	}
	s := server(t, instead(map[string]http.HandlerFunc{"heap": silent, "allocs": stalls}))
	o := options(t, s.URL)
	o.Limits.Header, o.Limits.Idle = time.Second, time.Second
	o.Plan = Plan{Only: []string{ItemHeap, ItemAllocs, ItemMutex}}
	m := capture(t, o).Manifest
	if it := resultOf(t, m, ItemHeap); it.Error != "no answer in time (500ms)" || it.File != "" {
		t.Errorf("silent: %+v", it)
	}
	if it := resultOf(t, m, ItemAllocs); it.Error != "the connection ended after 23 bytes: the answer stalled: nothing for 1s" || it.File != "" {
		t.Errorf("stalled: %+v", it)
	}
	if resultOf(t, m, ItemMutex).File == "" {
		t.Errorf("what came after is missing: %q", results(m))
	}
}

func TestAnotherClientsProfileIsWaitedFor(t *testing.T) {
	inUse := func(times int32) http.Handler {
		var asked atomic.Int32
		return instead(map[string]http.HandlerFunc{"profile": func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) <= times {
				// What net/http/pprof answers.
				w.Header().Set("Content-Type", "text/plain; charset=utf-8")
				w.Header().Set("X-Go-Pprof", "1")
				w.WriteHeader(http.StatusInternalServerError)
				fmt.Fprintln(w, "Could not enable CPU profiling: cpu profiling already in use")
				return
			}
			_, _ = w.Write(goroutineProfile(1))
		}})
	}
	o := options(t, server(t, inUse(2)).URL)
	o.Plan = Plan{Only: []string{ItemCPU}}
	if it := resultOf(t, capture(t, o).Manifest, ItemCPU); it.File == "" || it.Tries != 3 {
		t.Errorf("%+v", it)
	}
	o = options(t, server(t, inUse(1000)).URL)
	o.Plan = Plan{Only: []string{ItemCPU, ItemHeap}}
	it := resultOf(t, capture(t, o).Manifest, ItemCPU)
	// 1, 2, 4, 8, 8, 8, 8 s of pauses fit into 45.
	if it.File != "" || it.Tries != 8 || !strings.Contains(it.Error, "already in use") {
		t.Errorf("%+v", it)
	}
}

func TestDumpsAreSpreadOverTheCPUProfile(t *testing.T) {
	for _, c := range []struct {
		plan Plan
		want []time.Duration
	}{
		{Plan{Seconds: 12}, []time.Duration{2 * time.Second, 6 * time.Second, 10 * time.Second}},
		{Plan{Seconds: 12, Interval: time.Second}, []time.Duration{0, time.Second, 2 * time.Second}},
		{Plan{Seconds: 12, Skip: []string{ItemCPU}}, []time.Duration{0, 4 * time.Second, 8 * time.Second}},
		{Plan{Dumps: 1}, []time.Duration{5 * time.Second}},
	} {
		p, err := c.plan.complete(false, false)
		if err != nil {
			t.Fatal(err)
		}
		var got []time.Duration
		for n := range p.Dumps {
			got = append(got, p.first+time.Duration(n)*p.Interval)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.plan, got, c.want)
		}
	}
}

func TestCtrlCKeepsWhatCame(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := server(t, instead(map[string]http.HandlerFunc{"heap": func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}}))
	o := options(t, s.URL)
	res, err := Capture(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Interrupted || !res.Manifest.Interrupted {
		t.Error("nobody says that it was interrupted")
	}
	if resultOf(t, res.Manifest, ItemStacks).File == "" {
		t.Errorf("the dumps are lost: %q", results(res.Manifest))
	}
	for _, name := range []string{ItemHeap, ItemAllocs, ItemThreadCreate} {
		if it := resultOf(t, res.Manifest, name); it.Error != "interrupted" || it.File != "" {
			t.Errorf("%+v", it)
		}
	}
	if got := filesOf(t, filepath.Dir(res.Path)); slices.ContainsFunc(got, func(f string) bool { return strings.Contains(f, ".tmp") }) {
		t.Errorf("left behind: %q", got)
	}
}

func TestCtrlCBeforeAnythingCameLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := server(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	o := options(t, s.URL)
	_, err := Capture(ctx, o)
	if err == nil || !strings.HasSuffix(err.Error(), ": interrupted before any data came") {
		t.Errorf("%v", err)
	}
	if got := filesOf(t, filepath.Dir(o.Out)); len(got) > 0 {
		t.Errorf("left behind: %q", got)
	}
}

func TestTheWholeCaptureHasATime(t *testing.T) {
	s := server(t, instead(map[string]http.HandlerFunc{"heap": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }}))
	o := options(t, s.URL)
	o.Limits.Timeout = 2 * time.Second
	o.Plan.Only = []string{ItemCmdline, ItemHeap, ItemMutex}
	res := capture(t, o)
	if res.Interrupted {
		t.Error("nobody interrupted it")
	}
	want := []string{"cmdline cmdline.txt", "heap !" + errTimeout.Error(), "mutex !" + errTimeout.Error()}
	if diff := cmp.Diff(want, results(res.Manifest)); diff != "" {
		t.Error(diff)
	}
}

func TestATargetThatIsNotThereFailsAtOnce(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	o := options(t, addr)
	asked := 0
	o.Events = func(e Event) {
		if e.Kind == EventStart {
			asked++
		}
	}
	_, err = Capture(t.Context(), o)
	fe, ok := errors.AsType[*Error](err)
	if !ok || fe.Usage || fe.Hint == "" || asked != 1 {
		t.Errorf("%v, asked %d times", err, asked)
	}
	if got := filesOf(t, filepath.Dir(o.Out)); len(got) > 0 {
		t.Errorf("left behind: %q", got)
	}
}

func TestAProcessThatDiesMeanwhileIsNotAskedForEverMore(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	s := &httptest.Server{Listener: l, Config: &http.Server{}}
	s.Config.Handler = instead(map[string]http.HandlerFunc{"heap": func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_ = l.Close()
		c, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = c.Close()
		}
	}})
	s.Start()
	t.Cleanup(s.CloseClientConnections)
	o := options(t, s.URL)
	m := capture(t, o).Manifest
	last := results(m)[len(m.Items)-1]
	if last != "threadcreate !"+errNotAsked.Error() || resultOf(t, m, ItemStacks).File == "" {
		t.Errorf("%q", results(m))
	}
}

func TestAZipHoldsTheSameFiles(t *testing.T) {
	s := server(t, served(DefaultPrefix))
	o := options(t, s.URL)
	o.Out += ".ZIP"
	res := capture(t, o)
	r, err := zip.OpenReader(res.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var names []string
	for _, f := range r.File {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	want := []string{ManifestFile}
	for _, it := range res.Manifest.Items {
		if it.File != "" {
			want = append(want, it.File)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if got := filesOf(t, filepath.Dir(res.Path)); len(got) != 1 {
		t.Errorf("beside the archive: %q", got)
	}
}

func TestWhatIsThereAlreadyIsNotTouched(t *testing.T) {
	asked := false
	s := server(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	for _, name := range []string{"dir", "file.zip"} {
		o := options(t, s.URL)
		o.Out = filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(o.Out, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Capture(t.Context(), o)
		fe, ok := errors.AsType[*Error](err)
		if !ok || !fe.Usage || fe.Hint == "" || asked {
			t.Errorf("%v; asked: %v", err, asked)
		}
		if data, err := os.ReadFile(o.Out); err != nil || string(data) != "precious" {
			t.Errorf("%q, %v", data, err)
		}
	}
}

func TestACaptureAppearsUnderItsNameOnlyWhole(t *testing.T) {
	s := server(t, served(DefaultPrefix))
	o := options(t, s.URL)
	o.Events = func(e Event) {
		if _, err := os.Lstat(o.Out); err == nil {
			t.Errorf("%s is there at %v %s", o.Out, e.Kind, e.Name)
		}
	}
	res := capture(t, o)
	info, err := os.Stat(res.Path)
	if err != nil || info.Mode().Perm() != dirMode && !isWindows() {
		t.Errorf("%v, %v: a capture is its owner's", info, err)
	}
}

func isWindows() bool { return os.PathSeparator == '\\' }

func TestACompressedAnswerIsKeptAsItIs(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, "goroutine 1 [running]:\nmain.main()\n")
	_ = z.Close()
	s := server(t, instead(map[string]http.HandlerFunc{"goroutine": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	}}))
	o := options(t, s.URL)
	o.Plan = Plan{Only: []string{ItemStacks}, Dumps: 1}
	res := capture(t, o)
	if data, err := os.ReadFile(filepath.Join(res.Path, "goroutine-1.txt")); err != nil || !bytes.Equal(data, packed.Bytes()) {
		t.Errorf("%q, %v", data, err)
	}
}

func TestAPlanThatCannotBeFollowedIsRefusedBeforeAsking(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"an unknown item":       func(o *Options) { o.Plan.Only = []string{"heaps"} },
		"an unknown skip":       func(o *Options) { o.Plan.Skip = []string{"x"} },
		"nothing left":          func(o *Options) { o.Plan = Plan{Only: []string{"heap"}, Skip: []string{"heap"}} },
		"too long":              func(o *Options) { o.Plan.Seconds = 86400 },
		"negative":              func(o *Options) { o.Plan.Dumps = -1 },
		"too many dumps":        func(o *Options) { o.Plan.Dumps = 101 },
		"no folder for it":      func(o *Options) { o.Out = filepath.Join(o.Out, "a", "b") },
		"two authorizations":    func(o *Options) { o.Access = Access{BearerToken: "t", User: "u"} },
		"half a pair":           func(o *Options) { o.Access = Access{Cert: "c"} },
		"no such authority":     func(o *Options) { o.Access = Access{CACert: filepath.Join(o.Out, "none")} },
		"no target":             func(o *Options) { o.Target = Target{} },
		"only logs of no pod":   func(o *Options) { o.Plan.Only = []string{ItemLog} },
		"a token of two lines":  func(o *Options) { o.Access.BearerToken = "a\nb" },
		"a user with a colon":   func(o *Options) { o.Access.User = "a:b" },
		"a proxy to a pod":      func(o *Options) { o.Target = target(t, "pod/a"); o.Access.Proxy = &url.URL{Host: "p:1"} },
		"credentials and proxy": func(o *Options) { o.Target = target(t, "pod/a"); o.Cluster.Via = ViaProxy; o.Access.User = "u" },
	} {
		o := options(t, "localhost:1")
		change(&o)
		o.Events = func(e Event) {
			if e.Kind == EventStart {
				t.Errorf("%s: it asked", name)
			}
		}
		if fe, ok := errors.AsType[*Error](func() error { _, err := Capture(t.Context(), o); return err }()); !ok || !fe.Usage {
			t.Errorf("%s: %v", name, fe)
		}
	}
}
