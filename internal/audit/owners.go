package audit

import "strings"

// OwnerOf is the controller of an owner: a ReplicaSet's Deployment, a Job's CronJob.
func (t *Trail) OwnerOf(kind, namespace, name string) (top Owner, ok bool) {
	if kind == "Job" {
		if cron := cronJobOf(name); cron != "" {
			return Owner{API: "batch/v1", Kind: "CronJob", Name: cron}, true
		}
	}
	if kind != "ReplicaSet" {
		return top, false
	}
	if rs := t.Find("replicasets", namespace, name); rs >= 0 {
		for _, i := range t.ByObject[rs] {
			if o := t.Writes[i].Owner; o != 0 {
				top, ok = t.Owners[o], true
			}
		}
	}
	if i := strings.LastIndexByte(name, '-'); !ok && i > 0 && t.Find("deployments", namespace, name[:i]) >= 0 {
		return Owner{API: "apps/v1", Kind: "Deployment", Name: name[:i]}, true
	}
	return top, ok
}

// Find returns the index of an object that was written, whatever its group; -1 where there is none.
func (t *Trail) Find(resource, namespace, name string) int {
	if i, ok := t.names[objectName{resource, namespace, name}]; ok {
		return int(i)
	}
	return -1
}

// cronJobOf is the CronJob that a Job is a run of, by the Job's name; "" for other names.
func cronJobOf(job string) string {
	i := strings.LastIndexByte(job, '-')
	if i <= 0 || len(job)-i-1 < 8 || strings.Trim(job[i+1:], "0123456789") != "" {
		return ""
	}
	return job[:i]
}

// ChosenPrefix is what precedes the five characters that the server chose ("-x7k2p", apiserver
// names.SimpleNameGenerator); "" for other names.
func ChosenPrefix(name string) string {
	const suffix = 6
	if len(name) <= suffix || name[len(name)-suffix] != '-' {
		return ""
	}
	return name[:len(name)-suffix]
}
