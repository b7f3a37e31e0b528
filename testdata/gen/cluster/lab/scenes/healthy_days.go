package scenes

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"time"

	admissionreview "k8s.io/api/admission/v1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// dayScenes are other healthy scenes.
var dayScenes = []Scene{
	healthy("cronjobs-short", metadata, 30*time.Second, func(d day) {
		o := cronJob("cronjobs-short", "sync", "* * * * *")
		o.Spec.JobTemplate.Spec.Template.Spec.Containers[0].Command = []string{"sleep", "1"}
		d.make(o)
		controller := d.as("system:serviceaccount:kube-system:cronjob-controller", 1)
		controller.every(3*time.Second, func(i int) {
			j := job("cronjobs-short", fmt.Sprint("sync-", 29270000+i), 1, 1, "sleep", "1")
			j.Spec.TTLSecondsAfterFinished = seconds(2)
			owned(j, o, "batch/v1", "CronJob")
			controller.make(j)
		})
	}, "cronjobs-short"),

	healthy("parallel-jobs", bodies, 40*time.Second, func(d day) {
		d.make(job("parallel-jobs", "resize", 30, 10, "sleep", "2"), job("parallel-jobs", "index", 40, 20, "sleep", "1"),
			job("parallel-jobs", "mail", 10, 2, "sh", "-c", // two of its pods fail at first
				`n=$(ls -d $LAB_SHARED/mail-* 2>/dev/null | wc -l)
				[ "$n" -ge 2 ] || { mkdir "$LAB_SHARED/mail-$POD_NAME"; exit 1; }
				sleep 1`))
	}, "parallel-jobs"),

	healthy("namespaces-come-and-go", metadata, 30*time.Second, func(d day) {
		for i := range 8 {
			name := fmt.Sprint("namespaces-come-and-go-", i)
			held := configMap(name, "report", "state", "done")
			held.Finalizers = []string{"visits.example.com/archive"}
			d.make(namespace(name), deployment(name, "desk", 2, "registry.example.com/desk:1"),
				service(name, "desk", "desk"), held)
			d.ready(name, "desk")
			d.remove(namespace(name))
			d.pause(3 * time.Second)
			d.release(held)
		}
	}),

	healthy("leader-change", bodies, 30*time.Second, func(d day) {
		d.accounts("leader-change")
		d.leaders("leader-change", "planner", 2, nil, "-lease=15s", "-workers=2", "-pace=1s")
		d.ready("leader-change", "planner")
		d.pause(15 * time.Second)
		pods := &corev1.PodList{}
		d.list(pods, "leader-change")
		if len(pods.Items) > 0 {
			d.remove(&pods.Items[0])
		}
	}, "leader-change"),

	healthy("resync-status", bodies, 40*time.Second, func(d day) {
		d.define("fleet.example.com", "Robot", "robots")
		for i := range int64(20) {
			d.make(custom("fleet.example.com", "Robot", "resync-status", fmt.Sprint("robot-", i), i))
		}
		d.runNamed("resync-status", "fleet-controller", "resync", 2, "-resource=robots.v1.fleet.example.com")
		d.pause(10 * time.Second)
		d.every(20*time.Second, func(i int) {
			for n := range int64(20) {
				d.merge(custom("fleet.example.com", "Robot", "resync-status", fmt.Sprint("robot-", n), n),
					`{"spec":{"size":%d}}`, 100*(i+1)+int(n))
			}
		})
	}, "resync-status"),

	healthy("relist", metadata, 30*time.Second, func(d day) {
		d.make(deployment("relist", "quiet", 2, "registry.example.com/quiet:1"))
		d.runNamed("relist", "inventory", "watcher", 3, "-pace=20s")
	}, "relist"),

	healthy("owner-replaced", bodies, 60*time.Second, func(d day) {
		d.define("db.example.com", "Cluster", "clusters")
		d.volumes("db-disks", 2)
		operator := d.as("system:serviceaccount:owner-replaced:db-operator", 1)
		d.pause(35 * time.Second) // the garbage collector learns of a new kind within 30 s
		for i := range int64(2) {
			o := custom("db.example.com", "Cluster", "owner-replaced", "main", i)
			operator.make(o)
			set := claims(statefulSet("owner-replaced", "main", 1, "registry.example.com/db:14"), "data", "db-disks")
			owned(set, o, "db.example.com/v1", "Cluster")
			operator.make(set)
			d.setReady("owner-replaced", "main")
			if i == 1 {
				return
			}
			operator.remove(o, client.PropagationPolicy(metav1.DeletePropagationForeground))
			d.await("the end of the old owner", func() bool {
				return d.gone(set) && d.gone(o)
			})
			operator.remove(claim("owner-replaced", "data-main-0"))
			d.await("the end of the claim", func() bool { return d.gone(claim("owner-replaced", "data-main-0")) })
		}
	}, "owner-replaced"),

	healthy("fields-shared", metadata, 30*time.Second, func(d day) {
		d.make(deployment("fields-shared", "shop", 2, "registry.example.com/shop:9"))
		a, b := d.as("system:serviceaccount:fields-shared:labeler", 1), d.as("system:serviceaccount:fields-shared:scanner", 2)
		d.every(2*time.Second, func(i int) {
			a.apply("labeler", `{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: fields-shared, name: shop,
					labels: {reviewed: "r%d"}}}`, i)
			b.apply("scanner", `{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: fields-shared, name: shop,
					annotations: {scans: "s%d"}}}`, i)
		})
	}, "fields-shared"),

	healthy("onboarding", bodies, 30*time.Second, func(d day) {
		setup := d.as("system:serviceaccount:onboarding:setup", 1)
		for i := range 150 {
			tenant := fmt.Sprintf("tenant-%03d", i)
			setup.make(configMap("onboarding", tenant, "plan", "basic", "seats", fmt.Sprint(i%7)),
				&corev1.Secret{ObjectMeta: meta("onboarding", tenant), StringData: map[string]string{"key": fmt.Sprint("k", i)}})
			d.pause(100 * time.Millisecond)
		}
	}, "onboarding"),

	healthy("paged-lists", metadata, 30*time.Second, func(d day) {
		d.runNamed("paged-lists", "inventory", "pager", 1, "-pace=700ms",
			"-resource=pods.v1.,configmaps.v1.,secrets.v1.,services.v1.")
	}, "paged-lists"),

	healthy("webhook-restarts", metadata, 30*time.Second, webhookRestarts, "webhook-restarts"),
}

// webhookRestarts replaces a webhook's server while pods are made.
func webhookRestarts(d day) {
	server := httptest.NewTLSServer(http.HandlerFunc(admit))
	address, ca := server.Listener.Addr().String(), server.Certificate()
	url, bundle := server.URL+"/validate", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.Raw})
	o := &admissionv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "image-policy"},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "images.policy.example.com", Rules: podCreations(), NamespaceSelector: namespaced("webhook-restarts"),
			ClientConfig: admissionv1.WebhookClientConfig{URL: &url, CABundle: bundle},
			SideEffects:  noEffects(), AdmissionReviewVersions: []string{"v1"}, TimeoutSeconds: seconds(3),
		}}}
	d.make(o)
	d.afterwards(o)
	d.pause(2 * time.Second)
	for i := range 3 {
		d.make(deployment("webhook-restarts", fmt.Sprint("app-", i), 3, "registry.example.com/app:1"))
	}
	d.ready("webhook-restarts", "app-2")
	server.CloseClientConnections()
	server.Close()
	for i := 3; i < 6; i++ {
		d.make(deployment("webhook-restarts", fmt.Sprint("app-", i), 2, "registry.example.com/app:1"))
	}
	d.pause(4 * time.Second)
	listener, err := net.Listen("tcp", address)
	d.fail(err)
	if err != nil {
		return
	}
	again := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(admit)}}
	again.StartTLS() // with the same certificate: httptest has one
	d.atEnd(func(day) { again.Close() })
	for i := range 6 {
		d.ready("webhook-restarts", fmt.Sprint("app-", i))
	}
}

// admit answers a review: everything is allowed.
func admit(w http.ResponseWriter, r *http.Request) {
	var review admissionreview.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(w, "no review", http.StatusBadRequest)
		return
	}
	review.Response = &admissionreview.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	review.Request = nil
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}
