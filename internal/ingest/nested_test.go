package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestArchivesOfEveryKindAreWalkedByContent(t *testing.T) {
	files := []member{{name: "b/", kind: '5'}, {name: "b/one.txt", content: "one\n"}, {name: "b/two.txt", content: "two\n"}}
	plain := tarOf(t, files...)
	for name, data := range map[string][]byte{
		"zip": zipOf(t, files[1:]...), "tar": plain, "tar.gz": gzipped(t, plain), "tar.xz": xzipped(t, plain), "tar.zst": zstded(t, plain),
		"zip.gz": gzipped(t, zipOf(t, files[1:]...)), "tar.gz.gz": gzipped(t, gzipped(t, plain)),
	} {
		path := written(t, "what", data) // the name says nothing
		h := collect(t, path)
		if diff := cmp.Diff([]string{"b/one.txt", "b/two.txt"}, inside(t, path, h.sources)); diff != "" || len(h.skips) > 0 {
			t.Errorf("%s: %s%+v", name, diff, h.skips)
		}
		if diff := cmp.Diff([]string{"one", "two"}, h.lines); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestArchivesOnStandardInputAreWalked(t *testing.T) {
	for name, data := range map[string][]byte{
		"zip": zipOf(t, member{name: "a.txt", content: "x\n"}), "tar.gz": gzipped(t, tarOf(t, member{name: "a.txt", content: "x\n"})),
	} {
		h := collectWith(t, Options{Stdin: bytes.NewReader(data)}, "-")
		if len(h.skips) > 0 || !cmp.Equal(h.lines, []string{"x"}) || h.sources[0].Parts[0].Path != "-!/a.txt" {
			t.Errorf("%s: %q %+v", name, h.lines, h.skips)
		}
	}
}

// defaultMaxDepth is that of Limits.
const defaultMaxDepth = 8

// nest packs data into archives of alternating kinds.
func nest(t *testing.T, levels int, m member) []byte {
	data := zipOf(t, m)
	for i := range levels - 1 {
		m := member{name: fmt.Sprintf("level%d", i), content: string(data), store: i%2 == 0}
		switch i % 4 {
		case 0, 3:
			data = zipOf(t, m)
		case 1:
			data = tarOf(t, m)
		case 2:
			data = gzipped(t, tarOf(t, m))
		}
	}
	return data
}

func TestArchivesNestInAnyOrder(t *testing.T) {
	for levels := 1; levels <= defaultMaxDepth; levels++ {
		h := collect(t, written(t, "x", nest(t, levels, member{name: "deep.log", content: "deep\n"})))
		if !cmp.Equal(h.lines, []string{"deep"}) || len(h.skips) > 0 {
			t.Errorf("%d levels: %q %+v", levels, h.lines, h.skips)
		}
		if got := strings.Count(h.sources[0].Parts[0].Path, InsideArchive); got != levels {
			t.Errorf("%d levels are shown as %s", levels, h.sources[0].Parts[0].Path)
		}
	}
}

func TestArchivesNestedTooDeepAreSkippedAndTheRestIsRead(t *testing.T) {
	deep := nest(t, defaultMaxDepth+1, member{name: "deep.log", content: "deep\n"})
	path := written(t, "x.zip", zipOf(t, member{name: "a.log", content: "a\n"}, member{name: "deep.zip", content: string(deep)}))
	h := collect(t, path)
	if !cmp.Equal(h.lines, []string{"a"}) || len(h.skips) != 1 || !strings.Contains(h.skips[0].Path, "deep.zip") || !strings.Contains(h.skips[0].Reason, "inside 8 others") {
		t.Errorf("%q %+v", h.lines, h.skips)
	}
	if h = collectWith(t, Options{Limits: Limits{MaxDepth: 20}}, path); !cmp.Equal(h.lines, []string{"a", "deep"}) {
		t.Errorf("with a higher limit: %q %+v", h.lines, h.skips)
	}
}

// manyMembers fill an archive with pods' logs, small and large, rotated and not, and nested archives.
func manyMembers(t *testing.T) []member {
	var all []member
	large := strings.Repeat("a line of a large log that is no dump\n", 20_000)
	for i := range 12 {
		pod := fmt.Sprintf("pods/ns_web-%d_47677a7e-f299-4182-a9cf-9d10a356aa%02d/app/", i, i)
		all = append(all, member{name: pod + "0.log", content: "live " + pod + "\n"})
		if i%2 == 0 {
			all = append(all, member{name: pod + "0.log.20260304-050607.gz", content: string(gzipped(t, []byte("older "+pod+"\n")))})
		}
		if i%3 == 0 {
			all = append(all, member{name: fmt.Sprintf("large/%d.txt", i), content: fmt.Sprintf("%d\n%s", i, large)})
		}
		if i%4 == 0 {
			inner := zipOf(t, member{name: "logs/kubelet.log", content: fmt.Sprintf("kubelet %d\n", i)}, member{name: "logs/big.txt", content: large})
			all = append(all, member{name: fmt.Sprintf("nodes/n%d.zip", i), content: string(inner), store: i%8 == 0})
		}
	}
	return all
}

func TestResultsDoNotDependOnTheNumberOfProcessors(t *testing.T) {
	members := manyMembers(t)
	for name, data := range map[string][]byte{"zip": zipOf(t, members...), "tar": gzipped(t, tarOf(t, members...))} {
		path := written(t, "x", data)
		var want *collected
		for _, procs := range []int{1, 2, 8} {
			before := runtime.GOMAXPROCS(procs)
			h := collect(t, path)
			runtime.GOMAXPROCS(before)
			if len(h.skips) > 0 {
				t.Fatalf("%s: %+v", name, h.skips)
			}
			if want == nil {
				want = h
				if got := inside(t, path, h.sources); !slices.Contains(got, "pods/ns_web-2_47677a7e-f299-4182-a9cf-9d10a356aa02/app/0.log.20260304-050607.gz + pods/ns_web-2_47677a7e-f299-4182-a9cf-9d10a356aa02/app/0.log") {
					t.Errorf("%s: the rotated log is not one: %q", name, got)
				}
			}
			if diff := cmp.Diff(inside(t, path, want.sources), inside(t, path, h.sources)); diff != "" {
				t.Errorf("%s on %d processors: %s", name, procs, diff)
			}
			if !slices.Equal(want.lines, h.lines) {
				t.Errorf("%s on %d processors: other lines", name, procs)
			}
		}
	}
}

func TestWhatMemoryHasNoRoomForGoesIntoAFileThatIsGoneAfterwards(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	members := manyMembers(t)
	for name, data := range map[string][]byte{"zip": zipOf(t, members...), "tar": tarOf(t, members...)} {
		path := written(t, "x", data)
		want := collect(t, path)
		h := collectWith(t, Options{Limits: Limits{MaxMemory: 1}}, path)
		if !slices.Equal(want.lines, h.lines) || len(h.skips) > 0 {
			t.Errorf("%s: other lines, %+v", name, h.skips)
		}
		h = collectWith(t, Options{Limits: Limits{MaxMemory: 1, MaxTemp: -1}}, path)
		if len(h.skips) == 0 || !strings.Contains(h.skips[0].Reason, "--max-temp") || !strings.Contains(h.skips[0].Path, "nodes/") {
			t.Errorf("%s without temporary files: %+v", name, h.skips)
		}
		if !slices.Contains(h.lines, "older pods/ns_web-0_47677a7e-f299-4182-a9cf-9d10a356aa00/app/") {
			t.Errorf("%s: a rotated log is not read where there is no room to join it", name)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

func TestStreamsInsideArchivesInsideStreamsDoNotWaitForEachOther(t *testing.T) {
	var members []member
	for i := range 6 {
		logs := tarOf(t, member{name: "a.log", content: strings.Repeat("line\n", 50_000)})
		inner := zipOf(t, member{name: "1.tgz", content: string(gzipped(t, logs))}, member{name: "2.tgz", content: string(gzipped(t, tarOf(t,
			member{name: "deep.zip", content: string(zipOf(t, member{name: "3.tar", content: string(logs)}))},
			member{name: "deeper.zip", content: string(zipOf(t, member{name: "3.tar", content: string(logs)}))},
		)))})
		members = append(members, member{name: fmt.Sprintf("%d.zip", i), content: string(inner)})
	}
	path := written(t, "x.tgz", gzipped(t, tarOf(t, members...)))
	for _, procs := range []int{1, 2, 4} {
		before := runtime.GOMAXPROCS(procs)
		h := collect(t, path)
		runtime.GOMAXPROCS(before)
		if len(h.lines) != 6*3*50_000 || len(h.skips) > 0 {
			t.Errorf("%d processors: %d lines, %+v", procs, len(h.lines), h.skips)
		}
	}
}

func TestMemoryIsGivenBackWhenNestedArchivesAreRead(t *testing.T) {
	var members []member
	inner := zipOf(t, member{name: "a.txt", content: strings.Repeat("some text\n", 10_000)})
	for i := range 50 {
		members = append(members, member{name: fmt.Sprintf("%d.zip", i), content: string(inner)})
	}
	// Room for a few at a time: were they all opened at the beginning, or kept, most would be skipped.
	o := Options{Limits: Limits{MaxMemory: 8 * 256 << 10 * int64(runtime.GOMAXPROCS(0)), MaxTemp: -1}}
	for name, data := range map[string][]byte{"zip": zipOf(t, members...), "tar": tarOf(t, members...)} {
		if h := collectWith(t, o, written(t, "x", data)); len(h.skips) > 0 || len(h.sources) != 50 {
			t.Errorf("%s: %d sources, %+v", name, len(h.sources), h.skips)
		}
	}
}

func TestOnlyAndSkipChooseBeforeAnythingIsUnpacked(t *testing.T) {
	broken := string(gzipped(t, []byte("x"))[:12])
	nested := zipOf(t, member{name: "logs/kubelet.log", content: "kubelet\n"}, member{name: "logs/kernel.log", content: "kernel\n"})
	members := []member{
		{name: "logs/kube-system/dns/dns.log", content: "dns\n"}, {name: "logs/shop/web/app.log", content: "app\n"},
		{name: "yamls/pods.yaml", content: "kind: x\n"}, {name: "broken.gz", content: broken}, {name: "nodes/n1.zip", content: string(nested)},
	}
	for name, data := range map[string][]byte{"zip": zipOf(t, members...), "tar": tarOf(t, members...)} {
		path := written(t, "x", data)
		for _, c := range []struct {
			only, skip, want []string
		}{
			{[]string{"*.log"}, nil, []string{"dns", "app", "kubelet", "kernel"}},
			{[]string{"logs/*/web/*"}, nil, []string{"app"}},
			{[]string{"**/n1.zip/**/kubelet.log"}, nil, []string{"kubelet"}},
			{[]string{"kube-system", "kernel.log"}, nil, []string{"dns", "kernel"}},
			{nil, []string{"nodes", "*.yaml", "*.gz"}, []string{"dns", "app"}},
			{[]string{"*.log"}, []string{"shop", "*.zip"}, []string{"dns"}},
		} {
			h := collectWith(t, Options{Only: c.only, Skip: c.skip}, path)
			if diff := cmp.Diff(c.want, h.lines); diff != "" {
				t.Errorf("%s, only %q skip %q: %s", name, c.only, c.skip, diff)
			}
			if len(h.skips) != 1 || !strings.Contains(h.skips[0].Reason, "left out by --only and --skip: ") {
				t.Errorf("%s, only %q skip %q: %+v", name, c.only, c.skip, h.skips)
			}
		}
	}
	// The way to what is named doesn't count.
	dir := filepath.Join(t.TempDir(), "outer", "inner")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.log"), []byte("a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for pattern, left := range map[string]int{"outer": 0, "inner": 1, "a.*": 1} {
		for _, arg := range []string{dir, dir + "/", filepath.Dir(dir) + "/./inner"} {
			if h := collectWith(t, Options{Skip: []string{pattern}}, arg); len(h.skips) != left || len(h.lines) != 1-left {
				t.Errorf("%s: skipping %s: %q %+v", arg, pattern, h.lines, h.skips)
			}
		}
	}
	// What is named is read whatever the globs say.
	file := written(t, "a.txt", []byte("x\n"))
	if h := collectWith(t, Options{Only: []string{"*.log"}}, file); !cmp.Equal(h.lines, []string{"x"}) {
		t.Errorf("%q", h.lines)
	}
}

func TestAWalkEndsWhenItsContextDoes(t *testing.T) {
	path := written(t, "x", tarOf(t, manyMembers(t)...))
	ctx, cancel := context.WithCancel(t.Context())
	var once sync.Once
	Walk(ctx, []string{path}, Options{}, func(s Source) {
		// One source is read half way, then everything is called off.
		_, _ = Read(ctx, s, Handler{Lines: func([]Line) error { once.Do(cancel); return nil }}, Options{})
	})
	if ctx.Err() == nil {
		t.Fatal("nothing was read")
	}
	// Standard input that never sends anything holds nobody up.
	r, w := io.Pipe()
	defer func() { _ = w.Close() }()
	Walk(ctx, []string{"-"}, Options{Stdin: r}, func(Source) {})

	// Nor does standard input that no longer sends anything.
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	in := &cancelling{data: []byte("one\ntwo\n"), cancel: cancel, let: make(chan struct{})}
	defer close(in.let)
	lines := int64(0)
	Walk(ctx, []string{"-"}, Options{Stdin: in}, func(s Source) {
		res, err := Read(ctx, s, Handler{}, Options{})
		if lines = res.Parts[0].Lines; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	if lines != 2 {
		t.Errorf("%d lines", lines)
	}
}

func TestSourcesThatNobodyReadsHoldNothingUp(t *testing.T) {
	for name, data := range map[string][]byte{"zip": zipOf(t, manyMembers(t)...), "tar": tarOf(t, manyMembers(t)...)} {
		n := 0
		var mu sync.Mutex
		Walk(t.Context(), []string{written(t, "x", data)}, Options{}, func(Source) {
			mu.Lock()
			defer mu.Unlock()
			n++
		})
		if n != 12+4+6 {
			t.Errorf("%s: %d sources", name, n)
		}
	}
}

// A meter counts what a Progress receives.
type meter struct {
	mu          sync.Mutex
	total, read int64
}

func (m *meter) Found(_ int, bytes int64) { m.mu.Lock(); m.total += bytes; m.mu.Unlock() }

func (m *meter) Read(n int) { m.mu.Lock(); m.read += int64(n); m.mu.Unlock() }

func TestProgressCountsBytesAsTheyAreStored(t *testing.T) {
	data := gzipped(t, tarOf(t, manyMembers(t)...))
	path := written(t, "x.tgz", data)
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "b.txt"), []byte("12345\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	m := &meter{}
	collectWith(t, Options{Progress: m}, filepath.Dir(path))
	// The archive's first bytes are read twice: to see what it is, and when its turn comes.
	if want := int64(len(data) + 6); m.total != want || m.read < want || m.read > want+64<<10 {
		t.Errorf("read %d of %d, want %d", m.read, m.total, want)
	}
}
