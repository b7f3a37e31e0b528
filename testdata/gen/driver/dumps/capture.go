package dumps

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

const (
	attempts = 60               // how often a program is run until its dump shows what is wanted
	lifetime = 90 * time.Second // a program that is still there is killed; zoo -minutes takes 71 s
)

// capture runs a fixture's program until its output matches what is wanted, and writes the fixture's files.
// It returns what it wrote, for the manifest.
func (t *toolchain) capture(f fixture, out string) ([]entry, error) {
	var entries []entry
	for _, file := range f.files(t.version) {
		text, sides, err := t.attempt(f)
		if err != nil {
			return nil, fmt.Errorf("go1.%d %s: %w", t.version.minor, f.name, err)
		}
		sides[file] = text
		for name, content := range sides {
			kept := f.file(t.version, name)
			path := filepath.Join(out, kept)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return nil, err
			}
			if err := os.WriteFile(path, content, 0o644); err != nil {
				return nil, err
			}
			e := entry{
				file: kept, program: f.program(), kind: f.kind, version: t.version.text,
				format: f.format, culprit: f.culprit, category: f.category, rule: f.rule,
			}
			for _, s := range f.also {
				if s.file == name {
					e.format = s.format
				}
			}
			if e.culprit, err = f.blamed(content, e.format); err != nil {
				return nil, fmt.Errorf("go1.%d %s: %s: %w", t.version.minor, f.name, name, err)
			}
			e.goroutines = countHeaders(content, e.format)
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// blamed is the culprit, or what the dump shows of several, or else the creator.
func (f fixture) blamed(dump []byte, format string) (string, error) {
	if f.rule != "" {
		list := shown(dump, f.culprit)
		if list == "" {
			return "", fmt.Errorf("it shows none of %s", f.culprit)
		}
		return list, nil
	}
	if format == "proto" || f.culprit == "-" || bytes.Contains(dump, []byte(f.culprit)) {
		return f.culprit, nil
	}
	if f.creator == "" {
		return "", fmt.Errorf("it does not show %s", f.culprit)
	}
	return f.creator, nil
}

// attempt runs the program as often as is needed. A spinner is not always caught in the frame that gives it away.
func (t *toolchain) attempt(f fixture) (text []byte, sides map[string][]byte, err error) {
	want := f.wanted()
	for n := 0; n < attempts; n++ {
		var framed []byte
		if text, framed, sides, err = t.run(f); err != nil {
			return nil, nil, err
		}
		if want.Match(text) && (f.runnable == 0 || f.runnable == countRunnable(text)) {
			if f.format == "cri" {
				return framed, sides, nil
			}
			return text, sides, nil
		}
	}
	return nil, nil, fmt.Errorf("%d dumps, none of which matches %s; the last:\n%.2000s", attempts, f.want, text)
}

// run runs the program once, and returns its output plain and in the framing of a pod's log.
func (t *toolchain) run(f fixture) (text, framed []byte, sides map[string][]byte, err error) {
	sideDir, err := os.MkdirTemp(t.temp, "sides")
	if err != nil {
		return nil, nil, nil, err
	}
	cmd, err := t.start(f, sideDir)
	if err != nil {
		return nil, nil, nil, err
	}
	var output criWriter
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := watch(cmd, f); err != nil {
		return nil, nil, nil, fmt.Errorf("%w\n%.2000s", err, output.raw.Bytes())
	}
	sides = map[string][]byte{}
	for _, s := range f.also {
		content, err := os.ReadFile(filepath.Join(sideDir, s.file))
		if err != nil {
			return nil, nil, nil, fmt.Errorf("reading what the program wrote: %w", err)
		}
		sides[s.file] = content
	}
	return output.raw.Bytes(), output.framed.Bytes(), sides, nil
}

// start is the command that runs a fixture's program.
func (t *toolchain) start(f fixture, sideDir string) (*exec.Cmd, error) {
	if f.how == tests {
		args := append(append([]string{"test"}, t.trim(f.module)...), f.flags...)
		cmd := t.command(f.module, append(append(args, f.args...), f.pkg)...)
		cmd.Env = append(append(cmd.Env, cgoFor(f.flags)...), f.env...)
		return cmd, nil
	}
	bin, err := t.build(f)
	if err != nil {
		return nil, err
	}
	args := []string{f.kind}
	if f.args != nil {
		args = f.args
	}
	if f.also != nil {
		args = append([]string{"-profiles", sideDir}, args...)
	}
	cmd := exec.Command(bin, args...)
	// Nothing of this machine's environment: a program behaves the same wherever the fixtures are remade.
	cmd.Env = append([]string{"GOMAXPROCS=4", "PATH=/usr/bin:/bin"}, f.env...)
	if f.how == hangs {
		cmd.Env = append(cmd.Env, "READY_FD=3")
	}
	return cmd, nil
}

// watch starts the command, sends the signal when it is ready, and waits for its end.
func watch(cmd *exec.Cmd, f fixture) error {
	ready, tell, err := os.Pipe()
	if err != nil {
		return err
	}
	defer ready.Close()
	cmd.ExtraFiles = []*os.File{tell}
	if err := cmd.Start(); err != nil {
		return err
	}
	tell.Close()
	kill := time.AfterFunc(lifetime, func() { cmd.Process.Kill() })
	defer kill.Stop()
	if f.how == abort || f.how == quit || f.how == hangs {
		var word [8]byte
		if _, err := ready.Read(word[:]); err != nil {
			cmd.Wait()
			return fmt.Errorf("waiting for the program to be ready: %w", err)
		}
		time.Sleep(f.delay)
		signal := syscall.SIGABRT
		if f.how != abort {
			signal = syscall.SIGQUIT
		}
		if err := cmd.Process.Signal(signal); err != nil {
			return fmt.Errorf("sending %v: %w", signal, err)
		}
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}
