package kube

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Bounds on what `kubectl describe` prints of one object.
const (
	maxDescribed = 100_000 // objects of one file
	maxEvents    = 1000    // of one object
	maxLines     = 1 << 16 // of one object: the largest of 235 pods of a must-gather has 700
	// maxOpenQuote is after how many bytes without its end a termination message is given up: the kubelet keeps 4,096,
	// which padding makes longer.
	maxOpenQuote = 16 << 10
)

// A describer reads what `kubectl describe` prints, line by line (kubectl's pkg/describe/describe.go, 1.8 to 1.34).
// Keys begin at column 0, their values behind two spaces or more; containers are indented by 2, their fields by 4, the
// fields of a state by 6. Values of several lines (termination messages, arguments, probes) go on at any column, so
// only keys that describe knows end them.
type describer struct {
	d       *description     // nil outside
	blank   int              // blank lines before this one
	section string           // the key at column 0 that the line lies below
	field   string           // the key of the container that it lies below
	columns []column         // of the table that it lies in
	quote   *strings.Builder // of a termination message, nil outside
	quoted  int
	probe   bool // within the command of a probe, which may have several lines
}

// A description is what was read of an object.
type description struct {
	at               At
	top              map[string]string // keys at column 0 with their values
	labels, selector []Pair
	containers       []Container
	conditions       []Condition
	claims           []string
	events           []printedRow
	newest           time.Time // of all times that it shows
	lines            int
}

// beginning is the first line of a described object.
func beginning(line []byte) (name string, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte("Name:  "))
	name = string(bytes.TrimSpace(most(rest, 2*maxIdent)))
	return name, ok && (isName(name) || isPath(name))
}

// isPath reports names of RBAC's objects: "system:controller:job-controller".
func isPath(s string) bool {
	return s != "" && len(s) <= maxIdent && !strings.ContainsAny(s, " \t\"'{}[](),;=")
}

// describeKeys are the keys at column 0 that are looked at, or that end what is.
var describeKeys = sync.OnceValue(func() map[string]bool {
	keys := map[string]bool{}
	for _, k := range strings.Split("Namespace,Priority,Priority Class Name,Service Account,Node,Start Time,Labels,"+
		"Annotations,Status,Termination Grace Period,Reason,Message,IP,IPs,Controlled By,NominatedNodeName,"+
		"Init Containers,Containers,Ephemeral Containers,Readiness Gates,Conditions,Volumes,QoS Class,Node-Selectors,"+
		"Tolerations,Events,Roles,CreationTimestamp,Taints,Unschedulable,Lease,Addresses,Capacity,Allocatable,"+
		"System Info,PodCIDR,PodCIDRs,ProviderID,Non-terminated Pods,Allocated resources,Selector,Replicas,"+
		"StrategyType,Update Strategy,Pods Status,Pods Statuses,Pod Template,OldReplicaSets,NewReplicaSet,"+
		"Desired Number of Nodes Scheduled,Current Number of Nodes Scheduled,Number of Nodes Misscheduled,"+
		"Parallelism,Completions,Schedule,Concurrency Policy,Suspend,StorageClass,Volume,Capacity,Finalizers,"+
		"Used By,Mounted By,Volume Claims,API Version,Kind,Metadata,Spec,Data,Resource Quotas,Active Jobs,"+
		"Last Schedule Time,Completed At,Type,Endpoints,IsDefaultClass", ",") {
		keys[k] = true
	}
	return keys
})

// cutColon takes "Key:   value" apart.
func cutColon(line []byte) (key, value string, ok bool) {
	i := bytes.IndexByte(line, ':')
	if i <= 0 || i > 64 || i+1 < len(line) && line[i+1] != ' ' {
		return "", "", false
	}
	return string(line[:i]), string(bytes.TrimSpace(most(line[i+1:], maxMessage))), true
}

// line takes a line, and reports whether it is part of a description.
func (x *describer) line(t *Texts, name string, line []byte, num int64) bool {
	before := x.blank
	if x.blank = 0; len(bytes.TrimSpace(line)) == 0 {
		x.blank = before + 1
	}
	if x.quote != nil {
		x.quoteLine(line)
		return true
	}
	if x.probe {
		x.probe = !bytes.Contains(line, []byte(" delay=")) && x.d.lines < maxLines
		x.d.lines++
		return true
	}
	if name0, ok := beginning(line); ok && (x.d == nil || before > 0) {
		x.end(t)
		x.d = &description{at: At{Input: name, Line: num}, top: map[string]string{"Name": name0}}
		x.section = "Name"
		return true
	}
	if x.d == nil {
		return false
	}
	switch {
	case x.blank > 0 && (x.section == "Events" || x.blank > 1 && !strings.HasSuffix(x.section, "Containers")):
		x.end(t) // arguments of containers are scripts
		return true
	case x.blank > 0:
		return true
	}
	if x.d.lines++; x.d.lines >= maxLines {
		x.end(t)
		return false
	}
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	if indent == 0 {
		if key, value, ok := cutColon(line); ok && describeKeys()[key] {
			return x.key(t, key, value, line)
		}
		if x.section == "Name" { // every kind has a second key
			*x = describer{}
			return false
		}
		return x.section != "Events" || len(x.columns) > 0 // a message of several lines
	}
	x.inside(line, indent, num)
	return true
}

// key takes a key at column 0.
func (x *describer) key(t *Texts, key, value string, line []byte) bool {
	x.section, x.field, x.columns = key, "", nil
	if _, known := x.d.top[key]; !known {
		x.d.top[key] = value
	}
	switch key {
	case "Labels", "Node-Selectors":
		x.pair(bytes.TrimSpace(line[len(key)+1:]))
	case "Events":
		if value == "<none>" {
			x.end(t)
		}
	}
	return true
}

// pair takes a label or a node selector: "app=web".
func (x *describer) pair(text []byte) {
	to := &x.d.labels
	if x.section == "Node-Selectors" {
		to = &x.d.selector
	}
	if key, value, ok := strings.Cut(string(most(text, maxMessage)), "="); ok && len(*to) < maxPairs {
		*to = append(*to, Pair{key, value})
	}
}

// inside takes an indented line.
func (x *describer) inside(line []byte, indent int, num int64) {
	text := bytes.TrimSpace(line)
	switch x.section {
	case "Labels", "Node-Selectors":
		x.pair(text)
	case "Containers", "Init Containers":
		x.container(text, indent, num)
	case "Volumes":
		if key, value, ok := cutColon(text); ok && key == "ClaimName" && isName(value) && len(x.d.claims) < maxClaims {
			x.d.claims = append(x.d.claims, value)
		}
	case "Conditions":
		x.condition(line)
	case "Events":
		x.event(line, num)
	}
}

// container takes a line of a pod's containers.
func (x *describer) container(text []byte, indent int, num int64) {
	key, value, ok := cutColon(text)
	if indent == 2 && ok && value == "" && isName(key) {
		if len(x.d.containers) < maxContainers {
			x.d.containers = append(x.d.containers, Container{Name: key, Init: x.section == "Init Containers",
				Line: num})
		}
		x.field = ""
		return
	}
	if len(x.d.containers) == 0 || !ok {
		return
	}
	c := &x.d.containers[len(x.d.containers)-1]
	switch {
	case indent == 4:
		x.field = key
		switch key {
		case "Image":
			c.Image = string(most([]byte(value), maxMessage))
		case "Liveness", "Readiness", "Startup":
			x.probe = !strings.Contains(value, " delay=")
		case "Container ID":
			_, c.ID, _ = strings.Cut(value, "://")
		case "Restart Count":
			c.Restarts, _ = strconv.Atoi(value)
		case "State":
			if value == "Terminated" {
				c.Now = &Termination{Line: num}
			}
		case "Last State":
			if value == "Terminated" {
				c.Last = &Termination{Line: num}
			}
		}
	case indent == 6 && x.field == "Limits":
		c.Limits = append(c.Limits[:min(len(c.Limits), maxPairs)], Pair{key, value})
	case indent == 6 && x.field == "Requests":
		c.Requests = append(c.Requests[:min(len(c.Requests), maxPairs)], Pair{key, value})
	case indent == 6 && x.field == "State":
		x.state(c, c.Now, key, value, num)
	case indent == 6 && x.field == "Last State":
		x.state(c, c.Last, key, value, num)
	}
}

// state takes a field of a container's state, or of its last one: t, nil where it has not ended.
func (x *describer) state(c *Container, t *Termination, key, value string, num int64) {
	when, _ := describedTime(value)
	switch {
	case t == nil && key == "Reason" && x.field == "State":
		c.Waiting = value
	case t == nil && key == "Started":
		x.d.newest = latest(x.d.newest, when)
	case t == nil:
	case key == "Reason":
		t.Reason = value
	case key == "Message":
		x.quote, x.quoted, t.Line = &strings.Builder{}, 0, num
		x.quote.WriteString(value)
	case key == "Exit Code":
		t.Exit, _ = strconv.Atoi(value)
	case key == "Signal":
		t.Signal, _ = strconv.Atoi(value)
	case key == "Started":
		t.Started = when
	case key == "Finished":
		t.Finished, x.d.newest = when, latest(x.d.newest, when)
	}
}

// quoteLine takes a line of a termination message, which ends before the exit code. What kubectl pads was a tab: it
// begins the places of a stack.
func (x *describer) quoteLine(line []byte) {
	c := &x.d.containers[len(x.d.containers)-1]
	t := c.Now
	if x.field == "Last State" {
		t = c.Last
	}
	code, ends := bytes.CutPrefix(line, []byte("      Exit Code:  "))
	if n, err := strconv.Atoi(string(bytes.TrimSpace(code))); ends && err == nil {
		t.Exit = n
	} else if x.quoted += len(line) + 1; x.quoted < maxOpenQuote {
		if room := maxOpenQuote - x.quote.Len(); room > 0 {
			text := bytes.TrimRight(line, " ")
			if place := bytes.TrimLeft(text, " "); len(place)+2 <= len(text) && bytes.Contains(place, []byte(".go:")) {
				text = append([]byte("\t"), place...)
			}
			x.quote.WriteByte('\n')
			x.quote.Write(most(text, room))
		}
		return
	}
	t.Message = string(most([]byte(x.quote.String()), maxOpenQuote))
	x.quote = nil
}

// describedTime reads a time as describe writes it, RFC 1123 with a numeric zone.
func describedTime(s string) (time.Time, bool) {
	if when, err := time.Parse(time.RFC1123Z, s); err == nil && when.Year() > 2000 {
		return when.UTC(), true
	}
	return parseTime([]byte(s))
}

// header takes the header of a table, or the dashes below it, and reports whether the line is one of these.
func (x *describer) header(line []byte) bool {
	if x.columns == nil {
		x.columns = tableColumns(line)
		return true
	}
	return len(bytes.Trim(line, "- ")) == 0 || len(line) > maxTableRow
}

// condition takes a row of a pod's conditions, which shows their type and status.
func (x *describer) condition(line []byte) {
	if x.header(line) {
		return
	}
	cell := byColumn(x.columns, []rune(string(line)))
	if cell["TYPE"] == "" || cell["STATUS"] == "" || len(x.d.conditions) == maxConditions {
		return
	}
	x.d.conditions = append(x.d.conditions, Condition{Type: cell["TYPE"], Status: cell["STATUS"]})
}

// event takes a row of the events at the end.
func (x *describer) event(line []byte, num int64) {
	if x.header(line) {
		return
	}
	for _, cell := range cells(x.columns, line) {
		if cell == nil {
			continue
		}
		cell["LAST SEEN"], cell["OBJECT"] = cell["AGE"], "pod/x"
		if p, ok := eventRow(cell, At{Input: x.d.at.Input, Line: num}); ok && len(x.d.events) < maxEvents &&
			(p.event.Type == "Normal" || p.event.Type == "Warning") {
			p.size = rowSize + len(line)
			x.d.events = append(x.d.events, p)
			return
		}
	}
}

// end hands over the object that was being read.
func (x *describer) end(t *Texts) {
	d := x.d
	*x = describer{blank: x.blank}
	if d != nil {
		t.described(d)
	}
}

// quotes reports whether the lines are those of a termination message.
func (x *describer) quotes() bool { return x.quote != nil }
