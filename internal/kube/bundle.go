package kube

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds on what is kept of a bundle's remarks about itself.
const (
	maxGaps    = 200 // of one source
	maxGapText = 300
)

// WantsLines reports whether a file's lines describe the bundle itself, for Note: its maker's metadata
// (support-bundle-kit, Harvester, Longhorn), its times and versions (must-gather, troubleshoot, Rancher's collector),
// and what could not be collected.
func WantsLines(name string) bool {
	switch base := strings.ToLower(path.Base(name)); base {
	case "metadata.yaml", "metadata.yml", "timestamp", "version", "cluster_version.json":
		return true
	case "date": // of Rancher's logs collector
		return path.Base(path.Dir(name)) == "systeminfo"
	default:
		return gapFile(name, base)
	}
}

// gapFile reports whether a file's lines are what its collector could not collect: the logs of support-bundle-kit and
// must-gather, troubleshoot's *-errors.json and *-errors/, and what must-gather's gather_monitoring puts beside the
// answer of Prometheus or Alertmanager (monitoring/prometheus/rules.stderr). Other files of these names are logs.
func gapFile(name, base string) bool {
	dir := strings.ToLower(path.Dir("/" + name))
	return slices.Contains([]string{"bundlegenerationerror.log", "errors.json", "error.txt", "gather.err",
		"must-gather.err"}, base) ||
		strings.HasSuffix(base, "-errors.json") || strings.HasSuffix(base, "-error.json") ||
		strings.HasSuffix(dir, "-errors") || strings.HasSuffix(base, ".stderr") &&
		(strings.Contains(dir+"/", "/monitoring/prometheus/") || strings.Contains(dir+"/", "/monitoring/alertmanager/"))
}

// Note takes a line of a file that WantsLines names.
func (r *Reader) Note(name string, line []byte, num int64) {
	base := strings.ToLower(path.Base(name))
	switch base {
	case "metadata.yaml", "metadata.yml":
		r.out.notes.metadata(line)
	case "timestamp":
		r.out.notes.timestamp(line)
	case "date":
		when, _ := dateLine(line)
		r.out.notes.stamp = latest(r.out.notes.stamp, when)
	case "version":
	case "cluster_version.json":
		if key, value, ok := bytes.Cut(line, []byte(`"gitVersion"`)); ok && len(bytes.TrimSpace(key)) == 0 {
			r.out.notes.bundle.Kubernetes = quotedWord(value)
		}
	default:
		if strings.HasSuffix(base, ".json") {
			line = remark(line)
		}
		r.out.notes.gap(line, At{Input: name, Line: num})
	}
}

// remark is the error that a line of JSON reports ({"collector": "etcd", "error": "…"}), the text of a string in an
// array that is written line by line, or the line itself; nil for brackets alone.
func remark(line []byte) []byte {
	var e struct{ Collector, Error string }
	var text string
	var list []string
	line = bytes.TrimSuffix(bytes.TrimSpace(line), []byte(","))
	switch {
	case len(bytes.Trim(line, "[]{} ")) == 0:
		return nil
	case json.Unmarshal(line, &text) == nil:
		return []byte(text)
	case json.Unmarshal(line, &list) == nil:
		return []byte(strings.Join(list, ", "))
	case json.Unmarshal(line, &e) != nil, e.Error == "":
		return line
	case e.Collector != "":
		return []byte(e.Collector[:min(len(e.Collector), 100)] + ": " + e.Error)
	}
	return []byte(e.Error)
}

func quotedWord(b []byte) string {
	_, b, _ = bytes.Cut(b, []byte(`"`))
	word, _, ok := bytes.Cut(b, []byte(`"`))
	if !ok || len(word) > 100 {
		return ""
	}
	return string(word)
}

// metadata takes a line of the kit's metadata.yaml. Some releases write its keys in lower case.
func (n *bundleNotes) metadata(line []byte) {
	key, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(key) > 64 {
		return
	}
	text := strings.Trim(strings.TrimSpace(string(most(value, maxGapText))), `"'`)
	if text == "" || text == "null" {
		return
	}
	switch strings.ToLower(strings.TrimSpace(string(key))) {
	case "bundlecreatedat":
		when, _ := parseTime([]byte(text))
		n.bundle.Created = latest(n.bundle.Created, when)
	case "kubernetesversion":
		n.bundle.Kubernetes = text
	}
}

// timestamp takes a line of a must-gather's timestamp file, a Go time as it prints itself:
// "2021-09-14 14:43:48.319507634 +0000 UTC m=+1.48".
func (n *bundleNotes) timestamp(line []byte) {
	f := strings.Fields(string(most(line, 100)))
	if len(f) < 3 {
		return
	}
	if when, err := time.Parse("2006-01-02 15:04:05 -0700", strings.Join(f[:3], " ")); err == nil {
		n.stamp = latest(n.stamp, when.UTC())
	}
}

// gap takes a line about something that could not be collected. The kit also asks for resources that can only be
// created, and reports each time that they cannot be listed: that is no gap.
func (n *bundleNotes) gap(line []byte, at At) {
	text := strings.TrimSpace(string(most(line, maxGapText)))
	if text == "" || strings.Contains(text,
		"the server does not allow this method on the requested resource") {
		return
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	for i := range n.gaps {
		if g := &n.gaps[i]; g.Input == at.Input && g.Text == text {
			g.Count++
			return
		}
	}
	if len(n.gaps) == maxGaps {
		n.more++
		return
	}
	n.gaps = append(n.gaps, Gap{Input: at.Input, Line: at.Line, Text: text, Count: 1})
}

// remark keeps how exact a file is.
func (n *bundleNotes) remark(text string, at At) {
	if len(n.remarks) < maxGaps {
		n.remarks = append(n.remarks, Gap{Input: at.Input, Line: at.Line, Text: text, Count: 1})
	}
}

// mergeNotes joins the notes of all sources about the bundle: the newest time, the first version.
func (c *Cluster) mergeNotes(all []*Objects) {
	var stamp time.Time
	more := 0
	for _, o := range all {
		b := o.notes.bundle
		c.Bundle.Created = latest(c.Bundle.Created, b.Created)
		c.Bundle.Kubernetes = cmp.Or(c.Bundle.Kubernetes, b.Kubernetes)
		stamp = latest(stamp, o.notes.stamp)
		c.Gaps = append(c.Gaps, o.notes.gaps...)
		c.Remarks = append(c.Remarks, o.notes.remarks...)
		more += o.notes.more
	}
	if c.Bundle.Created.IsZero() {
		c.Bundle.Created = stamp
	}
	if more > 0 {
		c.Cut = append(c.Cut, Cut{Count: more, Reason: "remarks about what could not be collected, over the limit"})
	}
	c.mergeTexts(all)
}
