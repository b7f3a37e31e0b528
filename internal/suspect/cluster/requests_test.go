package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
)

const (
	runner = "system:serviceaccount:ci:runner"
	sizer  = "system:serviceaccount:ci:sizer"
	sets   = "system:serviceaccount:kube-system:replicaset-controller"
)

// asked are n requests that f makes of 0 to n-1.
func asked(n int, f func(i int) request) (all []request) {
	for i := range n {
		all = append(all, f(i))
	}
	return all
}

func TestAClientThatCreatesMuchIsAFact(t *testing.T) {
	jobs := func(n int) []request {
		return asked(n, func(i int) request {
			return request{user: runner, verb: "create", resource: "jobs", name: fmt.Sprintf("build-%d", i)}
		})
	}
	got := inAudit(t, 300*time.Millisecond, jobs(380)...)
	wantFirst(t, got, "client ci/runner creates 380 jobs in 113 s (3.3/s)")
	if s := got[0]; s.Client != runner || s.Object.Kind != "ServiceAccount" || s.Category != rules.Leak ||
		!strings.Contains(s.For[0], "named build-*") {
		t.Errorf("client %q, object %v, category %q, for %q", s.Client, s.Object, s.Category, s.For)
	}
	wantNone(t, inAudit(t, 300*time.Millisecond, jobs(20)...))
}

func TestACreatorsFactSaysHowManyWereDeleted(t *testing.T) {
	for level, named := range map[string]string{"with names": "job-%d", "without names": ""} {
		made := asked(200, func(i int) request {
			r := request{user: runner, verb: "create", resource: "jobs"}
			if named != "" {
				r.name = fmt.Sprintf(named, i)
			}
			return r
		})
		gone := asked(150, func(i int) request {
			return request{user: runner, verb: "delete", resource: "jobs", name: fmt.Sprintf("job-%d", i)}
		})
		got := inAudit(t, 300*time.Millisecond, append(made, gone...)...)
		if len(got) == 0 || !strings.HasSuffix(got[0].For[0], ", 150 were deleted") {
			t.Errorf("%s: %+v", level, got)
		}
	}
}

func TestAClientThatIsACollectedWorkloadIsThatWorkload(t *testing.T) {
	r := kube.NewReader(kube.NewStore(0))
	objects := strings.ReplaceAll(object("Deployment", "runner", "", ""), `"namespace":"shop"`, `"namespace":"ci"`)
	if err := r.Read("objects.json", strings.NewReader(objects)); err != nil {
		t.Fatal(err)
	}
	got := Suspects(&rules.Pass{Cluster: kube.Merge([]*kube.Objects{r.Close()}),
		Audit: trail(t, time.Second, asked(200, func(i int) request {
			return request{user: runner, verb: "create", resource: "jobs", name: fmt.Sprintf("build-%d", i)}
		})...)})
	if len(got) == 0 || got[0].Object.Kind != "Deployment" || got[0].Object.Name != "runner" {
		t.Errorf("got %+v, want the Deployment", got)
	}
}

func TestAnObjectThatTwoClientsWriteInTurnsIsAFact(t *testing.T) {
	writes := func(users ...string) []request {
		return asked(60, func(i int) request {
			return request{user: users[i%len(users)], verb: "update", resource: "configmaps", name: "sizes"}
		})
	}
	wantFirst(t, inAudit(t, 2*time.Second, writes(runner, sizer)...),
		"ConfigMap shop/sizes: 60 writes in 118 s (31/min) by runner, sizer")
	wantFirst(t, inAudit(t, 2*time.Second, writes(runner)...), "ConfigMap shop/sizes: 60 writes in 118 s (31/min) by runner")
	wantNone(t, inAudit(t, 2*time.Second, writes(sets)[:10]...))
}

func TestAWriteThatAWatchAndTheAuditLogShowCountsOnce(t *testing.T) {
	r := kube.NewReader(kube.NewStore(0))
	versions := many(40, func(i int) string {
		return version("ConfigMap", "sizes", "1", i, fmt.Sprintf(`"data":{"size":"%d"}`, i%2))
	})
	if err := r.Read("watch.json", strings.NewReader(versions)); err != nil {
		t.Fatal(err)
	}
	got := Suspects(&rules.Pass{Cluster: kube.Merge([]*kube.Objects{r.Close()}), Audit: trail(t, time.Second, asked(40, func(int) request {
		return request{user: runner, verb: "update", resource: "configmaps", name: "sizes"}
	})...)})
	if len(got) == 0 || !strings.HasPrefix(got[0].Title, "ConfigMap shop/sizes: 40 writes in ") {
		t.Errorf("got %+v, want 40 writes", got)
	}
}

func TestANameThatIsMadeAndDeletedAgainIsAFact(t *testing.T) {
	turns := asked(40, func(i int) request {
		return request{user: runner, verb: []string{"create", "delete"}[i%2], resource: "services", name: "gate"}
	})
	wantFirst(t, inAudit(t, time.Second, turns...), "Service shop/gate: created 20 times in 38 s (32/min) by runner")
	wantNone(t, inAudit(t, time.Second, turns[:4]...))
}

func TestAClientThatListsEverythingIsAFact(t *testing.T) {
	lists := func(n int) []request {
		return asked(n, func(int) request { return request{user: runner, verb: "list", resource: "pods"} })
	}
	wantFirst(t, inAudit(t, time.Second, lists(100)...), "client ci/runner lists pods 100 times in 99 s (1.0/s)")
	wantNone(t, inAudit(t, time.Minute, lists(10)...))
	if got := inAudit(t, 100*time.Microsecond, lists(100)...); len(got) != 1 || strings.Contains(got[0].Title, " in ") {
		t.Errorf("a rate over 10 ms: %+v", got)
	}
}

func TestRequestsThatWaitForWebhooksAreAFact(t *testing.T) {
	slowly := func(n int, took, hooks time.Duration) []request {
		return asked(n, func(int) request {
			return request{user: runner, verb: "create", resource: "pods", name: "web", code: 201, took: took, hooks: hooks}
		})
	}
	got := inAudit(t, time.Second, slowly(20, 9100*time.Millisecond, 8900*time.Millisecond)...)
	wantFirst(t, got, "client ci/runner waits over a second for each of 20 create requests for pods in 19 s (1.1/s)")
	if !strings.HasSuffix(got[0].For[0], ", the slowest for 9.1 s, 8.9 s of it in mutating webhooks") {
		t.Errorf("%q", got[0].For[0])
	}
	wantNone(t, inAudit(t, time.Second, slowly(20, 900*time.Millisecond, 800*time.Millisecond)...))
	wantNone(t, inAudit(t, time.Second, slowly(5, 9100*time.Millisecond, 8900*time.Millisecond)...))
}

func TestRequestsThatFailAreAFactAboutWhatRefusesThem(t *testing.T) {
	refused := func(n int, user, message string, code int) []request {
		return asked(n, func(int) request {
			return request{user: user, verb: "create", resource: "pods", name: "web-5d8f7c6b9-x2z4k", code: code, message: message}
		})
	}
	quota := `pods "web-5d8f7c6b9-x2z4k" is forbidden: exceeded quota: team, requested: pods=1, used: pods=9, limited: pods=9`
	got := inAudit(t, time.Second, refused(20, sets, quota, 403)...)
	wantFirst(t, got, "ResourceQuota shop/team: 20 create requests for pods fail with 403 in 19 s (1.1/s)")
	if !strings.HasSuffix(got[0].For[0], "limited: pods=9") {
		t.Errorf("the reason is cut: %q", got[0].For[0])
	}
	wantFirst(t, inAudit(t, time.Second, refused(20, runner, "pods is forbidden", 403)...),
		"client ci/runner: 20 create requests for pods fail with 403 in 19 s (1.1/s)")
	wantNone(t, inAudit(t, time.Second, refused(4, sets, quota, 403)...))
}

func TestWhatStoppedBeforeTheLogDoesSpeaksAgainstIt(t *testing.T) {
	requests := append(asked(120, func(i int) request {
		if i%2 == 0 {
			return request{user: runner, verb: "list", resource: "pods"}
		}
		return request{user: runner, verb: "create", resource: "jobs", name: fmt.Sprintf("build-%d", i)}
	}), asked(200, func(int) request { return request{user: sizer, verb: "get", resource: "pods", name: "a"} })...)
	got := inAudit(t, time.Second, requests...)
	i := slices.IndexFunc(got, func(s suspect.Suspect) bool { return s.Client == runner })
	if i < 0 || len(got[i].For) != 2 || !slices.Equal(got[i].Against, []string{
		"It stopped 3 min before the end of the input"}) {
		t.Errorf("%+v", got)
	}
}

func TestErrorsThatAPodLogsAreAFact(t *testing.T) {
	lines := func(n int, text string) []string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(text, i))
		}
		return all
	}
	wantFirst(t, inLog(lines(200, `level=error msg="request %d failed: dial tcp: connection refused"`)...),
		"Pod shop/web-0: 200 error lines in 3 min (1.0/s)")
	wantNone(t, inLog(lines(200, `level=error msg="request %d: context canceled"`)...))
	wantNone(t, inLog(lines(200, `level=info msg="request %d done"`)...))
}

func TestLinesThatSayTheSameOfOneObjectAreAFact(t *testing.T) {
	lines := func(text string) (all []string) {
		for i := range 600 {
			all = append(all, strings.ReplaceAll(text, "{i}", fmt.Sprint(i)))
		}
		return all
	}
	wantFirst(t, inLog(lines(`I0304 12:00:00.000000 1 loop.go:7] "Updating status" bundle="fleet/web"`)...),
		"Bundle fleet/web: 600 lines with the same message about it in 9 min (1.0/s)")
	wantNone(t, inLog(lines(`I0304 12:00:00.000000 1 loop.go:7] "Updated" bundle="fleet/web-{i}"`)...))
}
