package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	"k8s.io/api/core/v1"
	rbac "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/utils/ptr"

	"cluster/lab/plane"
)

// program is the image of programs/shop.
const program = "registry.example.com/lab/shop:v1.0.0"

// crowd is how many healthy pods are in the cluster beside those of the tests.
const crowd = 200

// startCluster starts a cluster that ends with the test, and skips without what it needs.
func startCluster(t *testing.T) (l *lab, kubectl string) {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	l = &lab{cache: filepath.Join(cache, "triage-cluster"), dir: filepath.Join(t.TempDir(), "cluster"), base: 17600}
	binaries, err := plane.Built(l.cache)
	if err != nil {
		t.Skipf("no control plane: `go run . -build` builds one: %v", err)
	}
	t.Cleanup(l.close)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	if err := l.open(ctx, binaries); err != nil {
		t.Fatal(err)
	}
	return l, binaries["kubectl"]
}

// container is a container of programs/shop that does something, with a port that may have a name.
func container(action, port string) v1.Container {
	c := v1.Container{Name: "app", Image: program, Args: []string{action}}
	if port != "" {
		c.Ports = []v1.ContainerPort{{Name: port, ContainerPort: 6060}}
	}
	return c
}

// fill makes the objects of the tests.
func fill(t *testing.T, l *lab) {
	t.Helper()
	ctx := t.Context()
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"shop", "crowd"} {
		l.makeNamespace(t, name)
	}
	deploy := func(namespace, name string, replicas int32, c v1.Container) {
		labels := map[string]string{"app": name}
		must(l.client.AppsV1().Deployments(namespace).Create(ctx, &apps.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: apps.DeploymentSpec{Replicas: ptr.To(replicas), Selector: &metav1.LabelSelector{MatchLabels: labels},
				Template: v1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels},
					Spec: v1.PodSpec{Containers: []v1.Container{c}}}}}, metav1.CreateOptions{}))
	}
	deploy("shop", "mailer", 1, container("crash", "pprof"))
	deploy("shop", "web", 2, container("spin", "pprof"))
	deploy("shop", "plain", 1, container("serve", "http"))
	deploy("crowd", "well", crowd, v1.Container{Name: "app", Image: "registry.example.com/well:1"})
	pod := func(name string, annotations map[string]string, c v1.Container) {
		must(l.client.CoreV1().Pods("shop").Create(ctx, &v1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: annotations},
			Spec:       v1.PodSpec{Containers: []v1.Container{c}}}, metav1.CreateOptions{}))
	}
	pod("healed", nil, container("crash-once", ""))
	pod("annotated", map[string]string{"pyroscope.io/port": "6060"}, container("serve", ""))
	pod("unpulled", nil, v1.Container{Name: "app", Image: "registry.example.com/missing:1"})
	l.grant(t, "oncall", []string{"pods", "pods/log", "events", "namespaces", "replicasets", "deployments"}, true)
	l.grant(t, "narrow", []string{"pods", "pods/log"}, false)
}

// makeNamespace makes a namespace in which pods can be made.
func (l *lab) makeNamespace(t *testing.T, name string) {
	t.Helper()
	ctx := t.Context()
	namespace := &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, err := l.client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{})
	if err == nil {
		err = l.await(ctx, time.Minute, "the account of "+name, func() bool {
			_, err := l.client.CoreV1().ServiceAccounts(name).Get(ctx, "default", metav1.GetOptions{})
			return err == nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// grant lets a user read resources, and forward ports.
func (l *lab) grant(t *testing.T, user string, resources []string, forward bool) {
	t.Helper()
	rules := []rbac.PolicyRule{{APIGroups: []string{"", "apps"}, Resources: resources, Verbs: []string{"get", "list"}}}
	if forward {
		rules = append(rules, rbac.PolicyRule{APIGroups: []string{""}, Resources: []string{"pods/portforward"}, Verbs: []string{"create"}})
	}
	role := &rbac.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: user}, Rules: rules}
	binding := &rbac.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: user},
		RoleRef:  rbac.RoleRef{APIGroup: rbac.GroupName, Kind: "ClusterRole", Name: user},
		Subjects: []rbac.Subject{{Kind: "User", APIGroup: rbac.GroupName, Name: user}}}
	if _, err := l.client.RbacV1().ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.client.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// list returns the pods of a namespace.
func (l *lab) list(t *testing.T, namespace string) []v1.Pod {
	t.Helper()
	pods, err := l.client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return pods.Items
}

// unsettled returns what is not yet as the tests want it: pods that run, one that has crashed some times.
func (l *lab) unsettled(t *testing.T) (missing []string) {
	restarts := map[string]int32{"mailer": 3, "healed": 1}
	ready := 0
	for _, p := range slices.Concat(l.list(t, "shop"), l.list(t, "crowd")) {
		if len(p.Status.ContainerStatuses) == 0 {
			continue
		}
		name, s := p.Labels["app"], p.Status.ContainerStatuses[0]
		if name == "" {
			name = p.Name
		}
		waits := s.State.Waiting != nil && s.State.Waiting.Reason == "ImagePullBackOff"
		if name == "unpulled" && waits || name == "mailer" && s.RestartCount >= restarts[name] ||
			s.Ready && s.RestartCount == restarts[name] {
			ready++
			continue
		}
		missing = append(missing, p.Name)
	}
	if want := crowd + 7; ready < want {
		missing = append(missing, fmt.Sprintf("%d of %d pods", ready, want))
	}
	return missing
}

// kubeconfig writes the file of a user: the contexts are one for each API server, "one", "two" and "three", and
// "nowhere". The namespace is that of all contexts.
func (l *lab) kubeconfig(t *testing.T, user, context, namespace string) string {
	t.Helper()
	config := api.NewConfig()
	for i, name := range []string{"one", "two", "three"} {
		data, err := l.plane.Kubeconfig(i, user)
		if err != nil {
			t.Fatal(err)
		}
		of, err := clientcmd.Load(data)
		if err != nil {
			t.Fatal(err)
		}
		config.Clusters[name], config.AuthInfos[name] = of.Clusters["lab"], of.AuthInfos["lab"]
		config.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name, Namespace: namespace}
	}
	config.Clusters["nowhere"] = &api.Cluster{Server: "https://127.0.0.1:1"}
	config.Contexts["nowhere"] = &api.Context{Cluster: "nowhere", AuthInfo: "one"}
	config.CurrentContext = context
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// A request is one of a user, as an API server's audit log has it.
type request struct {
	server int // 1 to 3
	Verb   string
	URI    string `json:"requestURI"`
	User   struct{ Username string }
	Object struct{ Resource, Subresource, Namespace, Name string } `json:"objectRef"`
	Status struct{ Code int }                                      `json:"responseStatus"`
}

func (r request) String() string {
	resource := r.Object.Resource
	if r.Object.Subresource != "" {
		resource += "/" + r.Object.Subresource
	}
	return fmt.Sprintf("%s %s %s/%s (%s)", r.Verb, resource, r.Object.Namespace, r.Object.Name, r.URI)
}

// requests are those of a user since the position that marks returned.
func (l *lab) requests(t *testing.T, user string, since []int64) (all []request) {
	t.Helper()
	for i, path := range l.auditLogs() {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(data[since[i]:]))
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			if !bytes.Contains(lines.Bytes(), []byte(`"username":"`+user+`"`)) {
				continue
			}
			r := request{server: i + 1}
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Fatalf("%v: %s", err, lines.Bytes())
			}
			if r.User.Username == user {
				all = append(all, r)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// marks are the sizes of the audit logs.
func (l *lab) marks(t *testing.T) (sizes []int64) {
	t.Helper()
	for _, path := range l.auditLogs() {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, info.Size())
	}
	return sizes
}
