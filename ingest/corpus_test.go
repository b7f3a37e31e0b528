package ingest

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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

// A haul is everything that Find and Read made of some paths.
type haul struct {
	lines   []string // of all sources
	results []*Result
	blobs   []Kind
	skips   []Skip
}

// headers counts goroutines by a rule of its own.
func (h *haul) headers() int {
	n := 0
	for _, l := range h.lines {
		if strings.Contains(l, "goroutine ") && headerRE.MatchString(l) {
			n++
		}
	}
	return n
}

func collect(t *testing.T, paths ...string) *haul {
	t.Helper()
	h := &haul{}
	sources, skips := Find(context.Background(), paths, Options{})
	h.skips = skips
	for _, src := range sources {
		last := make(map[int32]int64)
		res, err := Read(context.Background(), src, Handler{
			Lines: func(batch []Line) error {
				for _, l := range batch {
					if l.Num < last[l.Stream] {
						t.Errorf("line %d of stream %d comes after %d", l.Num, l.Stream, last[l.Stream])
					}
					last[l.Stream] = l.Num
					h.lines = append(h.lines, string(l.Text))
				}
				return nil
			},
			Blob: func(k Kind, data []byte) error { h.blobs = append(h.blobs, k); return nil },
		}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		h.results = append(h.results, res)
		h.skips = append(h.skips, res.Skips...)
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
		"interleaved-midline": 125} // a log line stands within four headers
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
				if l != "" && mayFrame[l[0]] && framingRE.MatchString(l) || strings.IndexByte(l, 0) >= 0 || strings.IndexByte(l, 0x1b) >= 0 {
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

// TestNoGoroutineIsLostInPlainDumps counts headers in files that are plain, or made so by one decompressor, against what
// Read shows.
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
		plain := haul{lines: strings.Split(string(bytes.ReplaceAll(data, []byte("\r"), nil)), "\n")}
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
