package scenes

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// A day is what a scene is played with. Its methods do nothing after the first error, which play returns.
type day struct {
	client.Client // of whoever acts: the administrator at the first API server unless day.as says otherwise
	ctx           context.Context
	c             *Cluster
	err           *error    // shared with the days that day.as returns
	end           time.Time // when day.every ends
}

// play makes the namespaces of a scene and runs it for its length at least.
func play(namespaces []string, length time.Duration, run func(d day)) func(ctx context.Context, c *Cluster) error {
	return func(ctx context.Context, c *Cluster) error {
		var first error
		d := day{ctx: ctx, c: c, err: &first, end: time.Now().Add(length)}.with(c.Config)
		for _, name := range namespaces {
			d.make(namespace(name))
			d.await("the default service account of "+name, func() bool {
				return d.Get(ctx, client.ObjectKey{Namespace: name, Name: "default"}, &corev1.ServiceAccount{}) == nil
			})
		}
		if first == nil {
			run(d)
			d.pause(time.Until(d.end))
		}
		if errors.Is(first, context.Canceled) || errors.Is(first, context.DeadlineExceeded) {
			return ctx.Err()
		}
		return first
	}
}

// fault is a scene with a fault and its length, which the lab adds a minute to.
func fault(name, variant, level string, length time.Duration, run func(d day), namespaces ...string) Scene {
	return Scene{Name: name, Variant: variant, Level: level, Length: length, Run: play(namespaces, length, run),
		Namespaces: namespaces}
}

// healthy is a scene without a fault.
func healthy(name, level string, length time.Duration, run func(d day), namespaces ...string) Scene {
	s := fault(name, "a", level, length, run, namespaces...)
	s.Healthy = true
	return s
}

// The levels of audit logs.
const (
	metadata = "Metadata"
	bodies   = "RequestResponse"
)

// with is the day of whoever a configuration belongs to.
func (d day) with(config *rest.Config) day {
	if *d.err != nil {
		return d
	}
	config = rest.CopyConfig(config)
	config.QPS, config.Burst = 200, 400
	if config.UserAgent == "" {
		config.UserAgent = "kubectl/v1.34.4 (linux/amd64) kubernetes/2a2e1c3"
	}
	cl, err := client.New(config, client.Options{Scheme: scheme.Scheme})
	d.fail(err)
	d.Client = cl
	return d
}

// at is the administrator's day at another API server, 1 to 3.
func (d day) at(server int) day { return d.with(d.c.Servers[server-1]) }

// as is the day of a person or of a service account, which is made if it is missing, at an API server, 1 to 3.
func (d day) as(user string, server int) day {
	if account, ok := strings.CutPrefix(user, "system:serviceaccount:"); ok {
		namespace, name, _ := strings.Cut(account, ":")
		d.account(namespace, name)
	}
	if *d.err != nil {
		return d
	}
	config, err := d.c.As(user, server-1)
	d.fail(err)
	if err != nil {
		return d
	}
	config = rest.CopyConfig(config)
	config.UserAgent = agentOf(user)
	return d.with(config)
}

// agentOf is the user agent of a user's client: kubectl for people.
func agentOf(user string) string {
	account, ok := strings.CutPrefix(user, "system:serviceaccount:")
	if !ok {
		return ""
	}
	if strings.HasPrefix(account, "kube-system:") && strings.HasSuffix(account, "-controller") {
		return "kube-controller-manager/v1.34.4 (linux/amd64) kubernetes/2a2e1c3/" + user
	}
	_, name, _ := strings.Cut(account, ":")
	return name + "/v0.9.3 (linux/amd64) kubernetes/$Format"
}

func (d day) account(namespace, name string) {
	o := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	if err := d.Create(d.ctx, o); err != nil && !apierrors.IsAlreadyExists(err) {
		d.fail(err)
	}
}

// fail keeps the first error.
func (d day) fail(err error) {
	if *d.err == nil && err != nil {
		*d.err = err
	}
}

// over reports whether the scene has ended or failed.
func (d day) over() bool { return *d.err != nil || d.ctx.Err() != nil }

// make creates objects.
func (d day) make(objects ...client.Object) {
	for _, o := range objects {
		if !d.over() {
			if err := d.Create(d.ctx, o); err != nil {
				d.fail(fmt.Errorf("create %T %s: %w", o, client.ObjectKeyFromObject(o), err))
			}
		}
	}
}

// change reads an object, changes it and updates it, again if somebody else was quicker.
func change[T client.Object](d day, o T, edit func(T)) {
	for !d.over() {
		if err := d.Get(d.ctx, client.ObjectKeyFromObject(o), o); err != nil {
			d.fail(err)
			return
		}
		edit(o)
		err := d.Update(d.ctx, o)
		if !apierrors.IsConflict(err) {
			d.fail(err)
			return
		}
	}
}

// status writes the status of an object that was read or made before, whatever others have written.
func (d day) status(o client.Object) {
	if !d.over() {
		o.SetResourceVersion("")
		d.fail(d.Status().Patch(d.ctx, o, client.Merge))
	}
}

// remove deletes an object, which may be gone.
func (d day) remove(o client.Object, options ...client.DeleteOption) {
	if !d.over() {
		d.fail(client.IgnoreNotFound(d.Delete(d.ctx, o, options...)))
	}
}

// atEnd does something when the scene ends, with a day that goes on for 20 s.
func (d day) atEnd(do func(d day)) {
	context.AfterFunc(d.ctx, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), 20*time.Second)
		defer cancel()
		var first error
		do(day{Client: d.Client, ctx: ctx, c: d.c, err: &first})
		if first != nil {
			d.c.Log("after the scene: %v", first)
		}
	})
}

// afterwards deletes an object outside of namespaces when the scene ends.
func (d day) afterwards(o client.Object) { d.atEnd(func(d day) { d.remove(o) }) }

// gone reports whether an object is not there any more.
func (d day) gone(o client.Object) bool {
	return apierrors.IsNotFound(d.Get(d.ctx, key(o), o.DeepCopyObject().(client.Object)))
}

// apply applies fields, written as YAML, as a manager of its own.
func (d day) apply(manager, format string, args ...any) {
	if !d.over() {
		o := object(fmt.Sprintf(format, args...))
		d.fail(d.Patch(d.ctx, o, client.Apply, client.FieldOwner(manager)))
	}
}

func namespace(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// release takes the finalizers of an object away.
func (d day) release(o client.Object) {
	if !d.over() {
		patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
		d.fail(client.IgnoreNotFound(d.Patch(d.ctx, o, patch)))
	}
}

// merge patches an object with JSON.
func (d day) merge(o client.Object, format string, args ...any) {
	if !d.over() {
		d.fail(d.Patch(d.ctx, o, client.RawPatch(types.MergePatchType, fmt.Appendf(nil, format, args...))))
	}
}

// pause lets time pass.
func (d day) pause(t time.Duration) {
	if d.over() {
		return
	}
	select {
	case <-d.ctx.Done():
	case <-time.After(t):
	}
}

// every does something at a fixed pace until the scene's length is over.
func (d day) every(t time.Duration, do func(i int)) {
	for i := 0; !d.over() && time.Now().Before(d.end); i++ {
		do(i)
		d.pause(t)
	}
}

// await waits up to two minutes for what must come.
func (d day) await(what string, come func() bool) {
	for end := time.Now().Add(2 * time.Minute); !d.over() && !come(); d.pause(300 * time.Millisecond) {
		if time.Now().After(end) {
			d.fail(fmt.Errorf("waited in vain for %s", what))
		}
	}
}

// ready waits for the replicas of a Deployment, all of them of its newest template.
func (d day) ready(namespace, name string) {
	o := &appsv1.Deployment{}
	d.await("Deployment "+name, func() bool {
		d.fail(d.Get(d.ctx, client.ObjectKey{Namespace: namespace, Name: name}, o))
		n := *o.Spec.Replicas
		return o.Status.ObservedGeneration >= o.Generation && o.Status.UpdatedReplicas == n &&
			o.Status.ReadyReplicas == n && o.Status.Replicas == n
	})
}

// setReady is ready of a StatefulSet.
func (d day) setReady(namespace, name string) {
	o := &appsv1.StatefulSet{}
	d.await("StatefulSet "+name, func() bool {
		d.fail(d.Get(d.ctx, client.ObjectKey{Namespace: namespace, Name: name}, o))
		n := *o.Spec.Replicas
		return o.Status.ObservedGeneration >= o.Generation && o.Status.UpdatedReplicas == n &&
			o.Status.ReadyReplicas == n && o.Status.CurrentRevision == o.Status.UpdateRevision
	})
}

// run starts a controller of the lab as a service account of its name in a namespace, at an API server, 1 to 3.
func (d day) run(namespace, name string, server int, args ...string) (stop func()) {
	return d.runNamed(namespace, name, name, server, args...)
}

// runNamed is run of a controller that has another name in the cluster than in the lab.
func (d day) runNamed(namespace, name, controller string, server int, args ...string) (stop func()) {
	return d.runPod(namespace, name, controller, name+"-7d4b9c6f5-x2v8k", server, args...)
}

// runPod is runNamed with the name of its pod.
func (d day) runPod(namespace, name, controller, pod string, server int, args ...string) (stop func()) {
	if d.over() {
		return func() {}
	}
	d.account(namespace, name)
	stop, err := d.c.Start(d.ctx, "controllers", append([]string{controller}, args...), ProcessOptions{
		User:      "system:serviceaccount:" + namespace + ":" + name,
		Server:    server - 1,
		Namespace: namespace,
		Pod:       pod,
		Env:       []string{"AGENT=" + agentOf("system:serviceaccount:"+namespace+":"+name)},
	})
	d.fail(err)
	if stop == nil {
		return func() {}
	}
	return stop
}

// meta is the name and labels of an object: app is its name.
func meta(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": name}}
}

// template is a pod template with one container, which asks for 20m of CPU.
func template(app, image string, command ...string) corev1.PodTemplateSpec {
	grace := int64(1)
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": app}},
		Spec: corev1.PodSpec{
			TerminationGracePeriodSeconds: &grace,
			Containers: []corev1.Container{{
				Name: app, Image: image, Command: command,
				Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
					corev1.ResourceCPU: resource.MustParse("20m"), corev1.ResourceMemory: resource.MustParse("16Mi")}},
			}},
		},
	}
}

// quantity is a number of a resource, and key an object's namespace and name.
func quantity(much string) resource.Quantity { return resource.MustParse(much) }
func key(o client.Object) client.ObjectKey   { return client.ObjectKeyFromObject(o) }

// ask sets what a template's container asks for.
func ask(t *corev1.PodTemplateSpec, what corev1.ResourceName, much string) {
	t.Spec.Containers[0].Resources.Requests[what] = resource.MustParse(much)
}

// deployment is a Deployment of played pods.
func deployment(namespace, name string, replicas int32, image string, command ...string) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: meta(namespace, name), Spec: appsv1.DeploymentSpec{
		Replicas: &replicas, Selector: selector(name), Template: template(name, image, command...)}}
}

// statefulSet is a StatefulSet of played pods without claims.
func statefulSet(namespace, name string, replicas int32, image string, command ...string) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{ObjectMeta: meta(namespace, name), Spec: appsv1.StatefulSetSpec{
		Replicas: &replicas, Selector: selector(name), ServiceName: name, Template: template(name, image, command...)}}
}

func daemonSet(namespace, name, image string) *appsv1.DaemonSet {
	return &appsv1.DaemonSet{ObjectMeta: meta(namespace, name), Spec: appsv1.DaemonSetSpec{
		Selector: selector(name), Template: template(name, image)}}
}

// job is a Job whose pods run a command once.
func job(namespace, name string, completions, parallelism int32, command ...string) *batchv1.Job {
	t := template(name, "registry.example.com/tools:1.4", command...)
	t.Spec.RestartPolicy = corev1.RestartPolicyNever
	t.Labels = map[string]string{"task": name}
	return &batchv1.Job{ObjectMeta: meta(namespace, name), Spec: batchv1.JobSpec{
		Completions: &completions, Parallelism: &parallelism, Template: t}}
}

func selector(app string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
}

// configMap is a ConfigMap with keys and values in turn.
func configMap(namespace, name string, data ...string) *corev1.ConfigMap {
	o := &corev1.ConfigMap{ObjectMeta: meta(namespace, name), Data: map[string]string{}}
	for i := 0; i+1 < len(data); i += 2 {
		o.Data[data[i]] = data[i+1]
	}
	return o
}

// custom is an object of a custom resource with a spec of one size.
func custom(group, kind, namespace, name string, size int64) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": size}}}
	o.SetAPIVersion(group + "/v1")
	o.SetKind(kind)
	o.SetNamespace(namespace)
	o.SetName(name)
	return o
}

// define makes a custom resource with a status, for as long as the scene goes.
func (d day) define(group, kind, plural string) {
	crd := object(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ` + plural + `.` + group + `}
spec:
  group: ` + group + `
  scope: Namespaced
  names: {kind: ` + kind + `, plural: ` + plural + `, singular: ` + strings.ToLower(kind) + `}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`)
	d.make(crd)
	d.afterwards(crd)
	list := &unstructured.UnstructuredList{}
	list.SetAPIVersion(group + "/v1")
	list.SetKind(kind + "List")
	for server := range d.c.Servers {
		if d.over() {
			return
		}
		there := d.at(server + 1)
		d.await(plural, func() bool { return there.List(d.ctx, list, client.InNamespace("default")) == nil })
	}
}

// object is an object written as YAML in this package.
func object(text string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(strings.ReplaceAll(text, "\t", "  ")), &o.Object); err != nil {
		panic(err) // a slip in a scene's own text
	}
	return o
}

// owned sets an object's owner, which must be there.
func owned(o, by client.Object, api, kind string) {
	yes := true
	o.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: api, Kind: kind, Name: by.GetName(), UID: by.GetUID(),
		Controller: &yes, BlockOwnerDeletion: &yes}})
}
