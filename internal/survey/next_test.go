package survey_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/prometheus"
	"github.com/gotriage/triage/internal/survey"
	"github.com/gotriage/triage/triage/schema"
)

// oddOne is a process that grows and was restarted.
func oddOne() *prometheus.Process {
	flat := prometheus.Points{Now: 1, Mid: 1, Before: 1}
	return &prometheus.Process{SurveyName: schema.SurveyName{Job: "shop"}, Cores: flat, Memory: flat, Restarts: 3,
		Goroutines: prometheus.Points{Now: 9e4, Mid: 2e4, Before: 100}}
}

func commands(p *prometheus.Process) (all []string) {
	s := survey.Of(&prometheus.Population{Processes: []*prometheus.Process{p}}, time.Hour, 0)
	for _, o := range s.Odd {
		for _, step := range o.Next {
			all = append(all, step.Command)
		}
	}
	return all
}

// TestNoNameOfAServerRunsInAShell runs the commands about hostile names where the programs are functions that do
// nothing.
func TestNoNameOfAServerRunsInAShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no POSIX shell here")
	}
	ran := 0
	for _, evil := range []string{
		"web-1; touch ran", "$(touch ran)", "`touch ran`", "web-1\ntouch ran", "'; touch ran; '", "a|touch ran", "-n",
		"web-1 && touch ran", "web-1\x1b]0;x\x07", "10.0.0.1:80/$(touch ran)", "http://10.0.0.1:80$(touch ran)/",
	} {
		for _, set := range []func(*prometheus.Process){
			func(p *prometheus.Process) { p.Pod = evil },
			func(p *prometheus.Process) { p.Pod, p.Namespace = "web-1", evil },
			func(p *prometheus.Process) { p.Pod, p.Container, p.ScrapeURL = "web-1", evil, "http://10.0.0.1:80/" },
			func(p *prometheus.Process) { p.Pod, p.ScrapeURL = "web-1", evil },
			func(p *prometheus.Process) { p.Instance = evil },
			func(p *prometheus.Process) { p.Instance, p.ScrapeURL = "vm-1", evil },
			func(p *prometheus.Process) { p.Pod, p.Cluster = "web-1", evil },
		} {
			p := oddOne()
			set(p)
			for _, c := range commands(p) {
				cmd := exec.CommandContext(t.Context(), "sh", "-c", "triage() { :; }\nkubectl() { :; }\n"+c)
				cmd.Dir = t.TempDir()
				out, err := cmd.CombinedOutput()
				left, _ := os.ReadDir(cmd.Dir)
				if ran++; err != nil || len(left) > 0 || len(out) > 0 || strings.ContainsAny(c, "\x1b\n") {
					t.Errorf("%q: %v, %s, %d files", c, err, out, len(left))
				}
			}
		}
	}
	if ran < 20 {
		t.Errorf("only %d commands ran", ran)
	}
}

func TestTheNextCommandSuitsWhatIsKnown(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*prometheus.Process)
		want string
	}{
		"a pod with a port": {func(p *prometheus.Process) {
			p.Namespace, p.Pod, p.Container, p.ScrapeURL = "shop", "web-1", "app", "http://10.0.0.1:8080/metrics"
		}, "kubectl triage web-1 -n shop, triage fetch pod/web-1 -n shop -c app --port 8080"},
		"a port for profiles": {func(p *prometheus.Process) {
			p.Namespace, p.Pod, p.ScrapeURL, p.PprofPort, p.Restarts = "shop", "web-1", "https://10.0.0.1:8443/metrics", 6060, 0
		}, "triage fetch pod/web-1 -n shop --port 6060"},
		"over TLS": {func(p *prometheus.Process) {
			p.Namespace, p.Pod, p.ScrapeURL, p.Restarts = "shop", "web-1", "https://10.0.0.1:8443/metrics", 0
		}, "triage fetch pod/web-1 -n shop --port 8443 --https"},
		"the port in the instance": {func(p *prometheus.Process) {
			p.Namespace, p.Pod, p.Instance, p.Restarts = "shop", "web-1", "10.0.0.1:9090", 0
		}, "triage fetch pod/web-1 -n shop --port 9090"},
		"no port": {func(p *prometheus.Process) {
			p.Pod, p.Instance, p.Restarts = "web-1", "web", 0
		}, "kubectl triage web-1"},
		"no pod": {func(p *prometheus.Process) {
			p.Instance, p.ScrapeURL = "vm-1", "https://vm-1.example.com:9100/metrics"
		}, "triage fetch https://vm-1.example.com:9100"},
		"neither": {func(p *prometheus.Process) { p.Instance = "vm-1" }, ""},
	} {
		p := oddOne()
		c.set(p)
		if got := strings.Join(commands(p), ", "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestAWorkloadThatIsDownIsListedWhereItHasGoProcesses(t *testing.T) {
	none := prometheus.Points{Now: math.NaN(), Mid: math.NaN(), Before: math.NaN()}
	up, down, other := oddOne(), oddOne(), oddOne()
	up.Pod, down.Pod, other.Pod, other.Job = "web-1", "web-2", "java-1", "java"
	down.Goroutines, down.Down, down.LastError = none, true, "connection refused"
	other.Goroutines, other.Down = none, true
	s := survey.Of(&prometheus.Population{Processes: []*prometheus.Process{up, down, other}}, time.Hour, 0)
	if len(s.Down) != 1 || s.Down[0].Pod != "web-2" || s.Down[0].Targets != 1 || s.Down[0].Of != 2 || s.DownOther != 1 ||
		s.Down[0].Error != "connection refused" || s.Down[0].Next[0].Command != "kubectl triage web-2" {
		t.Errorf("%+v, %d others", s.Down, s.DownOther)
	}
}

// TestPodsThatHaveEndedAreNotCounted has the pods of before a rollout, of which only old values are known.
func TestPodsThatHaveEndedAreNotCounted(t *testing.T) {
	var all []*prometheus.Process
	for i := range 10 {
		p := oddOne()
		p.Pod, p.Goroutines = fmt.Sprintf("web-%d", i), prometheus.Points{Now: math.NaN(), Mid: math.NaN(), Before: 100}
		if p.Restarts = 0; i > 4 {
			p.Goroutines, p.Restarts = prometheus.Points{Now: 100, Mid: math.NaN(), Before: math.NaN()}, 3
		}
		if i == 9 {
			p.Goroutines.Now, p.Down, p.Restarts = math.NaN(), true, 0
		}
		all = append(all, p)
	}
	s := survey.Of(&prometheus.Population{Processes: all}, time.Hour, 0)
	if len(s.Odd) != 1 || !strings.HasPrefix(s.Odd[0].Reasons[0].Why,
		"4 of 5 pods of web restarted in 60 min, 12 times in total.") {
		t.Errorf("%+v", s.Odd)
	}
	if len(s.Down) != 1 || s.Down[0].Targets != 1 || s.Down[0].Of != 5 {
		t.Errorf("%+v", s.Down)
	}
}

// TestAWorkloadOfManyPodsIsJudgedInSeconds has as many that grow, crash or are of a revision of their own as a hostile
// server can name.
func TestAWorkloadOfManyPodsIsJudgedInSeconds(t *testing.T) {
	var all []*prometheus.Process
	for i := range 40_000 {
		p := oddOne()
		p.Pod, p.Restarts = fmt.Sprintf("web-%d", i), 0
		switch {
		case i >= 20_000:
			const digits = "456789bcdf"
			hash := strings.Map(func(r rune) rune { return rune(digits[r-'0']) }, fmt.Sprintf("%08d", i))
			p.Pod = "many-" + hash + "-bcdfg"
		case i%20 > 8:
			p.Goroutines = prometheus.Points{Now: 100, Mid: 100, Before: 100}
		default:
			p.Restarts = 2
		}
		all = append(all, p)
	}
	began := time.Now()
	s := survey.Of(&prometheus.Population{Processes: all}, time.Hour, 20)
	if took := time.Since(began); took > 10*time.Second || s.OddTotal != 9001 {
		t.Errorf("%d rows in %s", s.OddTotal, took)
	}
}
