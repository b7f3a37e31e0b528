package kube

import (
	"bytes"
	"strconv"
	"strings"
)

// The kinds of tables of top.
const (
	topPods  = "top Pod"
	topNodes = "top Node"
)

// topHeader is the columns of a table of `kubectl top`; "" for none. kubectl separates columns by three spaces.
func topHeader(line []byte) ([]column, string) {
	if !bytes.HasPrefix(line, []byte("NAME")) && !bytes.HasPrefix(line, []byte("POD")) ||
		!bytes.Contains(line, []byte("CPU(cores)")) {
		return nil, ""
	}
	columns := tableColumns(line)
	has := map[string]bool{}
	for _, c := range columns {
		has[c.name] = true
	}
	switch {
	case !has["MEMORY(bytes)"] || !has["NAME"]:
		return nil, ""
	case has["CPU%"] || has["CPU(%)"]:
		return columns, topNodes
	}
	return columns, topPods
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
	u.Bytes, ok2 = quantity(cell["MEMORY(bytes)"])
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

// quantity reads a quantity of memory in bytes: "128974848", "129M", "123Mi" (apimachinery's api/resource).
func quantity(s string) (int64, bool) {
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
