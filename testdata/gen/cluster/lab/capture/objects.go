package capture

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

// labAgent is the user agent of the lab's own questions.
const labAgent = "kubectl/v1.34.4 (linux/amd64) kubernetes/2a2e1c3 gather"

// dull are kinds that no gatherer collects, or that say nothing of a scene.
var dull = []string{"apiservices", "bindings", "componentstatuses", "certificatesigningrequests", "clusterroles",
	"clusterrolebindings", "roles", "rolebindings", "csidrivers", "csinodes", "flowschemas", "prioritylevelconfigurations",
	"ipaddresses", "servicecidrs", "volumeattributesclasses", "deviceclasses", "resourceslices", "podtemplates",
	"priorityclasses", "runtimeclasses", "serviceaccounts", "endpoints", "volumeattachments", "nodes.metrics.k8s.io",
	"selfsubjectreviews", "tokenreviews"}

// A kind is a resource that can be listed.
type kind struct {
	schema.GroupVersionResource
	Kind       string
	namespaced bool
}

// kinds are the interesting kinds of a cluster, those of custom resources too.
func kinds(config *rest.Config) ([]kind, error) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	lists, err := client.ServerPreferredResources()
	if len(lists) == 0 {
		return nil, err
	}
	var all []kind
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return nil, err
		}
		for _, r := range list.APIResources {
			listed := slices.Contains(r.Verbs, "list") && slices.Contains(r.Verbs, "watch")
			if !listed || slices.Contains(dull, r.Name) || r.Name == "events" && version.Group != "" ||
				version.Group == "metrics.k8s.io" {
				continue
			}
			all = append(all, kind{version.WithResource(r.Name), r.Kind, r.Namespaced})
		}
	}
	slices.SortFunc(all, func(a, b kind) int { return strings.Compare(a.file(), b.file()) })
	return all, nil
}

// file is the path of the kind's list in a must-gather, below the folder of its scope.
func (k kind) file() string {
	group := k.Group
	if group == "" {
		group = "core"
	}
	return group + "/" + k.Resource + ".yaml"
}

// A snapshot is all interesting objects at one time.
type snapshot struct {
	at    time.Time
	lists []list
}

type list struct {
	kind
	items []unstructured.Unstructured
}

// take lists everything.
func take(ctx context.Context, config *rest.Config) (*snapshot, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	all, err := kinds(config)
	if err != nil {
		return nil, err
	}
	s := &snapshot{at: time.Now()}
	for _, k := range all {
		answer, err := client.Resource(k.GroupVersionResource).List(ctx, metav1.ListOptions{})
		if errors.IsNotFound(err) || errors.IsMethodNotSupported(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("listing %s: %w", k.Resource, err)
		}
		items := slices.DeleteFunc(answer.Items, boring)
		if len(items) > 0 {
			s.lists = append(s.lists, list{k, items})
		}
	}
	return s, nil
}

// boring reports whether an object is one that every namespace has.
func boring(o unstructured.Unstructured) bool {
	return o.GetKind() == "ConfigMap" && (o.GetName() == "kube-root-ca.crt" || o.GetNamespace() == "kube-system" ||
		o.GetNamespace() == "kube-public") || strings.HasPrefix(o.GetNamespace(), "kube-") && o.GetKind() == "Event"
}

// yaml is the snapshot as `kubectl get KINDS --all-namespaces -o yaml` prints it.
func (s *snapshot) yaml() ([]byte, error) {
	var items []any
	for _, l := range s.lists {
		for _, item := range l.items {
			item = *item.DeepCopy()
			item.SetManagedFields(nil)
			items = append(items, item.Object)
		}
	}
	return yaml.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items,
		"metadata": map[string]any{"resourceVersion": ""}})
}

// gather writes the snapshot as must-gather does: a list for each kind and namespace.
func (s *snapshot) gather(files Files) error {
	for _, l := range s.lists {
		byNamespace := map[string][]any{}
		for _, item := range l.items {
			byNamespace[item.GetNamespace()] = append(byNamespace[item.GetNamespace()], item.Object)
		}
		for namespace, items := range byNamespace {
			if namespace == "" {
				for _, item := range items {
					o := unstructured.Unstructured{Object: item.(map[string]any)}
					data, err := yaml.Marshal(item)
					if err != nil {
						return err
					}
					files["cluster-scoped-resources/"+strings.TrimSuffix(l.file(), ".yaml")+"/"+o.GetName()+".yaml"] = data
				}
				continue
			}
			data, err := yaml.Marshal(map[string]any{"apiVersion": l.GroupVersion().String(), "kind": l.Kind + "List",
				"items": items, "metadata": map[string]any{"resourceVersion": ""}})
			if err != nil {
				return err
			}
			files["namespaces/"+namespace+"/"+l.file()] = data
		}
	}
	return nil
}

// watched are the kinds of which a watch is kept.
var watched = []string{"pods", "deployments", "replicasets", "statefulsets", "daemonsets", "jobs", "cronjobs",
	"configmaps", "services", "namespaces", "nodes", "persistentvolumeclaims", "horizontalpodautoscalers",
	"poddisruptionbudgets", "resourcequotas", "leases", "events"}

// A watch is what `kubectl get --watch -o json --output-watch-events` prints, one event per line.
type watch struct {
	mu     sync.Mutex
	out    []byte
	cancel context.CancelFunc
	wg     sync.WaitGroup

	followed map[schema.GroupVersionResource]bool
}

// maxWatch bounds the bytes of a watch.
const maxWatch = 24 << 20

// startWatch watches some kinds, and those of custom resources.
func startWatch(ctx context.Context, config *rest.Config) (*watch, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	w := &watch{followed: map[schema.GroupVersionResource]bool{}}
	ctx, w.cancel = context.WithCancel(ctx)
	if err := w.followAll(ctx, config, client); err != nil {
		return nil, err
	}
	w.wg.Go(func() {
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-time.After(lookAgain):
				_ = w.followAll(ctx, config, client) // the next time, then
			}
		}
	})
	return w, nil
}

// lookAgain is how soon the watch includes a kind that a scene defines.
const lookAgain = time.Second

// followAll follows the kinds that are watched and are not followed yet.
func (w *watch) followAll(ctx context.Context, config *rest.Config, client dynamic.Interface) error {
	all, err := kinds(config)
	if err != nil {
		return err
	}
	for _, k := range all {
		own := strings.Contains(k.Group, ".") && !strings.HasSuffix(k.Group, ".k8s.io") // custom resources
		if (own || slices.Contains(watched, k.Resource)) && !w.followed[k.GroupVersionResource] {
			w.followed[k.GroupVersionResource] = true
			w.wg.Go(func() { w.follow(ctx, client.Resource(k.GroupVersionResource)) })
		}
	}
	return nil
}

// follow keeps the events of one kind until the context ends.
func (w *watch) follow(ctx context.Context, resource dynamic.NamespaceableResourceInterface) {
	stream, err := resource.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return
	}
	defer stream.Stop()
	for event := range stream.ResultChan() {
		o, ok := event.Object.(*unstructured.Unstructured)
		if !ok || boring(*o) || strings.HasPrefix(o.GetNamespace(), "kube-") && o.GetKind() != "Lease" {
			continue
		}
		o.SetManagedFields(nil)
		line, err := json.Marshal(map[string]any{"type": event.Type, "object": o.Object})
		if err != nil {
			continue
		}
		w.mu.Lock()
		if len(w.out) < maxWatch {
			w.out = append(append(w.out, line...), '\n')
		}
		w.mu.Unlock()
	}
}

// stop ends the watch and returns what it saw.
func (w *watch) stop() []byte {
	w.cancel()
	w.wg.Wait()
	return w.out
}
