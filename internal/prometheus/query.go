package prometheus

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// queries are all that is asked, in PromQL. The server sums up by process, whatever other labels its series have, and
// returns the values of three times in one answer, each marked by the label at.
type queries struct{ goroutines, cores, memory, down, restarts string }

// queriesOf are the queries about the processes that the options select. Metrics of processes that aren't Go programs
// are left out on the server.
func queriesOf(o Options) queries {
	var matchers []string
	if o.Namespace != "" { // series with the older label have none of the usual name
		ns := "=~" + strconv.Quote(regexp.QuoteMeta(o.Namespace)+"|")
		matchers = append(matchers, "namespace"+ns, "kubernetes_namespace"+ns)
	}
	if o.Query != "" { // the server refuses what are no matchers
		matchers = append(matchers, o.Query)
	}
	sel := "{" + strings.Join(matchers, ", ") + "}"
	span := seconds(o.Window)
	rate := seconds(min(max(o.Window/6, 5*time.Minute), time.Hour))
	isGo := "max by (" + byProcess + ") (go_goroutines" + sel + " OFFSET)"
	resident := "max by (" + byProcess + ") (process_resident_memory_bytes" + sel + " OFFSET) and " + isGo
	heap := "max by (" + byProcess + ") (go_memstats_heap_inuse_bytes" + sel + " OFFSET)"
	const kube = "max by (" + byState + ") (kube_pod_container_status_restarts_total"
	return queries{
		goroutines: o.thrice(isGo),
		cores: o.thrice("max by (" + byProcess + ") (rate(process_cpu_seconds_total" + sel + "[" + rate +
			"] OFFSET)) and " + isGo),
		memory: o.thrice(resident + " or " + heap),
		down:   "max by (" + byProcess + ") (up" + sel + ") == 0",
		// A pod that is younger than the window had no restarts before, if the cluster's others were counted then. A
		// start time that changes is no restart: that of each process does when the clock of its node is set.
		restarts: tagged("kube", kube+") - ("+kube+" offset "+span+") or "+kube+") * 0 and on (cluster) "+kube+
			" offset "+span+")) > 0") + " or " +
			tagged("start", "max by ("+byProcess+") (resets(process_cpu_seconds_total"+sel+"["+span+"])) > 0"),
	}
}

// thrice asks for an expression now, in the middle of the window and at its beginning.
func (o Options) thrice(expr string) string {
	at := func(name, offset string) string { return tagged(name, strings.ReplaceAll(expr, " OFFSET", offset)) }
	return at("now", "") + " or " + at("mid", " offset "+seconds(o.Window/2)) + " or " +
		at("before", " offset "+seconds(o.Window))
}

// tagged adds the label at with this value.
func tagged(at, expr string) string {
	return fmt.Sprintf(`label_replace(%s, "at", %q, "job", ".*")`, expr, at)
}

func seconds(d time.Duration) string { return strconv.FormatInt(int64(d.Seconds()), 10) + "s" }
