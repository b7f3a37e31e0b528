package kube

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"time"
)

// columnWords are the names that people give to custom columns (kubectl get -o custom-columns), in upper case without
// what is no letter, and what they mean.
var columnWords = map[string]string{
	"LASTSEEN": "LAST SEEN", "LASTTIMESTAMP": "LAST SEEN", "TIME": "LAST SEEN", "TIMESTAMP": "LAST SEEN",
	"LAST": "LAST SEEN", "EVENTTIME": "LAST SEEN", "FIRSTSEEN": "FIRST SEEN", "FIRST": "FIRST SEEN",
	"FIRSTTIMESTAMP": "FIRST SEEN", "TYPE": "TYPE", "REASON": "REASON", "MESSAGE": "MESSAGE", "MSG": "MESSAGE",
	"OBJECT": "OBJECT", "OBJ": "OBJECT", "INVOLVEDOBJECT": "OBJECT", "KIND": "KIND", "OBJECTKIND": "KIND",
	"COUNT": "COUNT", "NAMESPACE": "NAMESPACE", "NS": "NAMESPACE", "NAME": "NAME", "POD": "NAME", "PODNAME": "NAME",
	"STATUS": "STATUS", "PHASE": "STATUS", "STATE": "STATUS", "RESTARTS": "RESTARTS", "RESTARTCOUNT": "RESTARTS",
	"NODE": "NODE", "NODENAME": "NODE", "AGE": "AGE", "CREATED": "CREATED", "CREATIONTIMESTAMP": "CREATED",
	"START": "CREATED", "STARTTIME": "CREATED", "READY": "READY", "SOURCE": "SOURCE", "COMPONENT": "SOURCE",
	"IP": "IP", "PODIP": "IP", "IMAGE": "IMAGE", "IMAGES": "IMAGE",
}

// columnWord is what a custom column's name means, "" for what nobody calls one of pods or events.
func columnWord(name string) string {
	return columnWords[strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, strings.ToUpper(name))]
}

// The kinds of tables that are not named by their columns alone.
const (
	customPods   = "custom Pod"
	customEvents = "custom Event"
	topPods      = "top Pod"
	topNodes     = "top Node"
)

// looseHeader is the columns of a table of custom columns, or of `kubectl top`; "" for none. kubectl separates columns
// by three spaces at least.
func looseHeader(line []byte) ([]column, string) {
	const longest = 400
	if len(line) > longest || len(line) == 0 || line[0] < 'A' || line[0] > 'z' ||
		!bytes.Contains(line, []byte("   ")) {
		return nil, ""
	}
	columns := tableColumns(line)
	has := map[string]bool{}
	for _, c := range columns {
		has[c.name] = true
	}
	if has["CPU(cores)"] && has["MEMORY(bytes)"] && has["NAME"] {
		if has["CPU%"] || has["CPU(%)"] {
			return columns, topNodes
		}
		return columns, topPods
	}
	clear(has)
	for i := range columns {
		word := columnWord(columns[i].name)
		if word == "" || has[word] {
			return nil, ""
		}
		columns[i].name, has[word] = word, true
	}
	switch {
	case has["REASON"] && has["MESSAGE"] && (has["OBJECT"] || has["NAME"] && has["KIND"]):
		return columns, customEvents
	case has["NAME"] && has["STATUS"] && has["RESTARTS"]:
		return columns, customPods
	}
	return nil, ""
}

// takeCustomEvent reads an event of custom columns, whose times are those of the object.
func (r *tableRow) takeCustomEvent(cell map[string]string) bool {
	object := cmp.Or(cell["OBJECT"], cell["NAME"])
	if kind, name, ok := strings.Cut(object, "/"); ok {
		cell["KIND"], object = cmp.Or(cell["KIND"], kind), name
	}
	last, dated := parseTime([]byte(cell["LAST SEEN"]))
	first, _ := parseTime([]byte(cell["FIRST SEEN"]))
	if dated || cell["LAST SEEN"] == "" {
		cell["LAST SEEN"] = ""
	}
	cell["COUNT"] = cmp.Or(cell["COUNT"], "1")
	cell["TYPE"] = cmp.Or(cell["TYPE"], "Normal")
	cell["OBJECT"] = strings.ToLower(cell["KIND"]) + "/" + object
	if !r.takeEvent(cell) || cell["KIND"] == "" {
		return false
	}
	r.event.kind = cell["KIND"]
	if dated {
		r.event.last, r.event.firstAt = last, cmp.Or(first, last)
	}
	return true
}

// takeCustomPod reads a pod of custom columns. The restarts of several containers are separated by commas.
func (r *tableRow) takeCustomPod(cell map[string]string) bool {
	for n := range strings.SplitSeq(cell["RESTARTS"], ",") {
		v, err := strconv.Atoi(strings.TrimSpace(n))
		if err != nil || v < 0 || v > 1<<30 {
			return cell["RESTARTS"] == "" && isName(r.name) // <none>: nothing has started
		}
		r.restarts = max(r.restarts, v)
	}
	r.created, _ = parseTime([]byte(cell["CREATED"]))
	return isName(r.name) && r.status != "" && !strings.Contains(r.status, " ")
}

// usage reads a row of `kubectl top` (kubectl's pkg/metricsutil/metrics_printer.go): cores in "250m" or "2", memory in
// "1222Mi".
func (t *Texts) usage(r *tableRow, cell map[string]string, kind string) bool {
	u := Usage{At: r.at, Kind: "Pod", Namespace: r.namespace, Name: r.name}
	if pod := cell["POD"]; pod != "" {
		u.Name, u.Container = pod, r.name
	}
	if kind == topNodes {
		u.Kind, u.Namespace = "Node", ""
	}
	var ok1, ok2 bool
	u.MilliCPU, ok1 = milli(cell["CPU(cores)"])
	u.Bytes, ok2 = Quantity(cell["MEMORY(bytes)"])
	if !ok1 || !ok2 || !isName(u.Name) {
		return false
	}
	if t.size += rowSize; t.size > maxTableBytes {
		t.cut++
		return true
	}
	t.usages = append(t.usages, u)
	return true
}

// milli reads an amount of CPU in thousandths of a core: "250m", "2", "0.5".
func milli(s string) (int64, bool) {
	digits, small := strings.CutSuffix(s, "m")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || v < 0 || v > 1e12 {
		return 0, false
	}
	if small {
		return int64(v), true
	}
	return int64(v * 1000), true
}

// Quantity reads a quantity of memory in bytes: "128974848", "129M", "123Mi" (apimachinery's api/resource).
func Quantity(s string) (int64, bool) {
	digits := strings.TrimRight(s, "KMGTPEkmi")
	unit := map[string]float64{"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
		"m": 1e-3, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50,
		"Ei": 1 << 60}[s[len(digits):]]
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || unit == 0 || v < 0 || v*unit > 1<<62 {
		return 0, false
	}
	return int64(v * unit), true
}

// dated reports whether the row has times of its own, not ages.
func (r *tableRow) dated() (first, last time.Time, ok bool) {
	if r.event == nil || r.event.last.IsZero() {
		return time.Time{}, time.Time{}, false
	}
	return r.event.firstAt.UTC(), r.event.last.UTC(), true
}
