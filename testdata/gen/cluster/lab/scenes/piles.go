package scenes

import (
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pileScenes are scenes in which something grows, is read or changes hands again and again.
var pileScenes = []Scene{
	fault("ownerless-pile", "a", metadata, 70*time.Second, func(d day) {
		d.runNamed("registry", "token-minter", "minter", 2, "-name=pull-token", "-pace=135ms")
	}, "registry"),

	fault("ownerless-pile", "b", bodies, 75*time.Second, func(d day) {
		d.runNamed("planner", "solver", "hasher", 1, "-name=plan", "-pace=250ms")
	}, "planner"),

	fault("creation-rate", "a", bodies, 50*time.Second, func(d day) {
		d.run("checks", "checker", 1, "-name=probe", "-pace=180ms")
	}, "checks"),

	fault("creation-rate", "b", metadata, 50*time.Second, func(d day) {
		d.run("scans", "scanner", 3, "-name=scan", "-pace=230ms")
	}, "scans"),

	fault("full-lists", "a", metadata, 45*time.Second, func(d day) {
		d.runNamed("telemetry", "exporter", "lister", 1, "-pace=950ms", "-resource=pods.v1.,configmaps.v1.,secrets.v1.")
	}, "telemetry"),

	fault("full-lists", "b", bodies, 45*time.Second, func(d day) {
		for server := range 3 {
			d.runPod("console", "dashboard", "lister", fmt.Sprint("dashboard-84d9c-", server), server+1, "-pace=4400ms",
				"-resource=pods.v1.,events.v1.,services.v1.,endpointslices.v1.discovery.k8s.io")
		}
	}, "console"),

	fault("lease-flapping", "a", metadata, 70*time.Second, func(d day) {
		d.accounts("payments")
		d.leaders("payments", "settler", 2, nil, "-lease=6s", "-qps=2", "-burst=3", "-workers=16", "-pace=50ms")
	}, "payments"),

	fault("lease-flapping", "b", bodies, 70*time.Second, func(d day) {
		d.accounts("crawl")
		d.leaders("crawl", "fetcher", 3, []corev1.EnvVar{{Name: "LAB_SERVER", Value: "1"}},
			"-lease=8s", "-qps=1", "-burst=2", "-workers=12", "-pace=200ms")
	}, "crawl"),

	fault("cronjob-pile-up", "a", metadata, 35*time.Second, func(d day) {
		d.pileUp(cronJob("finance", "rates-import", "* * * * *"), 24)
	}, "finance"),

	fault("cronjob-pile-up", "b", bodies, 35*time.Second, func(d day) {
		for name, n := range map[string]int{"export": 15, "digest": 9} {
			o := cronJob("crm", name, "*/2 * * * *")
			ask(&o.Spec.JobTemplate.Spec.Template, corev1.ResourceCPU, "6")
			d.pileUp(o, n)
		}
	}, "crm"),
}

// accounts makes the ConfigMaps that leaders read.
func (d day) accounts(namespace string) {
	for i := range 8 {
		d.make(configMap(namespace, fmt.Sprint("account-", i), "balance", "0"))
	}
}

// leaders runs replicas of the leader as a Deployment, with a service account of its name.
func (d day) leaders(namespace, name string, replicas int32, env []corev1.EnvVar, args ...string) {
	d.account(namespace, name)
	o := deployment(namespace, name, replicas, "lab/controllers:0.9.3")
	o.Spec.Template.Spec.ServiceAccountName = name
	c := &o.Spec.Template.Spec.Containers[0]
	c.Args = append([]string{"leader", "-name=" + name}, args...)
	c.Env = append(env, corev1.EnvVar{Name: "AGENT", Value: agentOf("system:serviceaccount:" + namespace + ":" + name)})
	d.make(o)
}

// cronJob is a CronJob whose Jobs run until they are deleted.
func cronJob(namespace, name, schedule string) *batchv1.CronJob {
	o := &batchv1.CronJob{ObjectMeta: meta(namespace, name), Spec: batchv1.CronJobSpec{
		Schedule: schedule, ConcurrencyPolicy: batchv1.AllowConcurrent}}
	t := template(name, "registry.example.com/"+name+":1.1")
	t.Spec.RestartPolicy = corev1.RestartPolicyOnFailure
	o.Spec.JobTemplate.Spec.Template = t
	return o
}

// pileUp makes a CronJob and what its controller would have made of it in the last minutes, as that controller makes it
// (kubernetes/pkg/controller/cronjob: getJobFromTemplate2 and syncCronJob): an hour of runs takes a minute.
func (d day) pileUp(o *batchv1.CronJob, runs int) {
	d.make(o)
	d = d.as("system:serviceaccount:kube-system:cronjob-controller", 1)
	run := time.Now().Truncate(time.Minute).Add(-time.Duration(runs+1) * time.Minute)
	for range runs {
		run = run.Add(time.Minute)
		t := o.Spec.JobTemplate.Spec.DeepCopy()
		j := &batchv1.Job{Spec: *t, ObjectMeta: metav1.ObjectMeta{
			Namespace: o.Namespace, Name: fmt.Sprintf("%s-%d", o.Name, run.Unix()/60),
			Annotations: map[string]string{"batch.kubernetes.io/cronjob-scheduled-timestamp": run.UTC().Format(time.RFC3339)},
		}}
		owned(j, o, "batch/v1", "CronJob")
		d.make(j)
		o.Status.Active = append(o.Status.Active, corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job",
			Namespace: j.Namespace, Name: j.Name, UID: j.UID, ResourceVersion: j.ResourceVersion})
		last := metav1.NewTime(run)
		o.Status.LastScheduleTime = &last
		d.status(o)
		d.pause(200 * time.Millisecond)
	}
}
