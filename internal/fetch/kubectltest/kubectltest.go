// Package kubectltest is a stand-in for kubectl in tests: the test binary, called by that name. It speaks port-forward,
// get and logs as far as fetch uses them, from a script in a file, and records its calls.
package kubectltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// Env names the file with the Script.
const Env = "KUBECTLTEST_SCRIPT"

// A Script is how the stand-in answers.
type Script struct {
	// Backend is the HOST:PORT that port-forward and the proxy lead to, for every pod.
	Backend string `json:"backend"`
	Pods    []Pod  `json:"pods"`
	// Previous and Log are the containers' logs; without Previous there is no former container.
	Previous string `json:"previous,omitempty"`
	Log      string `json:"log,omitempty"`
	// Logs are those of containers, by "POD/CONTAINER", with " previous" behind it for the former ones. Without any,
	// all containers have Previous and Log.
	Logs map[string]string `json:"logs,omitempty"`
	// Describe is what describe prints, Events what get events does, Owners the objects of what owns a pod, by
	// "RESOURCE/NAME".
	Describe string                     `json:"describe,omitempty"`
	Events   json.RawMessage            `json:"events,omitempty"`
	Owners   map[string]json.RawMessage `json:"owners,omitempty"`
	// Completions are what kubectl's completion offers.
	Completions []string `json:"completions,omitempty"`
	// Config is what config view prints.
	Config json.RawMessage `json:"config,omitempty"`
	// Forbid lists what the user may not: "get pods", "port-forward", "proxy".
	Forbid []string `json:"forbid,omitempty"`
	// Down lists pods that can't be reached.
	Down []string `json:"down,omitempty"`
	// Dying port-forwards end after DyingBytes bytes of answers; those after them live.
	Dying      int `json:"dying,omitempty"`
	DyingBytes int `json:"dying_bytes,omitempty"`
	// Calls is a file that gets one line of JSON, the arguments, for each call.
	Calls string `json:"calls"`
}

// A Pod is what get prints of a pod.
type Pod struct {
	Name, Namespace, UID, Phase, Container string
	Port                                   int // named pprof; 0 declares none
	Restarts                               int
	// Object is the whole answer, where the rest does not say enough: name and namespace only.
	Object json.RawMessage `json:",omitempty"`
}

// Called reports whether this process was started as kubectl.
func Called() bool {
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "kubectl"
}

// Main answers like kubectl and returns the exit status.
func Main(args []string) int {
	if err := run(args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func run(args []string) error {
	data, err := os.ReadFile(os.Getenv(Env))
	if err != nil {
		return fmt.Errorf("error: no script: %w", err)
	}
	var s Script
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("error: reading the script: %w", err)
	}
	before, err := s.record(args)
	if err != nil {
		return fmt.Errorf("error: writing the call down: %w", err)
	}
	words := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return strings.HasPrefix(a, "--") })
	raw := flag(args, "raw")
	switch {
	case len(words) == 0:
		return fmt.Errorf("error: no command in %q", args)
	case words[0] == "port-forward" && len(words) == 3:
		return s.forward(strings.TrimPrefix(words[1], "pod/"), words[2], before)
	case words[0] == "__complete":
		_, err := fmt.Println(strings.Join(append(s.Completions, ":36"), "\n"))
		return err
	case words[0] == "describe":
		_, err := os.Stdout.WriteString(s.Describe)
		return err
	case words[0] == "get" && raw != "":
		return s.proxy(raw)
	case words[0] == "get" && words[1] == "events":
		_, err := os.Stdout.Write(s.Events)
		return err
	case words[0] == "get" && strings.HasPrefix(strings.Join(words[1:], " "), "pod/"):
		return s.objects(words[1:])
	case words[0] == "get":
		return s.get(words[1:])
	case words[0] == "config":
		_, err := os.Stdout.Write(s.Config)
		return err
	case words[0] == "logs":
		return s.logs(strings.TrimPrefix(words[1], "pod/")+"/"+flag(args, "container"),
			slices.Contains(args, "--previous"))
	}
	return fmt.Errorf("error: unknown command in %q", args)
}

// record writes the call down and returns how many port-forwards there were before.
func (s *Script) record(args []string) (before int, err error) {
	old, err := os.ReadFile(s.Calls)
	if err != nil && !os.IsNotExist(err) {
		return 0, err
	}
	line, err := json.Marshal(args)
	if err != nil {
		return 0, err
	}
	f, err := os.OpenFile(s.Calls, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	_, err = f.Write(append(line, '\n'))
	return bytes.Count(old, []byte(`"port-forward"`)), err
}

func flag(args []string, name string) string {
	for _, a := range args {
		if v, ok := strings.CutPrefix(a, "--"+name+"="); ok {
			return v
		}
	}
	return ""
}

// refusal is how kubectl words what an API server answers.
func refusal(reason, format string, args ...any) error {
	return fmt.Errorf("%s (%s): %s", "Error from server", reason, fmt.Sprintf(format, args...))
}

func (s *Script) forbidden(what string) error {
	if slices.Contains(s.Forbid, what) {
		return refusal("Forbidden", "User \"tester\" cannot do %s", what)
	}
	return nil
}

func (s *Script) forward(pod, ports string, before int) error {
	if err := s.forbidden("port-forward"); err != nil {
		return err
	}
	if slices.Contains(s.Down, pod) {
		return fmt.Errorf("error: unable to forward port because pod is not running")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	remote := strings.TrimPrefix(ports, ":")
	fmt.Printf("Forwarding from %s -> %s\n", l.Addr(), remote)
	left := &atomic.Int64{}
	left.Store(int64(s.DyingBytes))
	end := make(chan error, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				end <- err
				return
			}
			fmt.Printf("Handling connection for %s\n", remote)
			go s.tunnel(c, before < s.Dying, left, end)
		}
	}()
	return <-end
}

func (s *Script) tunnel(c net.Conn, dies bool, left *atomic.Int64, end chan error) {
	defer c.Close()
	b, err := net.Dial("tcp", s.Backend)
	if err != nil {
		return
	}
	defer b.Close()
	go func() { _, _ = io.Copy(b, c) }()
	buf := make([]byte, 512)
	for {
		n, err := b.Read(buf)
		if dies && left.Add(-int64(n)) < 0 {
			end <- fmt.Errorf("error: lost connection to pod")
			return
		}
		if _, werr := c.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
}

// proxy answers get --raw …/pods/NAME:PORT/proxy/PATH as kubectl prints the API server's answer.
func (s *Script) proxy(raw string) error {
	if err := s.forbidden("proxy"); err != nil {
		return err
	}
	_, path, found := strings.Cut(raw, "/proxy/")
	if !found {
		return refusal("NotFound", "the server could not find the requested resource")
	}
	resp, err := http.Get("http://" + s.Backend + "/" + path)
	if err != nil {
		return refusal("ServiceUnavailable", "error trying to reach service: %v", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotFound {
		return refusal("NotFound", "the server could not find the requested resource")
	}
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(resp.Body)
		return refusal("InternalError", "an error on the server (%q) has prevented the request from succeeding",
			strings.TrimSpace(string(body)))
	}
	_, err = io.Copy(os.Stdout, resp.Body)
	return err
}

func (s *Script) get(words []string) error {
	if err := s.forbidden("get pods"); err != nil {
		return err
	}
	var all []any
	for _, p := range s.Pods {
		o := object(p)
		if len(words) == 2 && words[1] == p.Name {
			return json.NewEncoder(os.Stdout).Encode(o)
		}
		all = append(all, o)
	}
	if len(words) == 2 {
		return refusal("NotFound", "pods %q not found", words[len(words)-1])
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"apiVersion": "v1", "kind": "List", "items": all})
}

// objects prints those that are there of a pod and its owners as one list.
func (s *Script) objects(refs []string) error {
	all := []json.RawMessage{}
	for _, p := range s.Pods {
		if "pod/"+p.Name == refs[0] {
			all = append(all, object(p))
		}
	}
	for _, ref := range refs[1:] {
		if o, ok := s.Owners[ref]; ok {
			all = append(all, o)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"apiVersion": "v1", "kind": "List", "items": all})
}

func object(p Pod) json.RawMessage {
	if p.Object != nil {
		return p.Object
	}
	ports := ""
	if p.Port != 0 {
		ports = fmt.Sprintf(`{"name": "pprof", "containerPort": %d}`, p.Port)
	}
	return fmt.Appendf(nil, `{"apiVersion": "v1", "kind": "Pod",
		"metadata": {"name": %q, "namespace": %q, "uid": %q},
		"spec": {"nodeName": "node-1", "containers": [{"name": %q, "ports": [%s]}]},
		"status": {"phase": %q, "containerStatuses": [{"name": %q, "restartCount": %d}]}}`,
		p.Name, p.Namespace, p.UID, p.Container, ports, p.Phase, p.Container, p.Restarts)
}

func (s *Script) logs(container string, previous bool) error {
	name := container
	if previous {
		name += " previous"
	}
	switch text, ok := s.Logs[name]; {
	case ok:
		_, err := os.Stdout.WriteString(text)
		return err
	case len(s.Logs) > 0 && !previous:
		return refusal("BadRequest", "container %q is waiting to start: ContainerCreating", container)
	case !previous:
		_, err := os.Stdout.WriteString(s.Log)
		return err
	case s.Previous == "":
		return refusal("BadRequest", "previous terminated container %q in pod %q not found", "app", "web-1")
	}
	_, err := os.Stdout.WriteString(s.Previous)
	return err
}

// Install makes the running test binary the kubectl that is found first, with this script, and returns the function
// that reads the calls so far. The test binary's TestMain must hand over to Main where Called.
func Install(t testing.TB, s Script) (calls func() [][]string) {
	t.Helper()
	dir := t.TempDir()
	s.Calls = filepath.Join(dir, "calls")
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "script.json")
	if err := os.WriteFile(script, data, 0o600); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := "kubectl"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.Symlink(exe, filepath.Join(dir, name)); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(Env, script)
	return func() [][]string {
		data, err := os.ReadFile(s.Calls)
		if err != nil {
			t.Fatal(err)
		}
		var all [][]string
		for line := range bytes.Lines(data) {
			var args []string
			if err := json.Unmarshal(line, &args); err != nil {
				t.Fatal(err)
			}
			all = append(all, args)
		}
		return all
	}
}
