package accuracy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
)

// A world plays an API server: what is done in it is written as audit logs, as a stream of watch events and as lists of
// all objects. Nobody shows managed fields, as kubectl does by default.
type world struct {
	t       *testing.T
	now     time.Time
	seed    uint64
	rng     *rand.Rand
	version int
	ids     int
	objects map[string]obj
	order   []string
	begun   bool
	logs    [3][]event
	stream  []string
	lists   []string
	beat    time.Time // of the last renewals
	nodes   []string
	silent  map[string]bool     // nodes that renew nothing
	said    map[string][]string // lines of containers' logs, by file
}

type obj = map[string]any

// An event is one of an audit log; its bodies are apart, because level Metadata leaves them out.
type event struct {
	meta              obj
	request, response json.RawMessage
}

// A who is a client: its user, its agent, the API server that it talks to, and the address of one replica of several,
// or the pod that its token is bound to.
type who struct {
	user, agent string
	server      int
	address     string
	pod         string
}

func account(namespace, name string, server int) who {
	return who{user: "system:serviceaccount:" + namespace + ":" + name,
		agent: name + "/v0.9.1 (linux/amd64) kubernetes/$Format", server: server}
}

func user(name string, server int) who {
	return who{user: name, agent: "kubectl/v1.34.1 (linux/amd64) kubernetes/93248f9", server: server}
}

// manager is one of kube-controller-manager's controllers.
func manager(name string) who {
	return who{user: "system:serviceaccount:kube-system:" + name,
		agent: "kube-controller-manager/v1.34.1 (linux/amd64) kubernetes/93248f9/system:serviceaccount:kube-system:" + name}
}

func kubelet(node string) who {
	return who{user: "system:node:" + node, agent: "kubelet/v1.34.1 (linux/amd64) kubernetes/93248f9",
		server: int(node[len(node)-1]) % 3}
}

var scheduler = who{user: "system:kube-scheduler",
	agent: "kube-scheduler/v1.34.1 (linux/amd64) kubernetes/93248f9/scheduler", server: 1}

func newWorld(t *testing.T, name string) *world {
	h := fnv.New64a()
	h.Write([]byte(name))
	w := &world{t: t, seed: h.Sum64(), now: time.Date(2026, 9, 14, 8, 30, 0, 0, time.UTC), rng: rand.New(rand.NewPCG(h.Sum64(), 1)),
		version: 41_000, objects: map[string]obj{}, silent: map[string]bool{}}
	for i := range 4 {
		w.node(fmt.Sprintf("node-%d", i+1))
	}
	return w
}

// begin is when the observation begins: what was done before is in no log.
func (w *world) begin() {
	w.beats(true)
	w.begun = true
	for _, k := range w.order {
		w.show("ADDED", w.objects[k])
	}
	w.snap()
}

func (w *world) snap() {
	var items []json.RawMessage
	for _, k := range w.order {
		items = append(items, w.json(w.objects[k]))
	}
	w.lists = append(w.lists, string(w.json(obj{"apiVersion": "v1", "kind": "List", "items": items, "metadata": obj{"resourceVersion": ""}})))
}

func (w *world) json(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		w.t.Fatal(err)
	}
	return data
}

func (w *world) show(typ string, o obj) {
	if w.begun {
		w.stream = append(w.stream, string(w.json(obj{"type": typ, "object": o})))
	}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
func micro(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

func meta(o obj) obj              { return o["metadata"].(obj) }
func text(o obj, k string) string { s, _ := o[k].(string); return s }

func key(o obj) string {
	m := meta(o)
	return text(o, "apiVersion") + "/" + text(o, "kind") + "/" + text(m, "namespace") + "/" + text(m, "name")
}

// thing is an object that is not there yet.
func thing(api, kind, namespace, name string, parts ...obj) obj {
	m := obj{"name": name}
	if namespace != "" {
		m["namespace"] = namespace
	}
	o := obj{"apiVersion": api, "kind": kind, "metadata": m}
	for _, p := range parts {
		for k, v := range p {
			if k == "labels" || k == "annotations" || k == "finalizers" || k == "generateName" || k == "ownerReferences" {
				m[k] = v
			} else {
				o[k] = v
			}
		}
	}
	return o
}

// owned makes an object the dependant of another.
func owned(by obj) obj {
	return obj{"ownerReferences": []any{obj{"apiVersion": by["apiVersion"], "kind": by["kind"], "name": meta(by)["name"],
		"uid": meta(by)["uid"], "controller": true, "blockOwnerDeletion": true}}}
}

func resourceOf(kind string) string {
	s := strings.ToLower(kind)
	switch {
	case strings.HasSuffix(s, "endpoints"):
		return s
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"):
		return s + "es"
	case strings.HasSuffix(s, "y") && !strings.HasSuffix(s, "ay"):
		return s[:len(s)-1] + "ies"
	}
	return s + "s"
}

// log writes an audit event.
func (w *world) log(by who, verb, sub string, o obj, code int, request, response any) {
	if !w.begun {
		return
	}
	m := meta(o)
	group, ver, ok := strings.Cut(text(o, "apiVersion"), "/")
	if !ok {
		group, ver = "", group
	}
	ref := obj{"resource": resourceOf(text(o, "kind")), "apiVersion": ver}
	for k, v := range map[string]string{"namespace": text(m, "namespace"), "name": text(m, "name"), "apiGroup": group,
		"subresource": sub} {
		if v != "" {
			ref[k] = v
		}
	}
	if verb == "create" && sub == "" && m["generateName"] != nil {
		delete(ref, "name")
	}
	w.ids++
	status := obj{"metadata": obj{}, "code": code}
	if s, ok := response.(obj); ok && code >= 400 {
		status = s
	}
	e := event{meta: obj{"kind": "Event", "apiVersion": "audit.k8s.io/v1", "stage": "ResponseComplete", "verb": verb,
		"auditID": fmt.Sprintf("%08x-1111-4000-8000-000000000000", w.ids), "requestURI": "/" + text(o, "apiVersion"),
		"user": w.identity(by), "sourceIPs": []string{cmp.Or(by.address, "10.0.0."+fmt.Sprint(1+len(by.user)%200))},
		"userAgent": by.agent, "objectRef": ref, "responseStatus": status,
		"requestReceivedTimestamp": micro(w.now), "stageTimestamp": micro(w.now.Add(4 * time.Millisecond))}}
	if request != nil {
		e.request = w.json(request)
	}
	if response != nil {
		e.response = w.json(response)
	}
	w.logs[by.server] = append(w.logs[by.server], e)
}

// identity is a user; service accounts have a UID, which is their cluster's.
func (w *world) identity(by who) obj {
	id := obj{"username": by.user}
	if strings.HasPrefix(by.user, "system:serviceaccount:") {
		h := fnv.New32a()
		h.Write([]byte(by.user))
		id["uid"] = fmt.Sprintf("%08x-3333-4000-8000-%012x", h.Sum32(), w.seed&0xffffffffffff)
	}
	if by.pod != "" {
		id["extra"] = obj{"authentication.kubernetes.io/pod-name": []string{by.pod}}
	}
	return id
}

func (w *world) newID() string {
	w.ids++
	return fmt.Sprintf("%08x-2222-4000-8000-%012x", w.rng.Uint32(), w.ids)
}

// made creates an object, with the name that the server chooses where it has a stem alone.
func (w *world) made(by who, o obj) obj {
	m := meta(o)
	asked := w.json(o)
	if stem, ok := m["generateName"].(string); ok && text(m, "name") == "" {
		m["name"] = stem + w.suffix(5)
	}
	w.version++
	m["uid"], m["creationTimestamp"], m["resourceVersion"] = w.newID(), stamp(w.now), fmt.Sprint(w.version)
	if o["spec"] != nil {
		m["generation"] = 1
	}
	if w.objects[key(o)] != nil {
		w.t.Fatalf("%s already exists", key(o))
	}
	w.objects[key(o)] = o
	w.order = append(w.order, key(o))
	w.log(by, "create", "", o, 201, json.RawMessage(asked), o)
	w.show("ADDED", o)
	return o
}

func (w *world) suffix(n int) string {
	const from = "bcdfghjklmnpqrstvwxz2456789"
	s := ""
	for range n {
		s += string(from[w.rng.IntN(len(from))])
	}
	return s
}

// updated writes an object anew; sub is "" or "status". What changes nothing keeps its version.
func (w *world) updated(by who, o obj, sub string, change func(o obj)) {
	w.written(by, "update", o, sub, change)
}

// patched does so by a patch, which carries no version.
func (w *world) patched(by who, o obj, sub string, change func(o obj)) {
	w.written(by, "patch", o, sub, change)
}

func (w *world) written(by who, verb string, o obj, sub string, change func(o obj)) {
	before, spec := string(w.json(o)), string(w.json(o["spec"]))
	change(o)
	asked := w.json(o)
	if verb == "patch" {
		asked = w.json(obj{"metadata": obj{"labels": meta(o)["labels"], "annotations": meta(o)["annotations"],
			"ownerReferences": meta(o)["ownerReferences"]}, "spec": o["spec"], "data": o["data"], "status": o["status"]})
	}
	if string(w.json(o)) != before {
		w.version++
		meta(o)["resourceVersion"] = fmt.Sprint(w.version)
		if g, ok := meta(o)["generation"].(int); ok && spec != string(w.json(o["spec"])) {
			meta(o)["generation"] = g + 1
		}
	}
	w.log(by, verb, sub, o, 200, asked, o)
	if string(w.json(o)) != before {
		w.show("MODIFIED", o)
	}
}

// deleted deletes an object; one that has finalizers or is a pod stays until gone.
func (w *world) deleted(by who, o obj) {
	fin, _ := meta(o)["finalizers"].([]any)
	if len(fin) == 0 && text(o, "kind") != "Pod" {
		w.log(by, "delete", "", o, 200, nil, o)
		w.drop(o)
		return
	}
	w.version++
	meta(o)["deletionTimestamp"], meta(o)["resourceVersion"] = stamp(w.now), fmt.Sprint(w.version)
	meta(o)["deletionGracePeriodSeconds"] = 0
	w.log(by, "delete", "", o, 200, nil, o)
	w.show("MODIFIED", o)
}

// gone takes an object away without a trace in the audit log.
func (w *world) drop(o obj) {
	w.version++
	meta(o)["resourceVersion"] = fmt.Sprint(w.version)
	w.show("DELETED", o)
	delete(w.objects, key(o))
	w.order = slices.DeleteFunc(w.order, func(k string) bool { return k == key(o) })
}

// refused logs a request that fails.
func (w *world) refused(by who, verb, sub string, o obj, code int, reason, message string) {
	w.log(by, verb, sub, o, code, o, obj{"kind": "Status", "apiVersion": "v1", "metadata": obj{}, "status": "Failure",
		"reason": reason, "message": message, "code": code})
}

// read logs a request that changes nothing.
func (w *world) read(by who, verb, api, kind, namespace, query string, code int) {
	if !w.begun {
		return
	}
	w.log(by, verb, "", thing(api, kind, namespace, ""), code, nil, nil)
	log := w.logs[by.server]
	log[len(log)-1].meta["requestURI"] = "/api/v1/" + resourceOf(kind) + query
}

// event is what a controller reports of an object.
func (w *world) event(about obj, typ, reason, message string, count int, first time.Time) {
	m := meta(about)
	space := text(m, "namespace")
	if space == "" {
		space = "default"
	}
	w.made(manager("event"), thing("v1", "Event", space, text(m, "name")+"."+w.suffix(12), obj{
		"involvedObject": obj{"apiVersion": about["apiVersion"], "kind": about["kind"], "name": m["name"],
			"namespace": text(m, "namespace"), "uid": m["uid"]},
		"type": typ, "reason": reason, "message": message, "count": count, "firstTimestamp": stamp(first),
		"lastTimestamp": stamp(w.now)}))
}

// wait lets time go by, in which the control plane and the kubelets renew their leases.
func (w *world) wait(d time.Duration) {
	if !w.begun {
		w.now = w.now.Add(d)
		return
	}
	for end := w.now.Add(d); w.now.Before(end); {
		next := w.now.Truncate(2 * time.Second).Add(2 * time.Second)
		if next.After(end) {
			w.now = end
			return
		}
		w.now = next
		if w.beat.Equal(w.now) {
			continue
		}
		w.beat = w.now
		w.beats(w.now.Second()%10 == 0)
	}
}

// beats renews the leases of the control plane, and those of the nodes.
func (w *world) beats(nodes bool) {
	w.renews(scheduler, "kube-system", "kube-scheduler", "kube-scheduler-0_1", 15, 0)
	w.renews(manager("kube-controller-manager"), "kube-system", "kube-controller-manager", "kcm-0_1", 15, 0)
	for _, name := range []string{"node-controller", "generic-garbage-collector", "endpointslice-controller"} {
		if nodes {
			w.read(manager(name), "get", "v1", "ConfigMap", "kube-system", "/extension", 200)
		}
	}
	for _, n := range w.nodes {
		if nodes && !w.silent[n] {
			w.renews(kubelet(n), "kube-node-lease", n, n, 40, 0)
		}
	}
}

// renews is an election's holder that renews its lease, or takes it.
func (w *world) renews(by who, namespace, name, holder string, lasts, transitions int) {
	o := w.objects["coordination.k8s.io/v1/Lease/"+namespace+"/"+name]
	if o == nil {
		w.made(by, thing("coordination.k8s.io/v1", "Lease", namespace, name, obj{"spec": obj{"holderIdentity": holder,
			"leaseDurationSeconds": lasts, "acquireTime": micro(w.now), "renewTime": micro(w.now),
			"leaseTransitions": transitions}}))
		return
	}
	w.updated(by, o, "", func(o obj) {
		spec := o["spec"].(obj)
		if spec["holderIdentity"] != holder {
			spec["acquireTime"], spec["holderIdentity"] = micro(w.now), holder
			spec["leaseTransitions"] = spec["leaseTransitions"].(int) + 1
		}
		spec["renewTime"] = micro(w.now)
	})
}

// files writes one form and returns its files.
func (w *world) files(form string) []string {
	dir := w.t.TempDir()
	var files []string
	write := func(name, content string) {
		to := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(to), 0o755)
		if err == nil {
			err = os.WriteFile(to, []byte(content), 0o644)
		}
		if err == nil {
			err = os.Chtimes(to, w.now, w.now)
		}
		if err != nil {
			w.t.Fatal(err)
		}
		files = append(files, to)
	}
	switch form {
	case "watch":
		write("watch.jsonl", strings.Join(w.stream, "\n")+"\n")
	case "snapshot":
		list, err := yaml.JSONToYAML([]byte(w.lists[len(w.lists)-1]))
		if err != nil {
			w.t.Fatal(err)
		}
		write("objects.yaml", string(list))
	case "snapshots":
		for i, list := range w.lists {
			write(fmt.Sprintf("snapshot-%d.json", i+1), list+"\n")
		}
	case "describe":
		write("describe.txt", w.described())
	case "table":
		pods, events := w.tables()
		write("pods.txt", pods)
		write("events.txt", events)
	case "logs":
		w.writeLogs(write)
		return []string{dir}
	case "bundle":
		write("cluster/objects.json", w.lists[len(w.lists)-1]+"\n")
		for i, log := range w.logs {
			write(fmt.Sprintf("audit_logs/kube-apiserver/master-%d-audit.log", i+1), w.auditLog(log, bodiesLevel))
		}
		w.writeLogs(write)
		return []string{dir}
	default:
		level := map[string]string{"metadata": metadataLevel, "request": requestLevel}[form]
		for i, log := range w.logs {
			if form != "one" || i == 0 {
				write(fmt.Sprintf("audit-%d.log", i+1), w.auditLog(log, cmp.Or(level, bodiesLevel)))
			}
		}
	}
	return files
}

func (w *world) writeLogs(write func(name, content string)) {
	for _, name := range slices.Sorted(maps.Keys(w.said)) {
		write(name, strings.Join(w.said[name], "\n")+"\n")
	}
}

// requestLevel is the level of an audit log that shows what was asked and not what was answered.
const requestLevel = "Request"

func (w *world) auditLog(log []event, level string) string {
	var b strings.Builder
	for _, e := range log {
		e.meta["level"] = level
		delete(e.meta, "requestObject")
		delete(e.meta, "responseObject")
		if e.request == nil && e.response == nil {
			e.meta["level"] = metadataLevel
		}
		if e.request != nil && level != metadataLevel {
			e.meta["requestObject"] = e.request
		}
		if e.response != nil && level == bodiesLevel {
			e.meta["responseObject"] = e.response
		}
		b.Write(w.json(e.meta))
		b.WriteByte('\n')
	}
	return b.String()
}
