package report_test

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// withBundles adds the reports on archives. Their clusters are invented.
func withBundles(all map[string]*schema.Report) map[string]*schema.Report {
	all["bundle-loop"] = loopBundle()
	all["bundle-race"] = raceBundle()
	all["bundle-storm"] = stormBundle()
	all["bundle-quiet"] = quietBundle()
	all["bundle-damaged"] = damagedBundle()
	all["log-quiet"] = quietLog()
	return all
}

func lacking(rules ...schema.NotApplicable) []schema.NotApplicable { return rules }

const shopBundle = "supportbundle_5f0c_2026-03-04T05-13-40Z.zip"

// loopBundle: an agent updates the status of one object forever; its log, the audit logs and its CPU profile say so.
func loopBundle() *schema.Report {
	root := shopBundle + "!/" + shopBundle[:len(shopBundle)-4]
	log := root + "/logs/shop-system/agent-7d9f5c6b8-x2x4v/agent.log"
	trail := root + "/nodes/node-1.zip!/node-1/logs/audit.log"
	profile := root + "/agent.pprof"
	r := &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{
			{Path: log, Kind: "pod-log", Bytes: 9_120_400, Lines: 48_211, Framing: "kubectl-timestamps", Namespace: "shop-system",
				Pod: "agent-7d9f5c6b8-x2x4v", Container: "agent", First: "2026-03-04T04:12:01Z", Last: "2026-03-04T05:13:30Z"},
			{Path: trail, Kind: "audit-log", Bytes: 13_000_000, Lines: 41_022, Node: "node-1"},
			{Path: profile, Kind: "profile", Bytes: 41_000},
			{Path: root + "/logs/kube-system/etcd-node-1/etcd.log", Kind: "pod-log", Lines: 9_000, Namespace: "kube-system", Pod: "etcd-node-1", Container: "etcd", First: "2026-03-04T04:12:01Z", Last: "2026-03-04T05:13:30Z"},
			{Path: root + "/logs/shop/cart-0/cart.log", Kind: "pod-log", Lines: 400, Namespace: "shop", Pod: "cart-0", Container: "cart", First: "2026-03-04T04:12:01Z", Last: "2026-03-04T05:13:30Z"},
		},
		Bundles: []schema.Bundle{{Path: shopBundle, Layout: "support-bundle-kit bundle", Files: 1_180, Bytes: 27_400_000, Skipped: 4,
			Kinds: []schema.Tally{{Name: "kubernetes-objects", Count: 640}, {Name: "pod-log", Count: 410}, {Name: "text-log", Count: 110}, {Name: "unknown", Count: 17}, {Name: "audit-log", Count: 1}, {Name: "profile", Count: 2}},
			Nodes: 3, Pods: 212, First: "2026-03-04T04:12:01Z", Last: "2026-03-04T05:13:30Z"}},
		Findings: []rules.Finding{{
			Rule: "TR760", Name: "self-triggered-updates", Category: rules.HotLoop, Severity: rules.High, Confidence: rules.ConfHigh,
			Title:  "agent updates BundleDeployment shop/web again for each of its own writes, 205 times in 3 minutes",
			Object: &rules.Object{API: "deploy.example.com/v1alpha1", Kind: "BundleDeployment", Namespace: "shop", Name: "web"},
			Actors: []string{"system:serviceaccount:shop-system:agent"},
			Evidence: []rules.Evidence{
				{Input: trail, Line: 812, Time: "2026-03-04T05:10:03.104227Z", Text: "update bundledeployments/status, resourceVersion 81022 → 81025", Count: 205},
				{Input: log, Line: 40_118, Time: "2026-03-04T05:10:03.9Z", Text: `level=info msg="getting history for release web"`, Count: 10_966},
				{Input: profile, Text: "equality.Semantic.DeepEqual below (*Handler).OnChange", Share: 0.31},
			},
			Why: "205 of 207 updates carry the resourceVersion that the same account's previous update returned, and all change one field, " +
				"status.conditions[Ready].lastUpdateTime: the agent answers its own write.",
			Fix:  "Compare the status without its times before writing it, or write times only where the condition's status changes.",
			Next: rules.Commands("kubectl -n shop get bundledeployments.deploy.example.com web -w -o json", "triage audit --object bundledeployments/web nodes/node-1.zip"),
			Refs: []string{"https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions"}, Fingerprint: "41d0aa11c5f2b7e0",
			Sources: []string{trail, log, profile}, FirstSeen: "2026-03-04T04:12:01Z", LastSeen: "2026-03-04T05:13:30Z", Count: 205,
			Notes: []string{"the audit log begins at 05:10; the agent's own log shows the same for an hour"},
		}},
		Profiles: []schema.Profile{{Input: profile, Kind: "cpu", Type: "cpu", Unit: "nanoseconds", Total: 9_100_000_000, Duration: 10_000_000_000, Samples: 910, Cores: 0.91, Explained: 0.72}},
		Patterns: []schema.Pattern{
			{Input: log, Line: 40_118, Namespace: "shop-system", Pod: "agent-7d9f5c6b8-x2x4v", Container: "agent", Template: "getting history for release <*>", Level: "info",
				Count: 10_966, First: "2026-03-04T04:12:01Z", Last: "2026-03-04T05:13:30Z", PerSecond: 2.97, Steady: true, Objects: []schema.PatternObject{{Name: "web", Count: 10_966}}, Text: "getting history for release web"},
			{Input: root + "/logs/kube-system/etcd-node-1/etcd.log", Line: 9, Pod: "etcd-node-1", Container: "etcd", Template: "apply request took too long", Level: "warning",
				Count: 4_100, First: "2026-03-04T04:12:01Z", Last: "2026-03-04T05:13:30Z", PerSecond: 1.11, Text: "apply request took too long"},
			{Input: root + "/logs/shop/cart-0/cart.log", Line: 77, Pod: "cart-0", Container: "cart", Template: "dial tcp <*>: connect: connection refused", Level: "error",
				Count: 31, First: "2026-03-04T04:12:01Z", Last: "2026-03-04T04:42:01Z", PerSecond: 0.017, Objects: []schema.PatternObject{{Name: "10.0.4.7:5432", Count: 30}, {Name: "10.0.4.8:5432", Count: 1}}, Text: "dial tcp 10.0.4.7:5432: connect: connection refused"},
			{Input: root + "/logs/shop/cart-0/cart.log", Line: 3, Pod: "cart-0", Container: "cart", Template: "starting", Count: 2, PerSecond: 0.0006, Text: "starting"},
		},
		Audit: &schema.Audit{Events: 41_022, Writes: 1_204, Servers: 1, First: "2026-03-04T05:10:00.000001Z", Last: "2026-03-04T05:13:12.5Z",
			Levels: []schema.Tally{{Name: "Metadata", Count: 40_022}, {Name: "RequestResponse", Count: 1_000}},
			Writers: []schema.Writer{
				{Actor: "system:serviceaccount:shop-system:agent", Resource: "bundledeployments/status", Namespace: "shop", Name: "web", Writes: 207, NoOps: 64,
					First: "2026-03-04T05:10:03Z", Last: "2026-03-04T05:13:10Z", Fields: []string{"status.conditions[Ready].lastUpdateTime"}},
				{Actor: "system:node:node-1", Resource: "nodes/status", Name: "node-1", Writes: 19, Conflicts: 1, First: "2026-03-04T05:10:03Z", Last: "2026-03-04T05:13:03Z"},
				{Actor: "system:serviceaccount:kube-system:generic-garbage-collector", Resource: "pods", Namespace: "shop", Writes: 4},
			},
			Talkers: []schema.Tally{{Name: "agent/v0.9", Count: 21_004}, {Name: "kubelet/v1.34.1", Count: 9_100}, {Name: "kube-controller-manager/v1.34.1", Count: 4_002}, {Name: "kubectl/v1.34.1", Count: 12}},
			Limits:  []string{"at level Metadata no bodies are logged: which fields a write changes isn't told for 1,000 of 1,204 writes", "the log of one API server of three is here: writes through the others are missing"},
		},
		Cluster: &schema.Cluster{Version: "v1.34.1", Time: "2026-03-04T05:13:40Z", Objects: 1_182, Nodes: 3,
			Kinds: []schema.Tally{{Name: "ConfigMap", Count: 310}, {Name: "Pod", Count: 212}, {Name: "Service", Count: 90}, {Name: "Event", Count: 80}, {Name: "ReplicaSet", Count: 70}, {Name: "CustomResourceDefinition", Count: 69}},
			Pods:  []schema.Tally{{Name: "Running", Count: 198}, {Name: "Succeeded", Count: 14}},
			Gaps:  []schema.Gap{{Input: root + "/bundleGenerationError.log", Line: 3, Text: "cannot get the log of container driver of pod shop/gpu-1: timed out waiting for the condition"}},
		},
		Rules: schema.RuleCounts{Checked: 96, Fired: 1, Clear: 55, NotApplicable: 40},
		NotApplicable: lacking(schema.NotApplicable{Rule: "TR101", Needs: "a goroutine dump"}, schema.NotApplicable{Rule: "TR102", Needs: "a goroutine dump"},
			schema.NotApplicable{Rule: "TR420", Needs: "a heap profile"}),
		Skipped: []schema.Skipped{
			{Path: root + "/nodes/node-1.zip!/node-1/logs/kernel.log.1",
				Reason: "unexpected end of data after 4,096 bytes; everything before that was read", Hint: "collect the bundle again"},
			{Path: root + "/etcd/snapshot.db", Reason: "an etcd database: no text, no profile"},
		},
	}
	return r
}

// raceBundle: three actors within a tenth of a second, and what hung afterwards.
func raceBundle() *schema.Report {
	servers := []string{"audit/master-0/audit.log", "audit/master-1/audit.log"}
	row := func(server int, line int64, at, what string) rules.Evidence {
		return rules.Evidence{Input: servers[server], Line: line, Time: "2026-03-04T10:07:" + at + "Z", Text: what, Count: 1}
	}
	return &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{
			{Path: servers[0], Kind: "audit-log", Bytes: 51_000_000, Lines: 21_400}, {Path: servers[1], Kind: "audit-log", Bytes: 48_000_000, Lines: 20_210},
			{Path: "pods.json", Kind: "kubernetes-objects", Bytes: 41_000, Lines: 1},
		},
		Findings: []rules.Finding{{
			Rule: "TR766", Name: "delete-create-race", Category: rules.RaceCat, Severity: rules.High, Confidence: rules.ConfMedium,
			Title:   "StatefulSet shop/db is taken over 34 ms after its owner was deleted, and its pod hangs",
			Object:  &rules.Object{API: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "db"},
			Objects: []rules.Object{{API: "v1", Kind: "Pod", Namespace: "shop", Name: "db-0"}, {API: "v1", Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "data-db-0"}},
			Actors:  []string{"system:serviceaccount:shop-operator:manager", "kubernetes-admin"},
			Evidence: []rules.Evidence{
				row(0, 1011, "05.632110", "kubernetes-admin: delete instances db"),
				row(0, 1019, "05.650402", "kubernetes-admin: delete persistentvolumeclaims data-db-0"),
				row(1, 871, "05.656000", "kubernetes-admin: create instances db, version 912"),
				row(1, 880, "05.666120", "manager: patch statefulsets db, version 913"),
				row(0, 1031, "05.677001", "statefulset-controller: delete pods db-0"),
				row(0, 1207, "08.686410", "node-2: delete pods db-0"),
				row(0, 1211, "08.700000", "pvc-protection-controller: update persistentvolumeclaims data-db-0"),
				row(1, 1102, "08.715000", "statefulset-controller: create pods db-0"),
			},
			Why: "The claim's finalizer goes when the old pod does, after the new StatefulSet has claimed it: the pod created at 10:07:08.715 refers to a claim that is gone.",
			Fix: "Delete the instance and wait until its objects are gone before creating one of the same name.",
			Next: []rules.Step{{Command: "kubectl -n shop describe pod db-0"},
				{Command: "kubectl -n shop delete pod db-0", Comment: "its controller makes the claim again", Changes: true}},
			Sources: servers, FirstSeen: "2026-03-04T10:07:05.63211Z", LastSeen: "2026-03-04T10:07:08.715Z", Count: 8,
		}},
		Audit: &schema.Audit{Events: 41_610, Writes: 2_113, Servers: 2, First: "2026-03-04T10:00:00Z", Last: "2026-03-04T10:31:00Z",
			Levels: []schema.Tally{{Name: "Metadata", Count: 41_610}}, Writers: []schema.Writer{}, Talkers: []schema.Tally{}, Limits: []string{"at level Metadata no bodies are logged: which fields a write changes isn't told"}},
		Cluster:       &schema.Cluster{Objects: 41, Nodes: 0, Kinds: []schema.Tally{{Name: "Pod", Count: 41}}, Pods: []schema.Tally{{Name: "Running", Count: 40}, {Name: "Pending", Count: 1}}, Gaps: []schema.Gap{}},
		Rules:         schema.RuleCounts{Checked: 96, Fired: 1, Clear: 30, NotApplicable: 65},
		NotApplicable: lacking(schema.NotApplicable{Rule: "TR101", Needs: "a goroutine dump"}, schema.NotApplicable{Rule: "TR700", Needs: "a log whose lines have timestamps"}),
	}
}

// stormBundle: a folder of files in which five findings were made, without an audit log.
func stormBundle() *schema.Report {
	pods := "collected/cluster-resources/pods/shop.json"
	r := &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Bundles: []schema.Bundle{{Path: "collected", Layout: "troubleshoot support bundle", Files: 71, Bytes: 4_100_000,
			Kinds: []schema.Tally{{Name: "kubernetes-objects", Count: 60}, {Name: "pod-log", Count: 11}}, Nodes: 1, Pods: 9,
			First: "2026-03-04T09:00:00Z", Last: "2026-03-04T09:04:10Z"}},
		Cluster: &schema.Cluster{Version: "v1.33.2", Objects: 812, Nodes: 1, Kinds: []schema.Tally{{Name: "Pod", Count: 451}, {Name: "Event", Count: 25}},
			Pods: []schema.Tally{{Name: "Failed", Count: 440}, {Name: "Running", Count: 11}}, Gaps: []schema.Gap{}},
		Rules:         schema.RuleCounts{Checked: 96, Fired: 5, Clear: 40, NotApplicable: 51},
		NotApplicable: lacking(schema.NotApplicable{Rule: "TR101", Needs: "a goroutine dump"}, schema.NotApplicable{Rule: "TR760", Needs: "an audit log of the API server"}),
	}
	for i := range 71 {
		in := schema.Input{Path: fmt.Sprintf("collected/cluster-resources/r%02d/shop.json", i), Kind: "kubernetes-objects", Bytes: 900}
		switch i {
		case 60:
			in.Path = pods
		default:
			if i > 60 {
				in = schema.Input{Path: fmt.Sprintf("collected/cluster-resources/pods/logs/shop/web-%d/web.log", i), Kind: "pod-log", Lines: 12, Pod: fmt.Sprintf("web-%d", i), Container: "web", Namespace: "shop",
					First: "2026-03-04T09:00:00Z", Last: "2026-03-04T09:04:10Z"}
			}
		}
		r.Inputs = append(r.Inputs, in)
	}
	web := func(kind, name string) *rules.Object {
		return &rules.Object{API: "apps/v1", Kind: kind, Namespace: "shop", Name: name}
	}
	r.Findings = []rules.Finding{
		{Rule: "TR730", Name: "pod-storm", Category: rules.PodStorm, Severity: rules.Critical, Confidence: rules.ConfHigh,
			Title: "Deployment shop/web makes pods that fail at once: 440 OutOfcpu in 45 s", Object: web("Deployment", "web"),
			Actors:   []string{"replicaset-controller"},
			Evidence: []rules.Evidence{{Input: pods, Line: 120, Time: "2026-03-04T09:01:02Z", Text: "Pod shop/web-7d9f5c6b8-2x2xv Failed, reason OutOfcpu", Count: 440}},
			Why:      "The template sets nodeName: the scheduler is bypassed, the kubelet of node-1 refuses each pod, and the ReplicaSet makes the next one.",
			Fix:      "Remove nodeName from the template of Deployment shop/web; use a nodeSelector or affinity.",
			Next: []rules.Step{{Command: "kubectl -n shop get deployment web -o jsonpath='{.spec.template.spec.nodeName}'"},
				{Command: "kubectl -n shop scale deployment web --replicas=0", Changes: true}},
			Sources: []string{pods}, FirstSeen: "2026-03-04T09:01:02Z", LastSeen: "2026-03-04T09:01:47Z", Count: 440},
	}
	for i, f := range []struct {
		severity rules.Severity
		title    string
		object   *rules.Object
		culprit  rules.Place
	}{
		{rules.High, "StatefulSet shop/db crashes again and again: exit code 2, 31 restarts", web("StatefulSet", "db"), rules.Place{}},
		{rules.Medium, "cart meets 1,204 conflicts in 4 minutes", web("Deployment", "cart"), rules.Place{File: "cart_controller.go", Line: 214}},
		{rules.Low, "an object whose name is as long as names may be is written twice a minute",
			&rules.Object{API: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "a-very-long-name-for-a-config-map-that-somebody-generated-from-a-template-7d9f5c6b8"}, rules.Place{}},
		{rules.Info, "kubelet on node-1 asks most: 60% of requests", &rules.Object{Kind: "Node", Name: "node-1"}, rules.Place{}},
	} {
		r.Findings = append(r.Findings, rules.Finding{Rule: fmt.Sprintf("TR74%d", i), Name: "n", Category: rules.HotLoop, Severity: f.severity, Confidence: rules.ConfMedium,
			Title: f.title, Object: f.object, Culprit: f.culprit, Evidence: []rules.Evidence{{Input: pods, Line: int64(9000 + i), Text: "seen there"}}, Why: "Its rule says why: " + string(f.severity) + ".", Fix: "Mend " + f.object.Name + "."})
	}
	return r
}

// quietBundle: a must-gather with two dumps of crashed processes in which nothing is accused.
func quietBundle() *schema.Report {
	root := "must-gather.tar.xz!/must-gather.local.1/quay-io-x-sha256-1/namespaces/"
	r := &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Bundles: []schema.Bundle{{Path: "must-gather.tar.xz", Layout: "OpenShift must-gather", Files: 3_605, Bytes: 80_100_000, Kinds: []schema.Tally{{Name: "kubernetes-objects", Count: 3_201}, {Name: "pod-log", Count: 404}},
			Nodes: 6, Pods: 233, First: "2021-08-02T09:23:52Z", Last: "2021-08-03T11:02:10Z"}},
		Cluster:       &schema.Cluster{Version: "v1.21.1", Time: "2021-08-03T11:03:00Z", Objects: 3_237, Nodes: 6, Kinds: []schema.Tally{{Name: "ConfigMap", Count: 901}}, Pods: []schema.Tally{{Name: "Running", Count: 233}}, Gaps: []schema.Gap{}},
		Rules:         schema.RuleCounts{Checked: 96, Clear: 70, NotApplicable: 26},
		NotApplicable: lacking(schema.NotApplicable{Rule: "TR151", Needs: "two dumps of one process"}, schema.NotApplicable{Rule: "TR401", Needs: "a CPU profile"}, schema.NotApplicable{Rule: "TR760", Needs: "an audit log of the API server"}),
	}
	for i, pod := range []string{"csi-operator-5c9d8f7b6-2wq7z", "csi-operator-5c9d8f7b6-8fk2p", "etcd-0", "etcd-1", "etcd-2", "dns-default-1", "router-1", "router-2"} {
		container := pod[:3]
		path := fmt.Sprintf("%sopenshift-%s/pods/%s/%s/%s/logs/previous.log", root, container, pod, container, container)
		r.Inputs = append(r.Inputs, schema.Input{Path: path, Kind: "pod-log", Lines: int64(100 + i), Namespace: "openshift-" + container, Pod: pod, Container: container,
			First: "2021-08-03T09:23:52Z", Last: "2021-08-03T11:02:10Z"})
		if i < 2 {
			r.Dumps = append(r.Dumps, schema.Dump{Input: path, Line: 40, Format: "signal", Reason: "fatal error: stopped leading", Go: "1.16", Goroutines: 274 + i, Seen: 1, Buckets: []schema.Bucket{
				{State: "select", Wait: "select", Count: 274 + i, Role: "reflector-watch", Frames: []schema.Frame{fn("main.run", "/src/main.go", 9, "own")}}}})
		}
	}
	for i := range 8 {
		r.Patterns = append(r.Patterns, schema.Pattern{Input: r.Inputs[2+i%6].Path, Line: int64(10 * (i + 1)), Template: fmt.Sprintf("Dropping status report %d from earlier in sync loop", i), Count: int64(2_000 - i), Level: "info",
			First: "2021-08-03T09:23:52Z", Last: "2021-08-03T09:33:52Z", PerSecond: 3.3, Text: "Dropping"})
	}
	return r
}

// damagedBundle: much of a stranger's archive isn't read.
func damagedBundle() *schema.Report {
	r := &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs:  []schema.Input{{Path: "odd.zip!/logs/a.log", Kind: "text-log", Lines: 3}},
		Bundles: []schema.Bundle{{Path: "odd.zip", Files: 1, Bytes: 90, Kinds: []schema.Tally{{Name: "text-log", Count: 1}}, Skipped: 59}},
		Rules:   schema.RuleCounts{Checked: 96, NotApplicable: 96},
		NotApplicable: lacking(schema.NotApplicable{Rule: "TR101", Needs: "a goroutine dump"}, schema.NotApplicable{Rule: "TR700", Needs: "a log whose lines have timestamps"},
			schema.NotApplicable{Rule: "TR730", Needs: "Kubernetes objects (YAML or JSON of a bundle, kubectl get -o json)"}, schema.NotApplicable{Rule: "TR760", Needs: "an audit log of the API server"}),
	}
	for i := range 40 {
		r.Skipped = append(r.Skipped, schema.Skipped{Path: fmt.Sprintf("odd.zip!/links/%d.log", i), Reason: fmt.Sprintf("a link to logs/%d.log, read there", i)})
	}
	for i := range 12 {
		r.Skipped = append(r.Skipped, schema.Skipped{Path: fmt.Sprintf("odd.zip!/img/%d.png", i), Reason: "an image"})
	}
	return addSkips(r,
		schema.Skipped{Path: "odd.zip!/nodes/node-1.zip", Reason: "it unpacks to more than 250 times its size: stopped after 1 GiB", Hint: "unpack it yourself where you trust it: --max-unpacked"},
		schema.Skipped{Path: "odd.zip!/nodes/node-2.zip", Reason: "archives are nested more than 8 deep"},
		schema.Skipped{Path: "odd.zip!/etc/passwd", Reason: `its name leads out of the archive: "../../etc/passwd" is shown as etc/passwd`, Hint: "don't unpack it"},
		schema.Skipped{Path: "odd.zip!/etc/shadow", Reason: `its name leads out of the archive: "/etc/shadow" is shown as etc/shadow`, Hint: "don't unpack it"},
		schema.Skipped{Path: "odd.zip!/dev/sda", Reason: "a device"},
		schema.Skipped{Path: "odd.zip!/x.gz", Reason: "no gzip data"},
		schema.Skipped{Path: "gone.log", Reason: "no such file", Hint: "check the path", Named: true},
	)
}

func addSkips(r *schema.Report, s ...schema.Skipped) *schema.Report {
	r.Skipped = append(r.Skipped, s...)
	return r
}

// quietLog: one log without a dump, which rules looked at and accuse of nothing.
func quietLog() *schema.Report {
	return &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{{Path: "manager.log", Kind: "pod-log", Bytes: 120_000, Lines: 1_402, Framing: "cri", First: "2026-03-01T11:00:00.5+01:00", Last: "2026-03-01T11:04:31+01:00"}},
		Patterns: []schema.Pattern{
			{Input: "manager.log", Line: 12, Template: "sync of <*> done", Count: 800, PerSecond: 2.96, First: "2026-03-01T10:00:00Z", Last: "2026-03-01T10:04:30Z", Steady: true, Text: "sync of a done"},
			{Input: "manager.log", Line: 900, Template: "cannot reach <*>", Level: "error", Count: 10, PerSecond: 0.04, First: "2026-03-01T10:00:00Z", Last: "2026-03-01T10:04:10Z", Text: "cannot reach db"},
			{Input: "manager.log", Line: 4, Template: "cannot reach <*> once", Level: "error", Count: 9, Text: "cannot reach db once"},
		},
		Rules:         schema.RuleCounts{Checked: 96, Clear: 9, NotApplicable: 87},
		NotApplicable: lacking(schema.NotApplicable{Rule: "TR101", Needs: "a goroutine dump"}, schema.NotApplicable{Rule: "TR760", Needs: "an audit log of the API server"}),
		Advice:        []schema.Advice{{Why: "no input contains a goroutine dump.", Commands: rules.Commands("triage fetch :6060")}},
	}
}
