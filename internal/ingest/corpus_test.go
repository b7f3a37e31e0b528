package ingest

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func corpusDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TRIAGE_CORPUS")
	if dir == "" {
		t.Skip("TRIAGE_CORPUS is not set: real dumps are not tested")
	}
	return dir
}

// A collected is everything that Walk and Read made of some paths.
type collected struct {
	sources []Source
	lines   []string // of all sources
	results []*Result
	blobs   []Kind
	skips   []Skip
}

// headers counts goroutines by a rule of its own.
func (h *collected) headers() int {
	n := 0
	for _, l := range h.lines {
		if strings.Contains(l, "goroutine ") && headerRE.MatchString(l) {
			n++
		}
	}
	return n
}

func collect(t *testing.T, paths ...string) *collected {
	t.Helper()
	return collectWith(t, Options{}, paths...)
}

// collectWith reads everything in one walk; what it returns is in the order of the inputs.
func collectWith(t *testing.T, o Options, paths ...string) *collected {
	t.Helper()
	type one struct {
		Source
		collected
	}
	var mu sync.Mutex
	var all []one
	skips := Walk(context.Background(), paths, o, func(src Source) {
		s := one{Source: src}
		last := make(map[int32]int64)
		res, err := Read(context.Background(), src, Handler{
			Lines: func(batch []Line) error {
				for _, l := range batch {
					if l.Num < last[l.Stream] {
						t.Errorf("line %d of stream %d comes after %d", l.Num, l.Stream, last[l.Stream])
					}
					last[l.Stream] = l.Num
					s.lines = append(s.lines, string(l.Text))
				}
				return nil
			},
			Blob: func(k Kind, data []byte) error { s.blobs = append(s.blobs, k); return nil },
		}, o)
		if err != nil {
			t.Error(err)
		}
		s.results = append(s.results, res)
		s.skips = res.Skips
		mu.Lock()
		defer mu.Unlock()
		all = append(all, s)
	})
	slices.SortFunc(all, func(a, b one) int { return a.Source.Compare(b.Source) })
	h := &collected{skips: skips}
	for _, s := range all {
		h.sources = append(h.sources, s.Source)
		h.lines = append(h.lines, s.lines...)
		h.results = append(h.results, s.results...)
		h.blobs = append(h.blobs, s.blobs...)
		h.skips = append(h.skips, s.skips...)
	}
	return h
}

var headerRE = regexp.MustCompile(`^\s*goroutine \d+ .*\[.*\].*:$`)

func TestEveryFramingOfOneRealDumpShowsAllItsGoroutines(t *testing.T) {
	dir := filepath.Join(corpusDir(t), "dumps", "wrapped")
	paths, _ := filepath.Glob(filepath.Join(dir, "z126-*.txt"))
	if len(paths) == 0 {
		t.Fatal("the corpus holds no wrapped dumps")
	}
	const whole = 129
	// Variants that cut, double or tear the dump itself; counted in the files, which are plain.
	counts := map[string]int{"cut-head": 78, "cut-tail": 83, "twice": 2 * whole,
		"interleaved-midline": 125} // a log line is within four headers
	ref := collect(t, filepath.Join(dir, "z126-crlf.txt")).lines
	for _, path := range paths {
		kind := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "z126-"), ".txt")
		t.Run(kind, func(t *testing.T) {
			args := []string{path}
			if kind == "rotated" {
				args = append(args, path+".20261120-180532.gz")
			}
			h := collect(t, args...)
			want, ok := counts[kind]
			if !ok {
				want = whole
			}
			if got := h.headers(); got != want {
				t.Errorf("%d goroutine headers, want %d (%+v)", got, want, h.results[0])
			}
			switch kind {
			case "cri-mixed", "cut-head", "cut-tail", "twice", "interleaved", "interleaved-midline", "spaces", "trimmed", "logrus", "klog":
				return // the text itself differs
			}
			lines, want2 := h.lines, ref
			switch kind {
			case "journald", "journald-spaces": // the journal drops empty lines
				want2 = nil
				for _, l := range ref {
					if l != "" {
						want2 = append(want2, l)
					}
				}
			case "cri-partial", "docker-json-partial", "zap-json":
				lines = lines[1:] // the record's own message
			case "logrus-escaped":
				lines = lines[2:]            // the record's own message, and a banner
				lines = lines[:len(lines)-2] // an empty line and a banner
			}
			if kind == "journald-spaces" {
				return
			}
			if diff := cmp.Diff(want2, lines); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// framingRE finds what no unframed line begins with.
var framingRE = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\S+ (stderr|stdout) [FP]|\{"log":|\[pod/|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ \S+\[\d+\]:|\{"Time":|\x1b|\[\d{5}\.\d{3}\] )`)

func TestRealLogsComeOutClean(t *testing.T) {
	dir := corpusDir(t)
	for name, goroutines := range map[string]int{
		"dumps/kueue-8970-cri.txt":                   108,
		"dumps/chainmaker-mapwrite-dockerjson.txt":   -1,
		"dumps/watchdog-sigabrt-journald.txt":        -1,
		"dumps/fluentbit-multiline-test.log":         -1,
		"dumps/glassdb-deadlock-gotest.md":           -1,
		"dumps/gvisor-syzkaller":                     -1,
		"dumps/zoo/gotest-go1.26.8-timeout-json.txt": -1,
		"dumps/harvester-2558.txt":                   2764,
		"cases":                                      -1,
		"bundles/cri":                                -1,
	} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if _, err := os.Stat(path); err != nil {
				t.Skip("not in this corpus: ", name)
			}
			h := collect(t, path)
			for _, l := range h.lines {
				if framingRE.MatchString(l) || strings.IndexByte(l, 0) >= 0 || strings.IndexByte(l, 0x1b) >= 0 {
					t.Errorf("framing is left: %.200q", l)
					break
				}
			}
			if got := h.headers(); goroutines >= 0 && got != goroutines {
				t.Errorf("%d goroutine headers, want %d", got, goroutines)
			}
		})
	}
}

// TestNoGoroutineIsLostInPlainDumps counts headers in files that are plain, or made so by one decompressor, against
// what Read shows.
func TestNoGoroutineIsLostInPlainDumps(t *testing.T) {
	dir := corpusDir(t)
	files := 0
	err := filepath.WalkDir(filepath.Join(dir, "dumps"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".txt") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		plain := collected{lines: strings.Split(string(bytes.ReplaceAll(data, []byte("\r"), nil)), "\n")}
		want := plain.headers()
		if want == 0 {
			return nil
		}
		files++
		if got := collect(t, path).headers(); got < want {
			t.Errorf("%s: %d goroutine headers, the file has %d", filepath.Base(path), got, want)
		}
		return nil
	})
	if err != nil || files < 50 {
		t.Errorf("%d files, %v", files, err)
	}
}

// An independent count of what a must-gather holds: the rows of GOROUTINE_DUMPS.tsv, made with grep over the unpacked
// archive.
func TestEveryDumpOfARealMustGatherIsReachedThroughItsArchive(t *testing.T) {
	dir := filepath.Join(corpusDir(t), "bundles")
	table, err := os.ReadFile(filepath.Join(dir, "GOROUTINE_DUMPS.tsv"))
	if err != nil {
		t.Skip("the corpus has no bundles: ", err)
	}
	want := map[string]int{}
	for line := range strings.Lines(string(table)) {
		cols := strings.Split(line, "\t")
		if path, ok := strings.CutPrefix(cols[2], "must-gather-metal/"); ok {
			n, err := strconv.Atoi(cols[0])
			if err != nil {
				t.Fatal(err)
			}
			want[path] = n
		}
	}
	if len(want) == 0 {
		t.Fatal("no row is of the metal must-gather")
	}
	var mu sync.Mutex
	got := map[string]int{}
	skips := Walk(t.Context(), []string{filepath.Join(dir, "must-gather-metal.tar.xz")}, Options{}, func(s Source) {
		n := 0
		res, err := Read(t.Context(), s, Handler{Lines: func(batch []Line) error {
			for i := range batch {
				if headerRE.Match(batch[i].Text) {
					n++
				}
			}
			return nil
		}, Stream: func(_ Kind, _ StreamPart, r io.Reader) error { return nil }}, Options{})
		if err != nil || len(res.Skips) > 0 {
			t.Errorf("%s: %v %+v", s.Parts[0].Path, err, res.Skips)
		}
		_, path, _ := strings.Cut(s.Parts[0].Path, "/namespaces/")
		if want[path] == 0 {
			return // among them two in which a dump is escaped, which no grep sees
		}
		mu.Lock()
		defer mu.Unlock()
		got[path] = n
		if !s.Origin.Previous || s.Origin.Pod == "" || s.Origin.Container == "" {
			t.Errorf("%s: %+v", path, s.Origin)
		}
	})
	if diff := cmp.Diff(want, got); diff != "" || len(skips) > 0 {
		t.Errorf("%s%+v", diff, skips)
	}
}

func TestFilesOfRealBundlesAreTakenForWhatTheyAre(t *testing.T) {
	dir := filepath.Join(corpusDir(t), "bundles")
	for _, c := range []struct {
		glob string
		// kind says what a path in the archive must be taken for; "" for anything.
		kind func(path string) Kind
	}{
		{"must-gather-metal.tar.xz", func(path string) Kind {
			switch {
			case strings.HasSuffix(path, ".yaml"):
				return KindKubernetesObjects
			case strings.HasSuffix(path, ".log") && strings.Contains(path, "/pods/"):
				return KindPodLog
			}
			return ""
		}},
		{"supportbundle_*.zip", func(path string) Kind {
			switch {
			case strings.Contains(path, "/yamls/"):
				return KindKubernetesObjects
			case strings.Contains(path, "/logs/") && !strings.Contains(path, "node1.zip"):
				return KindPodLog
			case strings.Contains(path, "node1.zip") && strings.HasSuffix(path, ".log"):
				return KindTextLog
			}
			return ""
		}},
		{"insights/*.tar.gz", func(path string) Kind {
			switch {
			case strings.Contains(path, "/config/pod/") && strings.HasSuffix(path, ".json"), strings.Contains(path, "/events/"):
				return KindKubernetesObjects
			case strings.Contains(path, "/config/pod/") && strings.HasSuffix(path, ".log"):
				return KindPodLog
			}
			return ""
		}},
		{"troubleshoot/*_support-bundle.tar.gz", func(path string) Kind {
			switch {
			case strings.Contains(path, "/pods/logs/"):
				return KindPodLog
			case strings.Contains(path, "/cluster-resources/") && strings.HasSuffix(path, ".yaml"):
				return KindKubernetesObjects
			}
			return ""
		}},
		{"audit/*", func(string) Kind { return KindAuditLog }},
	} {
		paths, _ := filepath.Glob(filepath.Join(dir, c.glob))
		if len(paths) == 0 {
			t.Skip("the corpus has no bundles")
		}
		var mu sync.Mutex
		checked := 0
		Walk(t.Context(), paths, Options{Skip: []string{"snapshots", "fal_01_003.json"}}, func(s Source) {
			res, err := Look(t.Context(), s, Options{})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, p := range res.Parts {
				want := c.kind(p.Path)
				if want == "" || p.Lines == 0 && want == KindPodLog {
					continue // an empty log shows no framing
				}
				if checked++; p.Kind != want {
					t.Errorf("%s is taken for %s", p.Path, p.Kind)
				}
			}
		})
		if checked == 0 {
			t.Errorf("%s: nothing was checked", c.glob)
		}
	}
}

func TestTheHostileArchiveOfTheCorpusIsReadAndEveryTrapNamed(t *testing.T) {
	path := filepath.Join(corpusDir(t), "cases", "bundle-hostile-zip", "hostile.zip")
	if _, err := os.Stat(path); err != nil {
		t.Skip("the corpus has no hostile archive: ", err)
	}
	h := collect(t, path)
	told := strings.Join(h.reasons(path), "\n")
	for _, want := range []string{
		"nodes/node-1.zip!/logs/kubelet.log: it unpacks to more than 250 times its size", "nodes/node-2.zip!/", "inside 8 others",
		"logs/kube-system/etcd-0/etcd.log.1.gz: gzip stream is corrupt", "name leads out of the archive", "logs/loop-a: ", "logs/loop-b: ", "profiles/cpu.pb.gz: ",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("nothing says %q:\n%s", want, told)
		}
	}
	if len(h.lines) < 100 {
		t.Errorf("only %d lines were read", len(h.lines))
	}
}
