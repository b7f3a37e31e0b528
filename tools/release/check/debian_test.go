package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A debian is a root of Debian stable that has shells, man and no Go.
type debian struct{ root string }

// newDebian uses the root that TRIAGE_DEBIAN names, or has debootstrap make one, which takes minutes.
func newDebian(t *testing.T) debian {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to change the root folder")
	}
	if root := os.Getenv("TRIAGE_DEBIAN"); root != "" {
		return debian{root}
	}
	if _, err := exec.LookPath("debootstrap"); err != nil {
		t.Skipf("needs debootstrap, or a root that TRIAGE_DEBIAN names: %v", err)
	}
	root := filepath.Join(t.TempDir(), "root")
	out, err := exec.Command("debootstrap", "--variant=minbase",
		"--include=man-db,bash-completion,zsh,fish", "stable", root).CombinedOutput()
	if err != nil {
		t.Fatalf("debootstrap: %v\n%.4000s", err, tailOf(out))
	}
	return debian{root}
}

func tailOf(out []byte) []byte { return out[max(0, len(out)-4000):] }

// put copies files into a new folder of the root and returns its name there.
func (d debian) put(t *testing.T, files ...string) string {
	t.Helper()
	dir, err := os.MkdirTemp(filepath.Join(d.root, "tmp"), "check-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // apt reads a package as a user of its own
		t.Fatal(err)
	}
	for _, file := range files {
		if out, err := exec.Command("cp", "-r", file, dir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return strings.TrimPrefix(dir, d.root)
}

// enter mounts what terminals need and changes the root, in a namespace of mounts that ends with the program.
const enter = `mount -t proc proc "$1/proc" && mkdir -p "$1/dev/pts" && mount --bind /dev/pts "$1/dev/pts" &&
	{ [ -e "$1/dev/ptmx" ] || ln -s pts/ptmx "$1/dev/ptmx"; } &&
	exec chroot "$1" env -i HOME=/root TERM=dumb LANG=C.UTF-8 MANPAGER=cat DEBIAN_FRONTEND=noninteractive \
		PATH="${2}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$3" -c "$4"`

// run runs a script in a shell of the root, with folders before its PATH, and returns what it prints.
func (d debian) run(t *testing.T, path, shell, script string) (out string, err error) {
	t.Helper()
	cmd := exec.Command("timeout", "120", "unshare", "--mount", "sh", "-c", enter, "sh", d.root, path, shell, script)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// wants runs a script and checks that it prints a text.
func (d debian) wants(t *testing.T, path, shell, script, want string) {
	t.Helper()
	if out, err := d.run(t, path, shell, script); err != nil || !strings.Contains(out, want) {
		t.Errorf("%s -c %q: %v, want %q:\n%.3000s", shell, script, err, want, out)
	}
}

// The scripts press the tab key behind `triage expl`, with the completion that the shell finds by itself or that was
// read from a file.
const (
	bashSetup = `. /usr/share/bash-completion/bash_completion; `
	bashFinds = bashSetup + `_comp_load triage 2>/dev/null || __load_completion triage; `
	bashTab   = `COMP_LINE='triage expl'; COMP_POINT=11; COMP_WORDS=(triage expl); COMP_CWORD=1
		$(complete -p triage | sed 's/.*-F \([^ ]*\) .*/\1/') triage expl triage; echo "offers ${COMPREPLY[*]}"`
	zshTab = `zmodload zsh/zpty; zpty z zsh -f -i
		zpty -w z "PS1=; fpath=($DIR \$fpath); autoload -Uz compinit; compinit -u -D; print rea''dy"
		while zpty -r z line && [[ $line != *ready* ]]; do :; done
		zpty -n -w z $'triage expl\tTR101\n'
		while zpty -r z line; do print -r -- "$line"; [[ $line == *busy* ]] && break; done`
	fishTab = `complete -C 'triage expl'`
)

// works checks a triage that is in PATH, with its completions and pages. The scripts come before those that press the
// tab key.
func (d debian) works(t *testing.T, path, bash, zsh, fish, man string) {
	t.Helper()
	pods, err := filepath.Abs("../../../testdata/pods")
	if err != nil {
		t.Fatal(err)
	}
	d.wants(t, path, "sh", "triage "+d.put(t, pods)+"/pods", "busy-waits on runtime.Gosched (listener.go:55)")
	d.wants(t, path, "sh", man+"triage", "NAME\n       triage - ")
	d.wants(t, path, "sh", man+"triage-fetch", "TRIAGE-FETCH(1)")
	d.wants(t, path, "bash", bash+bashTab, "offers explain")
	d.wants(t, path, "zsh", zsh+zshTab, "TR101  busy-wait")
	d.wants(t, path, "fish", fish+fishTab, "explain\t")
}

func TestInADebianWithoutGoThePackageAndTheArchiveWork(t *testing.T) {
	dir := dist(t)
	d := newDebian(t)
	if out, err := d.run(t, "", "sh", "command -v go || command -v triage"); err == nil {
		t.Fatalf("the root is not clean: it has %s", out)
	}
	deb := one(t, dir, "*_amd64.deb")
	in := d.put(t, deb)
	d.wants(t, "", "sh", "apt-get install -y "+in+"/"+filepath.Base(deb), "Setting up triage")
	d.works(t, "", bashFinds, "DIR=; ", "", "man ")
	d.wants(t, "", "sh", "kubectl-triage --help", "kubectl triage -A --unhealthy")
	d.wants(t, "", "sh", "kubectl_complete-triage -n shop --pp", "--pprof")
	d.wants(t, "", "sh", "apt-get purge -y triage", "Removing triage")
	left, err := d.run(t, "", "sh", "find / -xdev -name '*triage*' -not -path '/tmp/*' -not -path '/proc/*'"+
		" -not -path '/var/cache/man/*'") // man keeps the pages that it showed
	if err != nil || left != "" {
		t.Errorf("the package leaves %s, %v", left, err)
	}
	archive := one(t, dir, "triage_*_linux_amd64.tar.gz")
	in = d.put(t, archive)
	d.wants(t, "", "sh", "cd "+in+" && tar xzf "+filepath.Base(archive)+" && ls", "LICENSE")
	d.works(t, in+":", bashSetup+". "+in+"/completions/triage.bash; ", "DIR="+in+"/completions; ",
		"source "+in+"/completions/triage.fish; ", "cd "+in+"/man; page() { man -l $1.1; }; page ")
}
