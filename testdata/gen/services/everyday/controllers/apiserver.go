package controllers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// apiserver is as much of an API server as informers need: lists are empty, and watches say nothing but bookmarks.
func apiserver(w http.ResponseWriter, r *http.Request) {
	resource := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	kind := map[string]string{"apiVersion": "shop.example.com/v1", "kind": strings.ToUpper(resource[:1]) + resource[1:]}
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Query().Get("watch") == "" {
		json.NewEncoder(w).Encode(map[string]any{
			"apiVersion": kind["apiVersion"], "kind": kind["kind"] + "List",
			"metadata": map[string]string{"resourceVersion": "1"}, "items": []any{},
		})
		return
	}
	for {
		fmt.Fprintf(w, `{"type":"BOOKMARK","object":{"apiVersion":%q,"kind":%q,"metadata":{"resourceVersion":"1",`+
			`"annotations":{"k8s.io/initial-events-end":"true"}}}}`+"\n", kind["apiVersion"], kind["kind"])
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-time.After(time.Minute):
		}
	}
}
