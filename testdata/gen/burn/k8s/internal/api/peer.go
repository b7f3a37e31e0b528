package api

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/fixtures/burn/k8s/internal/objects"
	"example.com/fixtures/burn/run"
)

// pods are in the API server's list.
const pods = 12000

// Peers are the processes beside.
func Peers() map[string]run.Peer { return map[string]run.Peer{"api": serve} }

// serve is as much of an API server as these programs ask for.
func serve(l net.Listener) error {
	mux := http.NewServeMux()
	versions, _ := json.Marshal(metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}})
	mux.HandleFunc("/api", answer(versions))
	var groups metav1.APIGroupList
	for i := 0; i < 12; i++ {
		name := fmt.Sprintf("group-%d.example.com", i)
		version := metav1.GroupVersionForDiscovery{GroupVersion: name + "/v1", Version: "v1"}
		groups.Groups = append(groups.Groups, metav1.APIGroup{Name: name, Versions: []metav1.GroupVersionForDiscovery{version}, PreferredVersion: version})
		mux.HandleFunc("/apis/"+name+"/v1", answer(resources(name+"/v1")))
	}
	text, _ := json.Marshal(groups)
	mux.HandleFunc("/apis", answer(text))
	mux.HandleFunc("/api/v1", answer(resources("v1")))
	deployment, _ := json.Marshal(objects.New("web"))
	mux.HandleFunc("/apis/apps/v1/namespaces/prod/deployments/", answer(deployment))
	mux.HandleFunc("/api/v1/pods", servePods)
	return http.Serve(l, mux)
}

func answer(body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	}
}

func resources(groupVersion string) []byte {
	list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList"}, GroupVersion: groupVersion}
	for i := 0; i < 12; i++ {
		kind := fmt.Sprint("Kind", i)
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: strings.ToLower(kind) + "s", SingularName: strings.ToLower(kind), Kind: kind, Namespaced: true,
			Verbs: metav1.Verbs{"get", "list", "watch", "create", "update", "delete"},
		})
	}
	text, _ := json.Marshal(list)
	return text
}

// servePods answers lists with many pods, and watches with nothing.
func servePods(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.FormValue("watch") != "" {
		if r.FormValue("sendInitialEvents") != "" {
			http.Error(w, "no", http.StatusUnprocessableEntity)
			return
		}
		w.(http.Flusher).Flush()
		time.Sleep(time.Minute)
		return
	}
	list := corev1.PodList{TypeMeta: metav1.TypeMeta{Kind: "PodList", APIVersion: "v1"}, ListMeta: metav1.ListMeta{ResourceVersion: "7"}}
	for i := 0; i < pods; i++ {
		list.Items = append(list.Items, pod(i))
	}
	json.NewEncoder(w).Encode(list)
}

func pod(i int) corev1.Pod {
	p := corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: fmt.Sprint("pod-", i), Namespace: "prod", UID: "0c4f3a5e", ResourceVersion: "7", Labels: map[string]string{"app": "web", "pod-template-hash": "6d4cf56db6"},
	}}
	fields := `{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:image":{},"f:env":{".":{}}}}}}`
	for _, manager := range []string{"kubelet", "kube-controller-manager"} {
		p.ManagedFields = append(p.ManagedFields, metav1.ManagedFieldsEntry{
			Manager: manager, Operation: "Update", APIVersion: "v1", FieldsType: "FieldsV1",
			FieldsV1: &metav1.FieldsV1{Raw: []byte(fields)},
		})
	}
	p.Spec.Containers = objects.New("web").Spec.Template.Spec.Containers[:3]
	return p
}
