package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	batch "k8s.io/api/batch/v1"
	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"cluster/lab/kubelet"
)

// TestJobsJudgeAFleet runs the manifests of deploy/fleet at a real control plane, over the logs of 50 pods. The nodes
// are played (package kubelet); the processes are triage's.
func TestJobsJudgeAFleet(t *testing.T) {
	triage := os.Getenv("TRIAGE")
	if triage == "" {
		t.Skip("TRIAGE names no binary of triage: `make build` builds one")
	}
	l, _ := startCluster(t)
	for name, tt := range map[string]struct {
		dies    string // what index 3's processes do before they are killed
		missing string // what the merged report says is missing
		failed  bool
	}{
		"a-pod-of-the-job-is-killed":   {`mkdir "$dir" 2>/dev/null && kill -9 $$`, "", false},
		"a-part-fails-again-and-again": {`mkdir -p "$dir" && kill -9 $$`, "no report of part 3/8", true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleetOfLogs(t, l, name)
			l.programs["triage"] = f.killer(t, triage, tt.dies)
			f.run(t, "judge.yaml", tt.failed)
			l.programs["triage"] = triage
			f.run(t, "merge.yaml", false)
			if _, err := os.Stat(f.folder("killed")); err != nil {
				t.Errorf("no process was killed: %v", err)
			}
			merged := f.folder("triage-merged", "fleet.json")
			text, err := exec.Command(triage, merged).CombinedOutput()
			misses := strings.Contains(string(text), "no report of")
			if err != nil || misses != (tt.missing != "") || !strings.Contains(string(text), tt.missing) {
				t.Errorf("%v, want %q:\n%s", err, tt.missing, text)
			}
			if tt.missing == "" {
				f.sameAsFlat(t, triage, merged)
			}
		})
	}
}

// A logFleet is a namespace with the volumes of the Jobs.
type logFleet struct {
	l         *lab
	namespace string
}

func (f logFleet) folder(claim string, names ...string) string {
	return filepath.Join(append([]string{kubelet.ClaimFolder(f.l.shared(), f.namespace, claim)}, names...)...)
}

// newFleetOfLogs writes the logs of 50 pods, of which a few crash and a few spin, and makes the claims.
func newFleetOfLogs(t *testing.T, l *lab, namespace string) logFleet {
	t.Helper()
	f := logFleet{l, namespace}
	spins, err := filepath.Glob("../../../pods/*/controller/1.log")
	if err != nil || len(spins) != 1 {
		t.Fatalf("%v, %v", spins, err)
	}
	spin, err := os.ReadFile(spins[0])
	if err != nil {
		t.Fatal(err)
	}
	stamp := func(text string) []byte {
		return []byte("2026-03-04T05:06:07.000000000Z stderr F " + strings.ReplaceAll(strings.TrimSpace(text), "\n",
			"\n2026-03-04T05:06:07.000000000Z stderr F ") + "\n")
	}
	crash := stamp("panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.add(...)\n\t/src/main.go:21\n" +
		"main.main()\n\t/src/main.go:9 +0x1d\nexit status 2")
	for i := range 50 {
		log := stamp(fmt.Sprintf("listening, I am number %d", i))
		switch {
		case i%10 == 3:
			log = append(log, crash...)
		case i%25 == 7:
			// Equal dumps would be copies of one: no two processes have the same addresses.
			log = append(log, bytes.ReplaceAll(spin, []byte("0x1ef4"), fmt.Appendf(nil, "0x1e%02d", i))...)
		}
		dir := f.folder("pod-logs", fmt.Sprintf("shop_web-%d_%08d-0000-0000-0000-000000000000", i, i), "app")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "0.log"), log, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l.makeNamespace(t, namespace)
	for _, claim := range []string{"pod-logs", "triage-reports", "triage-merged"} {
		f.claim(t, claim)
	}
	return f
}

// claim makes a claim and the volume that it is bound to.
func (f logFleet) claim(t *testing.T, name string) {
	t.Helper()
	size := v1.ResourceList{v1.ResourceStorage: resource.MustParse("1Gi")}
	modes := []v1.PersistentVolumeAccessMode{v1.ReadWriteMany}
	volume := f.namespace + "-" + name
	_, err := f.l.client.CoreV1().PersistentVolumes().Create(t.Context(), &v1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: volume},
		Spec: v1.PersistentVolumeSpec{Capacity: size, AccessModes: modes,
			PersistentVolumeSource: v1.PersistentVolumeSource{HostPath: &v1.HostPathVolumeSource{Path: "/" + volume}}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.l.client.CoreV1().PersistentVolumeClaims(f.namespace).Create(t.Context(), &v1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: v1.PersistentVolumeClaimSpec{AccessModes: modes, StorageClassName: ptr.To(""), VolumeName: volume,
			Resources: v1.VolumeResourceRequirements{Requests: size}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// killer is a program that runs triage, and that first does something where it runs for index 3.
func (f logFleet) killer(t *testing.T, triage, dies string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "triage")
	script := fmt.Sprintf("#!/bin/sh\ndir=%s\nif [ \"$JOB_COMPLETION_INDEX\" = 3 ]; then %s; fi\nexec %s \"$@\"\n",
		f.folder("killed"), dies, triage)
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// run makes the Job of a manifest and waits until it is over.
func (f logFleet) run(t *testing.T, manifest string, fails bool) {
	t.Helper()
	data, err := os.ReadFile("../../../../deploy/fleet/" + manifest)
	if err != nil {
		t.Fatal(err)
	}
	// The nodes run the programs of this registry.
	data = bytes.ReplaceAll(data, []byte("ghcr.io/gotriage/triage"), []byte("registry.example.com/lab/triage"))
	job := &batch.Job{}
	if err := yaml.UnmarshalStrict(data, job); err != nil {
		t.Fatal(err)
	}
	jobs := f.l.client.BatchV1().Jobs(f.namespace)
	if _, err := jobs.Create(t.Context(), job, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	ended := func(kind batch.JobConditionType) bool {
		for _, c := range job.Status.Conditions {
			if c.Type == kind && c.Status == v1.ConditionTrue {
				return true
			}
		}
		return false
	}
	err = f.l.await(t.Context(), 4*time.Minute, "the end of "+job.Name, func() bool {
		got, err := jobs.Get(context.WithoutCancel(t.Context()), job.Name, metav1.GetOptions{})
		if err == nil {
			job = got
		}
		return ended(batch.JobComplete) || ended(batch.JobFailed)
	})
	t.Logf("%s: %s: %d succeeded, %d failed, failed indexes %q", job.Name, time.Since(begun).Round(time.Second),
		job.Status.Succeeded, job.Status.Failed, ptr.Deref(job.Status.FailedIndexes, ""))
	if err != nil || ended(batch.JobFailed) != fails {
		t.Fatalf("%v: %+v", err, job.Status)
	}
}

// sameAsFlat checks that the merged report says what one part with all logs says.
func (f logFleet) sameAsFlat(t *testing.T, triage, merged string) {
	t.Helper()
	dir := t.TempDir()
	flat, again := filepath.Join(dir, "flat.json"), filepath.Join(dir, "merged.json")
	for _, args := range [][]string{
		{"--shard", "1/1", "-o", "json=" + flat, f.folder("pod-logs")}, {"merge", flat, "-o", "json=" + again},
	} {
		if out, err := exec.Command(triage, args...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	want, got := counts(t, again), counts(t, merged)
	if len(want) < 2 || !reflect.DeepEqual(want, got) {
		t.Errorf("one part has %v, the Jobs have %v", want, got)
	}
}

// counts are how many instances show what a merged report found.
func counts(t *testing.T, file string) map[string]int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Findings []struct {
			Rule, Fingerprint string
			Spread            struct{ Instances int }
		}
	}
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, f := range report.Findings {
		n[f.Rule+" "+f.Fingerprint] = f.Spread.Instances
	}
	return n
}
