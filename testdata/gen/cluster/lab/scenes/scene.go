// Package scenes holds the days of a cluster that the lab captures: healthy ones and ones with one fault each.
package scenes

import (
	"context"
	"slices"
	"time"

	"k8s.io/client-go/rest"
)

// Cluster is what a scene works on: a control plane with three API servers and some nodes that the lab plays.
//
// What the nodes do with a container depends on its image and command, as far as kubelets' own rules leave it open:
//
//   - An image lab/NAME:TAG, with any registry in front of it, is the program of the folder programs/NAME. It runs as
//     a real process with the container's command (its arguments if there is no command) and environment.
//   - A command that starts with sh, sleep, true, false or echo runs as a real process too.
//   - An image whose name or tag contains "missing" cannot be pulled: ErrImagePull, then ImagePullBackOff.
//   - Any other image is only played: it runs until its pod is deleted and is ready after half a second. The variable
//     LAB_READY=false in its environment keeps it from being ready, LAB_READY=5s makes it ready after five seconds.
//
// A real process finds its volumes below the folder in $LAB_ROOT: /etc/app/x is $LAB_ROOT/etc/app/x. It has KUBECONFIG
// (its service account, at the API server that LAB_SERVER=0, 1 or 2 in the container's environment chooses), POD_NAME,
// POD_NAMESPACE, NODE_NAME, in LAB_SHARED a folder that all processes of the scene share, and in PPROF_ADDRESS an address
// at which it may serve /debug/pprof. Package program does the usual. It is ready while it runs, unless LAB_READY says
// otherwise or it has a readiness probe with httpGet: the port of that probe is then in READY_ADDRESS (it must listen
// there). A process that ends by SIGKILL is OOMKilled.
type Cluster struct {
	Config  *rest.Config   // admin at the first API server
	Servers []*rest.Config // admin at each API server
	Nodes   Nodes

	// Start starts the program of the folder programs/NAME with arguments, as the user or service account that the
	// options name. Its stderr and stdout go to the CRI log of its pod, if it has one. It runs until stop is called or
	// the scene ends; with a pod it is started anew when it ends by itself, as the pod's container.
	Start func(ctx context.Context, name string, args []string, o ProcessOptions) (stop func(), err error)

	// As returns the configuration of a user or service account ("system:serviceaccount:NAMESPACE:NAME", which must
	// exist) at an API server. Every service account and user may do everything, but users whose names start with
	// "limited-": they have the rights that the scene gives them.
	As func(user string, server int) (*rest.Config, error)

	// Snapshot takes one more snapshot of all objects now. The lab takes two at the end of a scene in any case, some
	// seconds apart and while the scene's processes still run.
	Snapshot func()

	Log func(format string, args ...any)
}

// Nodes are the nodes of the cluster, node-1 to node-6, 4 CPUs, 8 GiB and room for 110 pods each.
type Nodes interface {
	Lose(node string)    // ends its kubelet: no leases, no status
	Restore(node string) // starts it again
}

// ProcessOptions says how Start runs a program.
type ProcessOptions struct {
	// User is "system:serviceaccount:NAMESPACE:NAME" or the name of a user, who has a certificate. "" is a service
	// account with the program's name in the namespace, which is made.
	User      string
	Server    int    // index of the API server that it talks to
	Namespace string // of its pod and service account, which must exist
	Pod       string // name of the pod that the lab creates for it; "" runs it without one, on no node
	Env       []string
}

// A Scene is one day of a cluster, with at most one fault.
type Scene struct {
	Name, Variant string // "quota-refused", "a" or "b"
	Healthy       bool
	Level         string // audit level: Metadata or RequestResponse
	Length        time.Duration
	// Run starts the scene: what it has started goes on after it returns, until Length is over, and so does its context.
	// Then the captures are taken, and the context ends. It makes the namespaces that Namespaces names, which the lab
	// deletes; what the scene made outside of namespaces it deletes itself when the context ends.
	Run        func(ctx context.Context, c *Cluster) error
	Namespaces []string // that the scene makes and uses
}

// All returns all scenes.
func All() []Scene {
	return slices.Concat(deletionScenes, loopScenes, nodeScenes, pileScenes, podScenes, raceScenes, refusalScenes,
		rolloutScenes, dayScenes)
}
