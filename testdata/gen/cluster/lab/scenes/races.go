package scenes

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// raceScenes are scenes in which an owner is made anew before the garbage collector comes.
var raceScenes = []Scene{
	fault("claim-race", "a", bodies, 45*time.Second, func(d day) {
		d.define("vault.example.com", "Store", "stores")
		d.volumes("vault-disks", 1)
		operator := d.as("system:serviceaccount:vault:store-operator", 1)
		planner := d.as("system:serviceaccount:vault:planner", 2)
		r := race{operator, planner, custom("vault.example.com", "Store", "vault", "orders-db", 1)}
		set := claims(statefulSet("vault", "orders-db", 1, "registry.example.com/orders-db:3.2"), "data", "vault-disks")
		r.begin(set)
		d.setReady("vault", "orders-db")
		d.pause(3 * time.Second)
		r.again(set, 2, func() { operator.remove(claim("vault", "data-orders-db-0")) })
	}, "vault"),

	fault("claim-race", "b", metadata, 50*time.Second, func(d day) {
		d.define("search.example.net", "Index", "indices")
		d.volumes("segments", 2)
		operator := d.as("system:serviceaccount:search:index-operator", 3)
		balancer := d.as("system:serviceaccount:search:balancer", 1)
		r := race{operator, balancer, custom("search.example.net", "Index", "search", "shards", 2)}
		set := claims(statefulSet("search", "shards", 2, "registry.example.com/shards:8.1"), "segments", "segments")
		r.begin(set)
		d.setReady("search", "shards")
		d.pause(2 * time.Second)
		r.again(set, 2, func() {
			operator.remove(claim("search", "segments-shards-0"))
			operator.remove(claim("search", "segments-shards-1"))
		})
	}, "search"),

	fault("takeover-again", "a", bodies, 60*time.Second, func(d day) {
		d.define("media.example.com", "Pipeline", "pipelines")
		r := race{d.as("system:serviceaccount:media:pipeline-operator", 1),
			d.as("system:serviceaccount:media:conductor", 3), custom("media.example.com", "Pipeline", "media", "encoder", 1)}
		set := statefulSet("media", "encoder", 2, "registry.example.com/encoder:1.0")
		r.begin(set)
		d.setReady("media", "encoder")
		r.again(set, 2, nil)
		d.pause(20 * time.Second)
		r.again(set, 3, nil)
	}, "media"),

	fault("takeover-again", "b", bodies, 80*time.Second, func(d day) {
		d.define("maps.example.net", "Atlas", "atlases")
		r := race{d.as("system:serviceaccount:maps:atlas-operator", 2),
			d.as("system:serviceaccount:maps:cartographer", 1), custom("maps.example.net", "Atlas", "maps", "tiles", 1)}
		tiles := deployment("maps", "tiles", 3, "registry.example.com/tiles:6.0")
		r.begin(tiles)
		d.ready("maps", "tiles")
		for i := range int64(3) {
			r.again(tiles, i+2, nil)
			d.pause(15 * time.Second)
		}
	}, "maps"),
}

// A race is between an operator, which deletes an owner and makes it anew, and a planner, which writes what it owned
// before the garbage collector comes.
type race struct {
	operator, planner day
	owner             client.Object
}

// warmUp asks for what the race will write, so that no discovery slows it.
func (r *race) warmUp(dependant client.Object) {
	r.planner.gone(dependant)
	r.operator.gone(r.owner)
	r.operator.gone(claim(r.owner.GetNamespace(), "none"))
}

// begin makes the owner and its dependant.
func (r *race) begin(dependant client.Object) {
	r.operator.make(r.owner)
	gvk := r.owner.GetObjectKind().GroupVersionKind()
	owned(dependant, r.owner, gvk.GroupVersion().String(), gvk.Kind)
	r.operator.make(dependant)
}

// again deletes the owner and what clean deletes, and makes the owner anew; the planner gives the dependant to it. The
// garbage collector comes after that.
func (r *race) again(dependant client.Object, size int64, clean func()) {
	gvk := r.owner.GetObjectKind().GroupVersionKind()
	fresh := custom(gvk.Group, gvk.Kind, r.owner.GetNamespace(), r.owner.GetName(), size)
	r.warmUp(dependant)
	r.operator.whileManagerWaits(func() {
		r.operator.remove(r.owner, client.PropagationPolicy(metav1.DeletePropagationBackground))
		r.operator.make(fresh)
		r.planner.merge(dependant, `{"metadata":{"ownerReferences":[{"apiVersion":%q,"kind":%q,"name":%q,"uid":%q,
			"controller":true,"blockOwnerDeletion":true}]},"spec":{"template":{"metadata":{"annotations":{"plan":%q}}}}}`,
			gvk.GroupVersion(), gvk.Kind, fresh.GetName(), fresh.GetUID(), fmt.Sprint(size))
		if clean != nil {
			clean()
		}
	})
	r.owner = fresh
}
