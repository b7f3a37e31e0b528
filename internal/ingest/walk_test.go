package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lay writes files (path → content) below a new folder and returns it.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// found renders sources as paths relative to dir, the parts of one source joined by " + ".
func found(t *testing.T, dir string, sources []Source) []string {
	t.Helper()
	out := []string{}
	for _, s := range sources {
		var parts []string
		for _, p := range s.Parts {
			rel, err := filepath.Rel(dir, p.Path)
			if err != nil || p.Path == "-" {
				rel = p.Path
			}
			parts = append(parts, filepath.ToSlash(rel))
		}
		out = append(out, strings.Join(parts, " + "))
	}
	return out
}

func TestWalkWalksFoldersInOrderAndReadsEachFileOnce(t *testing.T) {
	dir := lay(t, map[string]string{"b/2.txt": "x", "b/1.txt": "x", "a.txt": "x", ".hidden": "x", "c.txt": "x"})
	args := []string{dir, filepath.Join(dir, "b", "1.txt"), "-", filepath.Join(dir, ".", "a.txt"), "-"}
	sources, skips := gather(args, Options{Stdin: strings.NewReader("x")})
	want := []string{"-", ".hidden", "a.txt", "b/1.txt", "b/2.txt", "c.txt"}
	if diff := cmp.Diff(want, found(t, dir, sources)); diff != "" || len(skips) > 0 {
		t.Errorf("%s%+v", diff, skips)
	}
}

func TestWalkExpandsAGlobOnlyWhereNoFileIsCalledSo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such file names there")
	}
	dir := lay(t, map[string]string{"a1.txt": "x", "a2.txt": "x", "[b].txt": "x", "b.txt": "x"})
	sources, skips := gather([]string{filepath.Join(dir, "a*.txt"), filepath.Join(dir, "[b].txt")}, Options{})
	if diff := cmp.Diff([]string{"[b].txt", "a1.txt", "a2.txt"}, found(t, dir, sources)); diff != "" || len(skips) > 0 {
		t.Errorf("%s%+v", diff, skips)
	}
}

func TestWalkSaysWhatItCouldNotOpen(t *testing.T) {
	dir := lay(t, map[string]string{"a/x.txt": "x"})
	empty := filepath.Join(dir, "empty")
	if err := os.MkdirAll(filepath.Join(empty, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ arg, reason string }{
		{filepath.Join(dir, "nothing"), "no such file or folder"},
		{filepath.Join(dir, "*.log"), "no file matches the pattern"},
		{filepath.Join(dir, "[.log"), "the pattern is malformed"},
		{empty, "the folder contains no readable files"},
		{"", "the name is empty"},
		{"-", "there is no standard input"},
		{"http://localhost:6060", "no such file or folder"},
	} {
		sources, skips := gather([]string{c.arg, filepath.Join(dir, "a")}, Options{})
		if len(sources) != 1 {
			t.Errorf("%q hides the other argument: %v", c.arg, found(t, dir, sources))
		}
		if len(skips) != 1 || skips[0].Path != c.arg || !skips[0].Named || !strings.HasPrefix(skips[0].Reason, c.reason) {
			t.Errorf("%q: %+v, want %q", c.arg, skips, c.reason)
		}
	}
}

func TestAnUnreadableFileIsASkip(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("root reads everything, and Windows has no such modes")
	}
	dir := lay(t, map[string]string{"a.txt": "x"})
	path := filepath.Join(dir, "a.txt")
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	sources, skips := gather([]string{path}, Options{})
	if len(sources) != 0 || len(skips) != 1 || !skips[0].Named || skips[0].Reason != "permission denied" {
		t.Errorf("%v, %+v", sources, skips)
	}
}

func TestNoLinkLeadsOutOfAFolder(t *testing.T) {
	dir := lay(t, map[string]string{"in/a.txt": "x", "out/secret.txt": "x"})
	in := filepath.Join(dir, "in")
	for name, target := range map[string]string{
		"file": filepath.Join(dir, "out", "secret.txt"), "folder": filepath.Join("..", "out"), "self": ".", "inside": "a.txt", "nowhere": "gone", "parent": "..",
	} {
		if err := os.Symlink(target, filepath.Join(in, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	sources, skips := gather([]string{in}, Options{})
	if diff := cmp.Diff([]string{"a.txt"}, found(t, in, sources)); diff != "" {
		t.Error(diff)
	}
	reasons := map[string]string{}
	for _, s := range skips {
		reasons[filepath.Base(s.Path)] = s.Reason
		if s.Named {
			t.Errorf("%+v was not named", s)
		}
	}
	const leaves = "symbolic link that leads out of the folder: not followed"
	want := map[string]string{"file": leaves, "folder": leaves, "parent": leaves, "nowhere": "symbolic link that leads nowhere"}
	if diff := cmp.Diff(want, reasons); diff != "" {
		t.Error(diff)
	}
	// A link that is named is read.
	sources, skips = gather([]string{filepath.Join(in, "file"), filepath.Join(in, "folder")}, Options{})
	if len(sources) != 2 || len(skips) != 0 {
		t.Errorf("%v, %+v", found(t, in, sources), skips)
	}
}

func TestRotatedFilesOfOneLogAreOneSourceInOrderOfTime(t *testing.T) {
	line := func(minute int) string { return fmt.Sprintf("2026-11-20T18:%02d:00Z stderr F x\n", minute) }
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"kubelet", map[string]string{"0.log": "", "0.log.20221019-153456": "", "0.log.20221018-000000.gz": "", "1.log": ""},
			[]string{"0.log.20221018-000000.gz + 0.log.20221019-153456 + 0.log", "1.log"}},
		{"logrotate", map[string]string{"app.log.2.gz": "", "app.log.1": "", "app.log": "", "app.log.10.gz": ""},
			[]string{"app.log.10.gz + app.log.2.gz + app.log.1 + app.log"}},
		{"docker", map[string]string{"f00-json.log": "", "f00-json.log.1": "", "f00-json.log.2": ""},
			[]string{"f00-json.log.2 + f00-json.log.1 + f00-json.log"}},
		{"logrotate's dateext", map[string]string{"app.log-20221019": "", "app.log-20221018.gz": "", "app.log": ""},
			[]string{"app.log-20221018.gz + app.log-20221019 + app.log"}},
		{"dates with hyphens", map[string]string{"messages-2022-10-19": "", "messages": ""}, []string{"messages-2022-10-19 + messages"}},
		{"lumberjack", map[string]string{"audit.log": "", "audit-2026-03-04T04-47-31.123.log.gz": ""},
			[]string{"audit-2026-03-04T04-47-31.123.log.gz + audit.log"}},
		{"any base name", map[string]string{"dump.txt": "", "dump.txt.20261120-180532.gz": ""}, []string{"dump.txt.20261120-180532.gz + dump.txt"}},
		{"dumps with numbers are not rotated", map[string]string{"dump.1": "", "dump.2": "", "before-20221019": "", "before-20221020": ""},
			[]string{"before-20221019", "before-20221020", "dump.1", "dump.2"}},
		{"unless a live file stands beside them", map[string]string{"syslog.1": "", "syslog": ""}, []string{"syslog.1 + syslog"}},
		{"two folders", map[string]string{"a/0.log": "", "b/0.log.20221019-153456": ""}, []string{"a/0.log", "b/0.log.20221019-153456"}},
		{"a compressed copy", map[string]string{"0.log": "", "0.log.gz": ""}, []string{"0.log", "0.log.gz"}},
		{"content against names", map[string]string{"app.log": line(1), "app.log.1": line(3), "app.log.2": line(2)},
			[]string{"app.log + app.log.2 + app.log.1"}},
		{"content that doesn't tell", map[string]string{"app.log": line(1), "app.log.1": "x", "app.log.2": line(2)},
			[]string{"app.log.2 + app.log.1 + app.log"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := lay(t, c.files)
			sources, skips := gather([]string{dir}, Options{})
			if diff := cmp.Diff(c.want, found(t, dir, sources)); diff != "" || len(skips) > 0 {
				t.Errorf("%s%+v", diff, skips)
			}
		})
	}
}

func TestTheOrderOfArgumentsDoesNotReorderARotatedLog(t *testing.T) {
	dir := lay(t, map[string]string{"0.log": "two\n", "0.log.20221019-153456": "one\n"})
	old, live := filepath.Join(dir, "0.log.20221019-153456"), filepath.Join(dir, "0.log")
	for _, args := range [][]string{{old, live}, {live, old}} {
		sources, _ := gather(args, Options{})
		if diff := cmp.Diff([]string{"0.log.20221019-153456 + 0.log"}, found(t, dir, sources)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestLinesOfARotatedLogAreNumberedThroughAndLocated(t *testing.T) {
	lines, res := readParts(t, 0, []byte("1\n2\n"+zulu+" stderr P 3"), nil, []byte(zulu+" stderr F 4\n5"))
	want := []got{{"1", "", "", 1}, {"2", "", "", 2}, {"34", "stderr", zulu, 3}, {"5", "", "", 5}}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	for num, want := range map[int64]string{1: "part0:1", 3: "part0:3", 4: "part2:1", 5: "part2:2"} {
		path, line := res.Locate(num)
		if at := fmt.Sprintf("%s:%d", path, line); at != want {
			t.Errorf("line %d is %s, want %s", num, at, want)
		}
	}
}
