package logs

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
)

// Words of controllers: that one is at work; what anyone may do with an object; that something is looked for by a
// clock; that there was nothing to do.
var (
	controllerWords = []string{"reconcil", "getting history", "enqueu", "requeu", "workqueue", "work queue", "helm",
		"set condition", "setting condition", "server-side apply", "updating status", "updated status", "status updat",
		"update status", "status changed", "patching status", "patched status", "reloading", "redeploy"}
	actionWords = []string{
		"sync", "status", "rollout", "drift", "apply", "applied", "updat", "patch", "upgrad", "install", "deploy",
		"processing", "processed", "handling", "handled", "ensur", "creat", "delet", "templat", "render", "chang",
		"modif", "writ", "schedul", "evict", "scal", "refresh", "queue", "observ", "check", "detect", "releas",
		"bundle", "resource",
	}
	pollWords = []string{"check", "poll", "fetch", "refresh", "look", "scan", "watch"}
	idleWords = []string{
		"is current", "up to date", "up-to-date", "uptodate", "unchanged", "no change", "nothing to do",
		"nothing changed", "not changed", "already in sync", "in sync", "no update", "no diff", " 0 changes",
		" 0 updates", "skipping update", "without change", "no-op",
	}
)

// idle reports whether the lines themselves show that there was nothing to do.
func (l *loop) idle() bool { return l.says(idleWords) }

// controls reports whether a controller is at work, by its words.
func (l *loop) controls() bool { return l.idle() || l.says(controllerWords) }

func (l *loop) says(words []string) bool {
	return slices.ContainsFunc(l.lines, func(s logSeen) bool {
		return phrase.ContainsOne(strings.ToLower(s.p.Template), words...)
	})
}
