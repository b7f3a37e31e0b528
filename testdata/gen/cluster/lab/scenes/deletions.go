package scenes

import (
	"fmt"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// deletionScenes are scenes in which a deletion does not end.
var deletionScenes = []Scene{
	fault("finalizer-kept", "a", metadata, 25*time.Second, func(d day) {
		d.define("disks.example.com", "Volume", "volumes")
		for i := range int64(5) {
			d.keep(custom("disks.example.com", "Volume", "disks", fmt.Sprint("scratch-", i), 10), "disks.example.com/detach")
		}
		d.age(17*time.Minute, "disks")
	}, "disks"),

	fault("finalizer-kept", "b", bodies, 25*time.Second, func(d day) {
		d.keep(configMap("dns", "zone-internal", "serial", "7"), "dns.example.net/cleanup")
		d.keep(deployment("dns", "zones", 1, "registry.example.net/zones:1"), "dns.example.net/cleanup")
		d.pause(5 * time.Second)
		d.age(17*time.Minute, "dns")
	}, "dns"),

	fault("namespace-stuck", "a", bodies, 25*time.Second, func(d day) {
		d.define("trials.example.com", "Session", "sessions")
		session := custom("trials.example.com", "Session", "trial-42", "anna", 1)
		session.SetFinalizers([]string{"trials.example.com/archive"})
		d.make(session, deployment("trial-42", "sandbox", 1, "registry.example.com/sandbox:3"))
		d.ready("trial-42", "sandbox")
		d.atEnd(func(d day) { d.release(session) })
		d.remove(namespace("trial-42"))
		d.pause(12 * time.Second)
		d.age(17*time.Minute, "trial-42")
	}, "trial-42"),

	fault("namespace-stuck", "b", metadata, 25*time.Second, func(d day) {
		api := object(`{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1beta1.scores.example.net},
				spec: {group: scores.example.net, version: v1beta1, groupPriorityMinimum: 100, versionPriority: 100,
				insecureSkipTLSVerify: true, service: {namespace: preview-7, name: scores}}}`)
		d.make(service("preview-7", "scores", "scores"),
			deployment("preview-7", "scores", 1, "registry.example.net/scores:2"))
		d.ready("preview-7", "scores")
		d.make(api)
		d.afterwards(api)
		d.pause(10 * time.Second)
		d.remove(namespace("preview-7"))
		d.pause(12 * time.Second)
		d.age(17*time.Minute, "preview-7")
	}, "preview-7"),
}

// keep makes an object with a finalizer that nobody removes before the scene ends, and deletes it.
func (d day) keep(o client.Object, finalizer string) {
	o.SetFinalizers([]string{finalizer})
	d.make(o)
	d.atEnd(func(d day) { d.release(o) })
	d.pause(time.Second)
	d.remove(o)
}
