// Package apiserver answers lists and watches of any resource, and reads and writes of any object, well enough for
// controllers. Each read and write takes some milliseconds.
package apiserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

// objects is how many objects each resource has.
const objects = 60

// Start serves HTTP/2 over TLS with a self-signed certificate on 127.0.0.1. Where busy, watches always have news.
func Start(busy bool) *httptest.Server {
	s := httptest.NewUnstartedServer(handler{busy})
	s.EnableHTTP2 = true
	s.StartTLS()
	return s
}

type handler struct{ busy bool }

// kinds are the resources that are asked for.
var kinds = map[string]string{"configmaps": "ConfigMap", "secrets": "Secret", "deployments": "Deployment"}

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	group := "v1"
	if path = path[1:]; path[0] != "v1" {
		group = path[0] + "/" + path[1]
		path = path[1:]
	}
	path = path[1:] // from here on: namespaces/NAMESPACE/RESOURCE/NAME or RESOURCE
	w.Header().Set("Content-Type", "application/json")
	switch {
	case len(path) == 4:
		time.Sleep(12 * time.Millisecond)
		json.NewEncoder(w).Encode(object(group, path[2], path[3], int(time.Now().UnixMilli())))
	case len(path) != 1 || kinds[path[0]] == "":
		http.NotFound(w, r)
	case r.URL.Query().Get("watch") == "":
		list(w, group, path[0])
	default:
		h.watch(w, r, group, path[0])
	}
}

func list(w http.ResponseWriter, group, resource string) {
	items := make([]any, 0, objects)
	for n := range objects {
		items = append(items, object(group, resource, fmt.Sprint("harbor-", n), 100))
	}
	json.NewEncoder(w).Encode(map[string]any{
		"apiVersion": group, "kind": kinds[resource] + "List", "metadata": map[string]any{"resourceVersion": "100"}, "items": items,
	})
}

func object(group, resource, name string, version int) map[string]any {
	return map[string]any{
		"apiVersion": group, "kind": kinds[resource],
		"metadata": map[string]any{
			"name": name, "namespace": "harbor-system", "uid": "00000000-0000-4000-8000-" + fmt.Sprintf("%012x", name), "resourceVersion": fmt.Sprint(version),
			"annotations": map[string]any{"example.com/manifest": strings.Repeat("crate,", 50)},
		},
	}
}

// watch sends a bookmark now and then, and modifications where the server is busy.
func (h handler) watch(w http.ResponseWriter, r *http.Request, group, resource string) {
	every, kind := 10*time.Second, "BOOKMARK"
	if h.busy && resource != "secrets" {
		every, kind = 5*time.Millisecond, "MODIFIED"
	}
	w.(http.Flusher).Flush()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
		event := map[string]any{"type": kind, "object": object(group, resource, fmt.Sprint("harbor-", n%objects), 101+n)}
		if err := json.NewEncoder(w).Encode(event); err != nil {
			return
		}
		w.(http.Flusher).Flush()
	}
}
