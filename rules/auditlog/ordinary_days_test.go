package auditlog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
)

// healthyDays are days on which nothing goes wrong, by name.
func healthyDays() map[string]func(*clusterDay) {
	return map[string]func(*clusterDay){
		"deploy": func(d *clusterDay) { d.deploy("shop", "web", 20+d.rng.IntN(280)) },
		"many deployments": func(d *clusterDay) {
			for i := range 20 {
				d.deploy("shop", fmt.Sprintf("svc-%d", i), 1+d.rng.IntN(12))
			}
		},
		"rollout, rollback": func(d *clusterDay) {
			d.deploy("shop", "web", 5+d.rng.IntN(80))
			for range 1 + d.rng.IntN(4) {
				d.rollout("shop", "web")
				d.wait(time.Second, time.Minute)
			}
		},
		"rollouts side by side": func(d *clusterDay) {
			for i := range 8 {
				d.deploy("shop", fmt.Sprintf("svc-%d", i), 3+d.rng.IntN(12))
			}
			for i := range 8 {
				d.rollout("shop", fmt.Sprintf("svc-%d", i))
			}
		},
		"scaling": func(d *clusterDay) {
			d.deploy("shop", "web", 3)
			for range 3 {
				d.scale("shop", "web", 20+d.rng.IntN(200), "admin")
				d.scale("shop", "web", 1+d.rng.IntN(5), "admin")
			}
		},
		"autoscaler": func(d *clusterDay) {
			d.deploy("shop", "web", 3)
			for _, n := range []int{6, 12, 20, 24, 20, 12, 6, 3} {
				d.scale("shop", "web", n, scaler)
				d.wait(15*time.Second, 5*time.Minute)
			}
		},
		"drain": func(d *clusterDay) {
			for i := range 6 {
				d.deploy("shop", fmt.Sprintf("svc-%d", i), 10+d.rng.IntN(20))
			}
			for i := range 3 {
				d.drain("shop", fmt.Sprintf("n%d", i+1))
			}
		},
		"drain of one deployment": func(d *clusterDay) {
			d.deploy("shop", "web", 60+d.rng.IntN(100))
			for i := range 5 {
				d.drain("shop", fmt.Sprintf("n%d", i+1))
			}
		},
		"node lost": func(d *clusterDay) {
			d.deploy("shop", "web", 60+d.rng.IntN(200))
			d.lose("shop", "n1")
			d.lose("shop", "n2")
		},
		"deployed and deleted": func(d *clusterDay) {
			for range 2 {
				d.deploy("shop", "web", 30+d.rng.IntN(60))
				d.undeploy("shop", "web")
			}
		},
		"jobs": func(d *clusterDay) {
			for i := range 15 {
				d.job("batch", fmt.Sprintf("report-%d", i), 1+d.rng.IntN(40), "admin")
				d.unjob("batch", fmt.Sprintf("report-%d", i), "admin")
			}
		},
		"cron job": func(d *clusterDay) { d.cron("batch", "tick", 20+d.rng.IntN(60)) },
	}
}

// faultyDays are days on which something goes wrong, by the rule and the object that name it.
func faultyDays() map[string]func(*clusterDay) {
	return map[string]func(*clusterDay){
		"TR764 agent": func(d *clusterDay) { d.storm("shop", "agent", 2, 260) },
		"TR761 web":   func(d *clusterDay) { d.fight("shop", "web", 100+d.rng.IntN(60)) },
		"TR760 front": func(d *clusterDay) { d.rewrite("shop", "front", 320+d.rng.IntN(60)) },
	}
}

// findingsOf runs the audit rules over the logs of several servers.
func findingsOf(t *testing.T, logs ...string) []rules.Finding {
	t.Helper()
	var all []*audit.Log
	for i, text := range logs {
		r := audit.NewReader(audit.Options{})
		if err := r.Read(fmt.Sprintf("audit-%d.log", i), strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Close())
	}
	p := &rules.Pass{Audit: audit.Merge(all)}
	var found []rules.Finding
	for _, rule := range Rules() {
		found = append(found, rule.Apply(p)...)
	}
	return found
}

// split deals lines out to n servers.
func split(lines []string, n int, rng *rand.Rand) []string {
	out := make([]strings.Builder, n)
	for _, l := range lines {
		out[rng.IntN(n)].WriteString(l)
	}
	logs := make([]string, n)
	for i := range out {
		logs[i] = out[i].String()
	}
	return logs
}

func alarms(found []rules.Finding) (out []string) {
	for _, f := range found {
		if f.Alarm() {
			name := ""
			if f.Object != nil {
				name = f.Object.Name
			}
			out = append(out, fmt.Sprintf("%s %s %s: %s", f.Rule, f.Severity, name, f.Title))
		}
	}
	return out
}

// TestOrdinaryDaysAreHealthy is a near miss of all rules about audit logs, at both levels, over one to three servers.
func TestOrdinaryDaysAreHealthy(t *testing.T) {
	for name, day := range healthyDays() {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(4) {
				for _, bodies := range []bool{false, true} {
					d := newDay(seed, bodies)
					day(d)
					logs := split(d.lines(), 1+int(seed)%3, d.rng)
					for _, f := range alarms(findingsOf(t, logs...)) {
						t.Errorf("seed %d, bodies %t: %s", seed, bodies, f)
					}
				}
			}
		})
	}
}

func TestAStormBesideOrdinaryDays(t *testing.T) {
	for _, bodies := range []bool{false, true} {
		d := newDay(7, bodies)
		d.deploy("shop", "web", 40)
		d.storm("shop", "agent", 2, 260)
		d.rollout("shop", "web")
		got := alarms(findingsOf(t, split(d.lines(), 2, d.rng)...))
		if len(got) != 1 || !strings.HasPrefix(got[0], "TR764") || !strings.Contains(got[0], "agent") {
			t.Errorf("bodies %t: %s", bodies, strings.Join(got, "\n"))
		}
	}
}

// brief are the alarms by what they name first: the rule, and the object.
func brief(found []rules.Finding) (out []string) {
	for _, f := range found {
		if f.Alarm() {
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Rule, f.Severity, f.Object.Name)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestSplitsOverServersChangeNothing deals the events of faulty days out to several servers, in any order of arguments.
func TestSplitsOverServersChangeNothing(t *testing.T) {
	for want, fault := range faultyDays() {
		for _, bodies := range []bool{false, true} {
			d := newDay(3, bodies)
			d.deploy("shop", "web", 10)
			fault(d)
			d.rollout("shop", "web")
			lines := d.lines()
			whole := brief(findingsOf(t, strings.Join(lines, "")))
			if len(whole) != 1 || strings.Join(strings.Fields(whole[0])[:1], "") != strings.Fields(want)[0] ||
				!strings.HasSuffix(whole[0], strings.Fields(want)[1]) {
				t.Errorf("%s, bodies %t: %v", want, bodies, whole)
			}
			for n := range 6 {
				logs := split(lines, 2+n%3, d.rng)
				if got := brief(findingsOf(t, logs...)); !slices.Equal(got, whole) {
					t.Errorf("%s, bodies %t, split over %d: %v, together %v", want, bodies, len(logs), got, whole)
				}
			}
		}
	}
}

// TestMoreFactsFindNoLess holds that what Metadata shows of a day RequestResponse shows too, over any split.
func TestMoreFactsFindNoLess(t *testing.T) {
	for name, fault := range faultyDays() {
		for seed := range uint64(6) {
			var found [2][]string
			for level, bodies := range []bool{false, true} {
				d := newDay(seed, bodies)
				fault(d)
				for _, f := range brief(findingsOf(t, split(d.lines(), 1+int(seed)%4, d.rng)...)) {
					words := strings.Fields(f)
					found[level] = append(found[level], words[0]+" "+words[len(words)-1])
				}
			}
			for _, f := range found[0] {
				if !slices.Contains(found[1], f) {
					t.Errorf("%s, seed %d: %s at Metadata, at RequestResponse %v", name, seed, f, found[1])
				}
			}
		}
	}
}
