package cluster

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// objectClaims are situations of objects with the title of the first suspect, "" for none.
var objectClaims = []struct {
	claim, objects, title string
}{
	{
		"a condition whose type is good by its name is a fact where it is False",
		object("APIService", "v1beta1.metrics", "", cond("Available", "False", "FailedDiscoveryCheck", "no response", time.Hour)),
		"APIService v1beta1.metrics: Available=False for 60 min, FailedDiscoveryCheck",
	},
	{"it is none where it is True", object("APIService", "v1", "", cond("Available", "True", "Passed", "", time.Hour)), ""},
	{"nor where someone asked for it",
		object("Deployment", "web", "", cond("Progressing", "Unknown", "DeploymentPaused", "", time.Hour)), ""},
	{
		"what waits for a finalizer is a fact after a minute",
		object("Widget", "w", `"deletionTimestamp":"`+ago(time.Hour)+`","finalizers":["example.com/drain"]`, ""),
		"Widget shop/w: terminating for 60 min, finalizer example.com/drain",
	},
	{"it is none in its first seconds",
		object("Widget", "w", `"deletionTimestamp":"`+ago(5*time.Second)+`","finalizers":["example.com/drain"]`, ""), ""},
	{
		"pods that fail for one reason are counted by workload",
		many(25, func(i int) string {
			return object("Pod", fmt.Sprint("web-5d8f7c6b9-", i), owned("ReplicaSet", "web-5d8f7c6b9")+`,"creationTimestamp":"`+
				ago(time.Duration(i)*time.Second)+`"`, `"status":{"phase":"Failed","reason":"OutOfcpu"}`)
		}),
		"ReplicaSet shop/web-5d8f7c6b9: 25 failed pods: OutOfcpu in 24 s (1.0/s)",
	},
	{"pods that have done their work are none", many(25, func(i int) string {
		return object("Pod", fmt.Sprint("a", i), "", `"status":{"phase":"Succeeded"}`)
	}), ""},
	{
		"a Service that selects none of the pods is a fact",
		object("Service", "web", "", `"spec":{"selector":{"app":"web","tier":"a"}}`) + object("Pod", "web", `"labels":{"app":"web"}`, ""),
		"Service shop/web: selects app=web,tier=a, which no pod in its namespace has for 60 min",
	},
	{"it is none where a pod has all labels", object("Service", "web", "", `"spec":{"selector":{"app":"web"}}`) +
		object("Pod", "web", `"labels":{"app":"web"}`, ""), ""},
	{
		"a Service that an API is served by and the inputs lack is a fact",
		object("APIService", "v1", "", `"spec":{"service":{"name":"metrics","namespace":"shop"}}`) + object("Service", "other", "", ""),
		"APIService v1: is served by Service shop/metrics, which is not in the inputs",
	},
	{"it is none where no Service of the namespace was collected",
		object("APIService", "v1", "", `"spec":{"service":{"name":"metrics","namespace":"shop"}}`), ""},
	{"what a field refers to is none where the object is there",
		object("ScaledObject", "web", "", `"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web"}}`) +
			object("Deployment", "web", "", ""), ""},
	{"nor where it may be missing", object("Widget", "w", "", `"spec":{"configMapRef":{"name":"more","optional":true}}`) +
		object("ConfigMap", "other", "", ""), ""},
	{
		"aliases that lead back to themselves are a fact",
		alias("a", "b") + alias("b", "c") + alias("c", "a"),
		"Service shop/a: is an alias of Service shop/b, which leads back to it",
	},
	{"an alias of a Service is none", alias("a", "b") + alias("b", "c") + object("Service", "c", "", ""), ""},
	{"nor where another group is meant", object("Widget", "w", "",
		`"spec":{"targetRef":{"apiVersion":"serving.example.com/v1","kind":"Deployment","name":"front"}}`) +
		object("Deployment", "web", "", ""), ""},
	{
		"a Service that sends to a named port that its pods lack is a fact",
		serving("http", "grpc", "admin"),
		"Service shop/web: sends to port http for 60 min, but its pods declare grpc, 8080, admin and 1 more",
	},
	{"it is none where one of them has it", serving("admin", "grpc", "admin"), ""},
	{"nor a number, on which a pod may listen all the same", serving("9090", "grpc"), ""},
	{"nor where they declare none", serving("http"), ""},
	{
		"warnings that are alike are counted by workload",
		many(30, func(i int) string {
			return warning(i, "Widget", "w", "FailedSync", fmt.Sprintf("item %d failed", i), "ops", "Warning", 2)
		}),
		"Widget shop/w: 60 events FailedSync in 59 min (1/min)",
	},
	{"events of type Normal are none", many(30, func(i int) string {
		return warning(i, "Widget", "w", "Synced", fmt.Sprintf("item %d done", i), "ops", "Normal", 2)
	}), ""},
	{
		"Jobs that a CronJob should not have kept are a fact",
		object("CronJob", "sync", "", `"spec":{"schedule":"* * * * *"}`) + many(30, func(i int) string {
			return object("Job", fmt.Sprint("sync-", i), owned("CronJob", "sync")+`,"creationTimestamp":"`+ago(time.Duration(i)*time.Minute)+`"`, "")
		}),
		"CronJob shop/sync: 30 Jobs of its own in 29 min (1/min)",
	},
	{"as many as it keeps are none", object("CronJob", "sync", "", `"spec":{"successfulJobsHistoryLimit":30}`) +
		many(30, func(i int) string { return object("Job", fmt.Sprint("sync-", i), owned("CronJob", "sync"), "") }), ""},
	{
		"objects with made-up names and no owner are a fact about the newest",
		many(90, func(i int) string {
			return object("Secret", fmt.Sprintf("token-%dx7k2", 100+i), `"creationTimestamp":"`+ago(time.Duration(i)*20*time.Second)+`"`, "")
		}),
		"Secret shop/token-100x7k2: 90 Secrets named token-* without an owner in 29 min (3/min)",
	},
	{"names that say something are none", many(26, func(i int) string {
		return object("Secret", "token-"+string(rune('a'+i)), "", "")
	}), ""},
}

// alias is a Service that is another name of one.
func alias(name, of string) string {
	return object("Service", name, "", fmt.Sprintf(`"spec":{"type":"ExternalName","externalName":"%s.shop.svc.cluster.local"}`, of))
}

// serving is a Service with its target port, and a pod of it that declares some.
func serving(target string, declared ...string) string {
	var ports []string
	for i, name := range declared {
		ports = append(ports, fmt.Sprintf(`{"name":%q,"containerPort":%d}`, name, 8080+i))
	}
	spec := fmt.Sprintf(`"spec":{"selector":{"app":"web"},"ports":[{"port":80,"targetPort":%q}]}`, target)
	return object("Service", "web", "", spec) + object("Pod", "web", `"labels":{"app":"web"}`,
		`"spec":{"containers":[{"name":"web","ports":[`+strings.Join(ports, ",")+`]}]}`)
}

func TestObjectsShowFacts(t *testing.T) {
	for _, c := range objectClaims {
		t.Run(c.claim, func(t *testing.T) {
			if got := inCluster(t, c.objects); c.title == "" {
				wantNone(t, got)
			} else {
				wantFirst(t, got, c.title)
			}
		})
	}
}

// version is a version of an object in a watch.
func version(kind, name, uid string, n int, rest string) string {
	return fmt.Sprintf(`{"type":"MODIFIED","object":{"apiVersion":"example.com/v1","kind":%q,"metadata":{"namespace":"shop","name":%q,
		"uid":%q,"resourceVersion":"%d","creationTimestamp":%q},%s}}`, kind, name, uid, 100+n, ago(25*time.Second-time.Duration(n)*time.Second), rest)
}

func TestAnObjectThatIsRewrittenIsAFact(t *testing.T) {
	flips := func(n int) string {
		return many(n, func(i int) string { return version("Widget", "w", "1", i, fmt.Sprintf(`"spec":{"size":%d}`, i%2)) })
	}
	wantFirst(t, inCluster(t, flips(40)), "Widget shop/w: 40 writes in 39 s (1.0/s)")
	wantNone(t, inCluster(t, flips(6)))
}

func TestANameThatSeveralObjectsHadIsAFact(t *testing.T) {
	lives := func(n int) string {
		return many(n, func(i int) string { return version("Widget", "w", fmt.Sprint(i), i, `"spec":{}`) })
	}
	wantFirst(t, inCluster(t, lives(6)), "Widget shop/w: created 6 times")
	wantNone(t, inCluster(t, lives(2)))
}

func TestALeaseThatChangesHandsIsAFact(t *testing.T) {
	lease := func(transitions int) string {
		return object("Lease", "lock", "", fmt.Sprintf(`"spec":{"holderIdentity":"a","leaseTransitions":%d,"renewTime":%q}`, transitions, ago(0)))
	}
	wantFirst(t, inCluster(t, lease(30)), "Lease shop/lock: 30 holder changes in 60 min (30.0/h)")
	wantNone(t, inCluster(t, lease(2)))
}

func TestWhereNothingStandsOutWhatComesNearestIsNamedAsUsual(t *testing.T) {
	twice := many(2, func(i int) string { return version("Widget", "w", fmt.Sprint(i), i, `"spec":{}`) })
	if got := inCluster(t, twice); len(got) != 1 || !got[0].Usual || len(got[0].Against) == 0 {
		t.Errorf("made twice, and nothing else: %+v", got)
	}
	beside := twice + object("Widget", "v", "", cond("Ready", "False", "Failed", "no", time.Hour))
	if got := inCluster(t, beside); len(got) != 1 || got[0].Usual {
		t.Errorf("made twice beside a condition: %+v", got)
	}
	work := many(6, func(i int) string { return version("Widget", "w", "1", i, fmt.Sprintf(`"spec":{"size":%d}`, i%2)) })
	if got := inCluster(t, work); len(got) != 0 {
		t.Errorf("some writes are ordinary work: %+v", got)
	}
}

func TestAReferenceToWhatTheInputsLackIsNamedWhereNothingElseStandsOut(t *testing.T) {
	lacks := object("ScaledObject", "web", "", `"spec":{"scaleTargetRef":{"kind":"Deployment","name":"front"}}`) +
		object("Deployment", "web", "", "")
	const want = "ScaledObject shop/web: scaleTargetRef names Deployment shop/front, which is not in the inputs"
	if got := inCluster(t, lacks); len(got) != 1 || got[0].Title != want || !got[0].Usual {
		t.Errorf("%+v", got)
	}
	failing := object("Widget", "w", "", cond("Ready", "False", "Failed", "no", time.Hour))
	if got := inCluster(t, lacks+failing); len(got) == 0 || got[0].Title == want {
		t.Errorf("beside a condition: %+v", got)
	}
}
