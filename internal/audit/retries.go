package audit

import (
	"slices"
	"strings"
)

// Retries are the pods that a Job's controller made more than twice for one index (completionMode Indexed): a pod that
// fails is made again for its index, and one that succeeds is not. Level Metadata shows as much.
type Retries struct {
	Namespace, Job string
	Pods           int // of these indexes
	Indexes        int // for which three pods or more were made
	Again          int // pods that were not the first of such an index, the most within creationWindow
	First, Last    int64
	// Taken is how many of these pods another client evicted or deleted other than their controller, their node and the
	// garbage collector, Taker who took most of them: index in Trail.Actors.
	Taken int
	Taker int32
	// FirstWrite and LastWrite are the first writes that name the first and the last of these pods.
	FirstWrite, LastWrite int32
}

// indexed is an index of a Job. Its pods are called JOB-INDEX-SUFFIX (pkg/controller/job, podGenerateNameWithIndex).
type indexed struct{ namespace, job, index string }

// retries counts the pods of each index of a Job.
func (t *Trail) retries() {
	pods := map[indexed][]int32{}
	for object := range t.ByObject {
		o := &t.Objects[object]
		if o.Resource != "pods" || len(t.ByObject[object]) == 0 {
			continue
		}
		stem := chosenPrefix(o.Name)
		i := strings.LastIndexByte(stem, '-')
		if i <= 0 || i+1 == len(stem) || strings.Trim(stem[i+1:], "0123456789") != "" ||
			len(pods) == maxCreationGroups {
			continue
		}
		k := indexed{o.Namespace, stem[:i], stem[i+1:]}
		pods[k] = append(pods[k], t.ByObject[object][0])
	}
	of := map[[2]string]*Retries{}
	again := map[[2]string][]int64{}
	takers := map[[2]string]map[int32]int{}
	for k, writes := range pods {
		job := [2]string{k.namespace, k.job}
		// A Job that is itself called NAME-NUMBER, as a CronJob's are, has other pods of that name.
		if len(writes) < 3 || t.find("jobs", k.namespace, k.job) < 0 ||
			t.find("jobs", k.namespace, k.job+"-"+k.index) >= 0 {
			continue
		}
		r := of[job]
		if r == nil {
			r = &Retries{Namespace: k.namespace, Job: k.job, FirstWrite: writes[0], LastWrite: writes[0]}
			of[job], takers[job] = r, map[int32]int{}
		}
		for _, w := range writes {
			if by, ok := t.takenBy(t.Writes[w].Object); ok {
				r.Taken++
				if takers[job][by]++; takers[job][by] > takers[job][r.Taker] || r.Taken == 1 {
					r.Taker = by
				}
			}
		}
		slices.Sort(writes) // in order of time
		r.Pods, r.Indexes = r.Pods+len(writes), r.Indexes+1
		r.FirstWrite, r.LastWrite = min(r.FirstWrite, writes[0]), max(r.LastWrite, writes[len(writes)-1])
		for _, w := range writes[1:] {
			again[job] = append(again[job], t.Writes[w].Time)
		}
	}
	for job, r := range of {
		times := again[job]
		slices.Sort(times)
		r.Again = densest(times, creationWindow.Microseconds())
		r.First, r.Last = t.Writes[r.FirstWrite].Time, t.Writes[r.LastWrite].Time
		t.Retries = append(t.Retries, *r)
	}
	slices.SortFunc(t.Retries, func(a, b Retries) int {
		if a.Again != b.Again {
			return b.Again - a.Again
		}
		return strings.Compare(a.Namespace+"/"+a.Job, b.Namespace+"/"+b.Job)
	})
}

// takenBy is who evicted or deleted a pod that would have run on: not its Job's controller or the garbage collector,
// which clean up, nor its node, which reports the end.
func (t *Trail) takenBy(pod int32) (actor int32, ok bool) {
	for _, i := range t.ByObject[pod] {
		w := &t.Writes[i]
		if !w.OK() || w.Verb != VerbDelete && (w.Verb != VerbCreate || t.Texts[w.Sub] != "eviction") {
			continue
		}
		a := &t.Actors[w.Actor]
		name := a.Name()
		if !strings.HasPrefix(name, "system:node:") && !cleansUp(name) && !cleansUp(a.Agent) {
			return w.Actor, true
		}
	}
	return 0, false
}

// cleansUp reports by the end of a user's name or its agent (controller.SimpleControllerClientBuilder) the controllers
// that delete pods which have ended.
func cleansUp(name string) bool {
	return strings.HasSuffix(name, ":job-controller") || strings.HasSuffix(name, "/job-controller") ||
		strings.HasSuffix(name, "generic-garbage-collector") || strings.HasSuffix(name, "ttl-after-finished-controller")
}
