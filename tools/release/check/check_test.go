// Package check holds a release that was built against what its users need of it. It reads the folder that TRIAGE_DIST
// names, which `make release-snapshot` writes, and skips without it.
package check

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	rpmutils "github.com/sassoftware/go-rpmutils"
	"github.com/xi2/xz"
)

// These are the bytes that a download may have: what is packed by xz, and what krew, Scoop and winget unpack.
const (
	maxDownload = 10_000_000
	maxDeflated = 12_000_000
)

func dist(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TRIAGE_DIST")
	if dir == "" {
		t.Skip("TRIAGE_DIST names no folder of a release: make release-snapshot writes one")
	}
	return dir
}

// one returns the only file that matches.
func one(t *testing.T, dir, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %d files, want one: %v", pattern, len(found), err)
	}
	return found[0]
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// unpack unpacks an archive into a folder, as its users do.
func unpack(t *testing.T, archive string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name string, mode fs.FileMode, from io.Reader) {
		data, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, mode.Perm()); err != nil {
			t.Fatal(err)
		}
	}
	data := read(t, archive)
	if strings.HasSuffix(archive, ".zip") {
		zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range zr.File {
			from, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			write(f.Name, f.Mode(), from)
		}
		return dir
	}
	for tr := tar.NewReader(unpacked(t, archive, data)); ; {
		h, err := tr.Next()
		if err == io.EOF {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Uname != "root" {
			t.Errorf("%s: %s belongs to %s (%d): who built it shows", archive, h.Name, h.Uname, h.Uid)
		}
		write(h.Name, h.FileInfo().Mode(), tr)
	}
}

// unpacked returns the tar in an archive.
func unpacked(t *testing.T, archive string, data []byte) io.Reader {
	t.Helper()
	var zr io.Reader
	var err error
	if strings.HasSuffix(archive, ".xz") {
		zr, err = xz.NewReader(bytes.NewReader(data), 0)
	} else {
		zr, err = gzip.NewReader(bytes.NewReader(data))
	}
	if err != nil {
		t.Fatal(err)
	}
	return zr
}

var platforms = []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64", "windows_arm64"}

// archivesOf are the archives of a platform with the most bytes that each may have.
func archivesOf(t *testing.T, platform string) map[string]int64 {
	t.Helper()
	named := func(ending string) string { return one(t, dist(t), "triage_*_"+platform+ending) }
	if strings.HasPrefix(platform, "windows") {
		return map[string]int64{named(".zip"): maxDeflated}
	}
	return map[string]int64{named(".tar.xz"): maxDownload, named(".tar.gz"): maxDeflated}
}

func TestEachArchiveHasAStaticStrippedBinaryWithItsPapers(t *testing.T) {
	for _, platform := range platforms {
		for archive, limit := range archivesOf(t, platform) {
			if info, err := os.Stat(archive); err != nil || info.Size() > limit {
				t.Errorf("%s: %d bytes, more than %d: %v", archive, info.Size(), limit, err)
			}
			complete(t, platform, unpack(t, archive))
		}
	}
}

func TestEachPackageIsSmall(t *testing.T) {
	for _, pattern := range []string{"*.deb", "*.rpm"} {
		found, _ := filepath.Glob(filepath.Join(dist(t), pattern))
		if len(found) != 2 {
			t.Errorf("%s: %v, want one for each processor", pattern, found)
		}
		for _, name := range found {
			if info, err := os.Stat(name); err != nil || info.Size() > maxDownload {
				t.Errorf("%s: %d bytes, more than %d: %v", name, info.Size(), maxDownload, err)
			}
		}
	}
}

// complete checks what an archive was unpacked to.
func complete(t *testing.T, platform, dir string) {
	t.Helper()
	system, processor, _ := strings.Cut(platform, "_")
	binary := filepath.Join(dir, "triage")
	if system == "windows" {
		binary += ".exe"
	}
	for _, name := range []string{
		"LICENSE", "THIRD_PARTY_NOTICES.txt", "CHANGELOG.md", "man/triage.1", "man/triage-fetch.1", "man/triage-kubectl.1",
		"completions/triage.bash", "completions/_triage", "completions/triage.fish",
	} {
		if len(read(t, filepath.Join(dir, filepath.FromSlash(name)))) == 0 {
			t.Errorf("%s: %s is empty", platform, name)
		}
	}
	built(t, binary, system, processor)
	switch system {
	case "linux":
		linux(t, binary)
	case "darwin":
		darwin(t, binary)
	case "windows":
		windows(t, binary)
	}
}

// built checks what Go stamped into a binary.
func built(t *testing.T, binary, system, processor string) {
	t.Helper()
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range info.Settings {
		got[s.Key] = s.Value
	}
	for key, want := range map[string]string{
		"GOOS": system, "GOARCH": processor, "CGO_ENABLED": "0", "-trimpath": "true", "vcs": "git", "vcs.modified": "false",
	} {
		if got[key] != want {
			t.Errorf("%s: %s is %q, want %q", binary, key, got[key], want)
		}
	}
	if !strings.HasPrefix(info.Main.Version, "v") {
		t.Errorf("%s says that it is version %q", binary, info.Main.Version)
	}
}

func linux(t *testing.T, binary string) {
	f, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Errorf("%s wants a loader: it is not static", binary)
		}
	}
	for _, name := range []string{".symtab", ".debug_info", ".zdebug_info"} {
		if f.Section(name) != nil {
			t.Errorf("%s has %s", binary, name)
		}
	}
}

func darwin(t *testing.T, binary string) {
	f, err := macho.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries() // macOS has no stable system calls: every program links these
	for _, lib := range libraries {
		if !strings.HasPrefix(lib, "/usr/lib/") && !strings.HasPrefix(lib, "/System/Library/Frameworks/") {
			t.Errorf("%s links %s", binary, lib)
		}
	}
	if err != nil || f.Segment("__DWARF") != nil {
		t.Errorf("%s has debug information, %v", binary, err)
	}
}

func windows(t *testing.T, binary string) {
	f, err := pe.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	for _, lib := range libraries {
		if !strings.EqualFold(lib, "kernel32.dll") {
			t.Errorf("%s links %s", binary, lib)
		}
	}
	if err != nil || f.Section(".debug_info") != nil || f.Section(".zdebug_info") != nil {
		t.Errorf("%s has debug information, %v", binary, err)
	}
}

func TestTheArchivesBinaryRuns(t *testing.T) {
	for archive := range archivesOf(t, "linux_amd64") {
		triages(t, filepath.Join(unpack(t, archive), "triage"))
	}
}

// triages checks that a binary judges the dump of the README.
func triages(t *testing.T, binary string, before ...string) {
	t.Helper()
	dump, err := filepath.Abs("../../../testdata/pods")
	if err != nil {
		t.Fatal(err)
	}
	args := slices.Concat(before, []string{binary, dump})
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("VERDICT")) {
		t.Errorf("%q: %v\n%s", args, err, out)
	}
}

func TestThePackageInstallsAndGoesAgain(t *testing.T) {
	if _, err := exec.LookPath("dpkg"); err != nil || os.Getuid() != 0 {
		t.Skip("needs dpkg, as root")
	}
	deb := one(t, dist(t), "*_amd64.deb")
	root := t.TempDir()
	for _, dir := range []string{"var/lib/dpkg/updates", "var/lib/dpkg/info"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dpkg := func(args ...string) {
		t.Helper()
		args = append([]string{"--root=" + root, "--force-not-root", "--force-script-chrootless", "--log=/dev/null"}, args...)
		if out, err := exec.Command("dpkg", args...).CombinedOutput(); err != nil {
			t.Fatalf("dpkg %q: %v\n%s", args, err, out)
		}
	}
	dpkg("--install", deb)
	triages(t, filepath.Join(root, "usr/bin/triage"))
	for _, name := range []string{"usr/bin/kubectl-triage", "usr/bin/kubectl_complete-triage"} {
		if to, err := os.Readlink(filepath.Join(root, name)); err != nil || to != "/usr/bin/triage" {
			t.Errorf("%s links %q, %v", name, to, err)
		}
	}
	for _, name := range []string{
		"usr/share/man/man1/triage.1.gz", "usr/share/bash-completion/completions/triage",
		"usr/share/zsh/vendor-completions/_triage", "usr/share/fish/vendor_completions.d/triage.fish",
		"usr/share/doc/triage/copyright",
	} {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	dpkg("--remove", "triage")
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(path, "triage") && !strings.Contains(path, "/var/lib/dpkg/") {
			t.Errorf("%s stays", path)
		}
		return err
	})
}

func TestManifestsOfPackageManagersNameTheArchivesByTheirSums(t *testing.T) {
	dir := dist(t)
	sums := map[string]string{}
	for line := range strings.Lines(string(read(t, filepath.Join(dir, "checksums.txt")))) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		data := sha256.Sum256(read(t, filepath.Join(dir, name)))
		if hex.EncodeToString(data[:]) != sum {
			t.Errorf("%s has another sum than checksums.txt says", name)
		}
		sums[sum] = name
	}
	for pattern, endings := range map[string][]string{
		"krew/*.yaml": {".tar.gz", ".zip"}, "homebrew/Casks/*.rb": {".tar.xz"}, "scoop/*.json": {".zip"},
		"winget/manifests/*/*/*/*/*.installer.yaml": {".zip"},
	} {
		text := strings.ToLower(string(read(t, one(t, dir, pattern))))
		for sum, name := range sums {
			wanted := slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) })
			if wanted && !strings.Contains(text, sum) {
				t.Errorf("%s does not have the sum of %s", pattern, name)
			}
		}
	}
}

func TestKrewAcceptsItsManifest(t *testing.T) {
	manifest := one(t, dist(t), "krew/*.yaml")
	out, err := exec.Command("go", "tool", "validate-krew-manifest", "-manifest", manifest, "-skip-install").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestEachBinaryHasABillOfMaterials(t *testing.T) {
	for _, platform := range platforms {
		var bom struct {
			Format     string `json:"bomFormat"`
			Components []struct{ Name, Version string }
		}
		if err := json.Unmarshal(read(t, one(t, dist(t), "triage_*_"+platform+".cdx.json")), &bom); err != nil {
			t.Fatal(err)
		}
		if bom.Format != "CycloneDX" {
			t.Errorf("%s: format %q", platform, bom.Format)
		}
		for _, module := range []string{"std", "github.com/spf13/cobra", "github.com/klauspost/compress"} {
			if !slices.ContainsFunc(bom.Components, func(c struct{ Name, Version string }) bool {
				return c.Name == module && c.Version != ""
			}) {
				t.Errorf("%s: no %s", platform, module)
			}
		}
	}
}

func TestASecondBuildElsewhereGivesTheSameBytes(t *testing.T) {
	again := os.Getenv("TRIAGE_DIST_AGAIN")
	if again == "" {
		t.Skip("TRIAGE_DIST_AGAIN names no folder of a second build")
	}
	for _, name := range []string{"checksums.txt", "image/index.json"} {
		a, b := read(t, filepath.Join(dist(t), name)), read(t, filepath.Join(again, name))
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs:\n%s\n%s", name, a, b)
		}
	}
}

func TestTheRPMHasWhatThePackageHas(t *testing.T) {
	f, err := os.Open(one(t, dist(t), "*.x86_64.rpm"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rpm, err := rpmutils.ReadRpm(f)
	if err != nil {
		t.Fatal(err)
	}
	files, err := rpm.Header.GetFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"/usr/bin/triage", "/usr/bin/kubectl-triage", "/usr/bin/kubectl_complete-triage", "/usr/share/man/man1/triage.1.gz",
		"/usr/share/bash-completion/completions/triage", "/usr/share/zsh/site-functions/_triage",
	} {
		if !slices.ContainsFunc(files, func(f rpmutils.FileInfo) bool { return f.Name() == name }) {
			t.Errorf("no %s", name)
		}
	}
}
