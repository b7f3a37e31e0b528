// Package apiserver answers lists and watches of any resource, well enough for informers. It runs in a process of its
// own, so that the controller's dump holds what a controller's dump holds.
package apiserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
)

// Start serves HTTP/2 over TLS with a self-signed certificate on 127.0.0.1.
func Start() *httptest.Server {
	s := httptest.NewUnstartedServer(http.HandlerFunc(serve))
	s.EnableHTTP2 = true
	s.StartTLS()
	return s
}

// Busy is the resource whose watch always has news.
const Busy = "shipments"

func serve(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if len(parts) < 4 || r.Method != http.MethodGet {
		http.NotFound(w, r)
		return
	}
	group, resource := parts[1]+"/"+parts[2], parts[len(parts)-1]
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Query().Get("watch") == "" {
		writeList(w, group, resource)
		return
	}
	w.(http.Flusher).Flush()
	if resource == Busy {
		sendNews(w, r, group)
		return
	}
	<-r.Context().Done()
}

func writeList(w http.ResponseWriter, group, resource string) {
	items := make([]any, 0, 3)
	for n := range 3 {
		items = append(items, object(group, resource, n, 100))
	}
	json.NewEncoder(w).Encode(map[string]any{
		"apiVersion": group, "kind": "List", "metadata": map[string]any{"resourceVersion": "100"}, "items": items,
	})
}

func object(group, resource string, n, version int) map[string]any {
	return map[string]any{
		"apiVersion": group, "kind": "Harbor",
		"metadata": map[string]any{
			"name": fmt.Sprintf("%s-%d", resource, n), "namespace": "harbor-system", "uid": fmt.Sprintf("00000000-0000-4000-8000-%012d", n),
			"resourceVersion": fmt.Sprint(version),
			"annotations":     map[string]any{"example.com/manifest": strings.Repeat("crate,", 200)},
		},
	}
}

// sendNews writes modifications in small pieces: the reader is woken in the middle of an object again and again.
func sendNews(w http.ResponseWriter, r *http.Request, group string) {
	for version := 101; ; version++ {
		text, err := json.Marshal(map[string]any{"type": "MODIFIED", "object": object(group, Busy, version%3, version)})
		if err != nil {
			return
		}
		for len(text) > 0 {
			n := min(40, len(text))
			if _, err := w.Write(text[:n]); err != nil || r.Context().Err() != nil {
				return
			}
			w.(http.Flusher).Flush()
			text = text[n:]
		}
	}
}
