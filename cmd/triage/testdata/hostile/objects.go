package hostile

import (
	"fmt"
	"io"
	"strings"
)

const (
	podHead = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  namespace: b\n"
	podTail = "spec:\n  containers:\n  - name: c\nstatus:\n  phase: Running\n"
	podJSON = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"b","uid":"0b0d7c0e-0000-4000-8000-000000000000",` +
		`"creationTimestamp":"2026-03-04T04:47:00Z"},"status":{"phase":"Running","containerStatuses":[{"name":"c","restartCount":3}]}}`
	describe = "Name:             a\nNamespace:        b\nNode:             n1/10.0.0.1\nStart Time:       Wed, 04 Mar 2026 04:47:00 +0000\n" +
		"Status:           Running\nContainers:\n  c:\n    State:          Waiting\n      Reason:       CrashLoopBackOff\n" +
		"    Restart Count:  12\nEvents:\n  Type     Reason   Age                From     Message\n  ----     ------   ----               ----     -------\n" +
		"  Warning  BackOff  2m (x20 over 30m)  kubelet  Back-off restarting failed container\n"
	table = "NAMESPACE   NAME    READY   STATUS             RESTARTS        AGE\n" +
		"b           a       0/1     CrashLoopBackOff   12 (3m ago)     40m\n"
)

func smallObjects() []Input {
	doc := func(name, why, metadata string) Input { return text(name, why, podHead+metadata+podTail) }
	return []Input{
		text("laughs.yaml", "aliases of aliases, a billion", laughs()),
		doc("anchors.yaml", "a map that holds itself", "  labels: &a\n    b: *a\n"),
		doc("merge.yaml", "20,000 merge keys", "  labels: &m {a: b}\n  annotations:\n"+strings.Repeat("    <<: *m\n", 20_000)),
		doc("flow.yaml", "flow mappings nested 50,000 deep", "  labels: "+strings.Repeat("{a: ", 50_000)+"\n"),
		doc("list.yaml", "lists nested 20,000 deep", "  labels: "+strings.Repeat("[", 20_000)+"\n"),
		doc("indent.yaml", "mappings nested 2,000 deep", nestedYAML(2000)),
		doc("tags.yaml", "tags of other languages", "  labels: !!python/object/apply:os.system [\"id\"]\n"),
		doc("long.yaml", "a value of 3 MB", "  labels: {a: "+strings.Repeat("x", 3<<20)+"}\n"),
		doc("tabs.yaml", "tabs for indentation", "\tlabels:\n\t\ta: b\n"),
		doc("block.yaml", "a block without end", "  annotations:\n    a: |\n"+strings.Repeat("      line\n", 50_000)),
		doc("terminal.yaml", "names for the terminal", "  labels: {\"a\": \"\\e[2J\\x9b31m\\u202e\"}\n"),
		doc("times.yaml", "times out of range", "  creationTimestamp: 99999-99-99T99:99:99Z\n  generation: 99999999999999999999999\n"),
		repeated("docs.yaml", "20,000 documents", "", 20_000, format("---\napiVersion: v1\nkind: Pod\nmetadata: {name: a%d}\n"), ""),
		repeated("separators.yaml", "100,000 separators", podHead+podTail, 100_000, same("---\n"), ""),
		text("deep.json", "JSON nested 500,000 deep", `{"apiVersion":"v1","kind":"Pod","metadata":`+strings.Repeat(`{"a":`, 500_000)),
		text("brackets.json", "500,000 brackets", `{"apiVersion":"v1","kind":"List","items":`+strings.Repeat("[", 500_000)),
		repeated("items.json", "a list of 10,000 pods", `{"apiVersion":"v1","kind":"List","items":[`, 10_000,
			format(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a%d","namespace":"b"}},`), "{}]}"),
		repeated("keys.json", "an object of 50,000 keys", `{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{`, 50_000,
			format(`"k%[1]d":"v%[1]d",`), `"a":"b"}}}`),
		repeated("doublekeys.json", "a key that is there 50,000 times", `{"apiVersion":"v1","kind":"Pod",`, 50_000,
			same(`"kind":"Secret",`), `"a":1}`),
		text("numbers.json", "numbers that no type holds", strings.Replace(podJSON, `"restartCount":3`,
			`"restartCount":1e999999999,"x":-`+strings.Repeat("9", 100_000), 1)),
		text("escapes.json", "half surrogates and escapes for the terminal", strings.Replace(podJSON, `"name":"a"`,
			`"name":"\ud800\u001b[2J\u0000\u009b31m\u202e"`, 1)),
		text("wrongtypes.json", "members of other types", `{"apiVersion":1,"kind":["Pod"],"metadata":[],"status":{"containerStatuses":`+
			`{"a":[]},"conditions":"x"},"items":7}`),
		repeated("owners.json", "owners in a ring", `{"apiVersion":"v1","kind":"List","items":[`, 2000, func(w io.Writer, i int) {
			fmt.Fprintf(w, `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"r%d","namespace":"b","uid":"u%d",`+
				`"ownerReferences":[{"kind":"ReplicaSet","name":"r%d","uid":"u%[3]d","controller":true}]}},`, i, i, (i+1)%2000)
		}, "{}]}"),
		repeated("events.json", "20,000 events, each of its own", `{"apiVersion":"v1","kind":"List","items":[`, 20_000, format(
			`{"apiVersion":"v1","kind":"Event","metadata":{"name":"e%[1]d","namespace":"b"},"reason":"R%[1]d","message":"m %[1]d",`+
				`"count":2147483647,"involvedObject":{"kind":"Pod","name":"p%[1]d","namespace":"b"},"lastTimestamp":"2026-03-04T04:47:00Z"},`),
			"{}]}"),
		repeated("describe.txt", "20,000 descriptions", "", 2000, same(describe+"\n\n"), ""),
		text("describeline.txt", "a description with a line of 2 MB", strings.Replace(describe, "Running", strings.Repeat("R", 2<<20), 1)),
		repeated("table.txt", "a table of 50,000 rows", table, 50_000,
			format("b           a%06d 0/1     Running   99999999999999999999 (3m ago)     40m\n"), ""),
		text("columns.txt", "a table of 20,000 columns", "NAMESPACE   NAME   "+strings.Repeat("X   ", 20_000)+"READY   STATUS   RESTARTS   AGE\n"),
		repeated("csv.csv", "a CSV of 20,000 rows of a writer each", "_time,pod,namespace,_raw\n", 20_000,
			format("2026-03-04T04:47:00Z,p%[1]d,b,\"line %[1]d\"\n"), ""),
		text("columns.csv", "a CSV of 100,000 columns", strings.Repeat("a,", 100_000)+"_raw\n"+strings.Repeat("1,", 100_000)+"x\n"),
		text("quote.csv", "a quote without end", "_time,pod,_raw\n2026-03-04T04:47:00Z,p,\""+strings.Repeat("line\n", 100_000)),
		text("quotes.csv", "nothing but quotes", "_time,pod,_raw\n"+strings.Repeat(`"",`, 200_000)),
	}
}

// laughs is the alias bomb of a billion.
func laughs() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [\"lol\",\"lol\",\"lol\",\"lol\",\"lol\",\"lol\",\"lol\",\"lol\",\"lol\"]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 8), i-1)
	}
	return podHead + "  labels: {}\n" + b.String() + podTail
}

func nestedYAML(n int) string {
	var b strings.Builder
	b.WriteString("  annotations:\n")
	for i := range n {
		fmt.Fprintf(&b, "%sa%d:\n", strings.Repeat(" ", 4+i), i)
	}
	return b.String()
}

func bigObjects() []Input {
	million := 1_000_000
	return []Input{
		repeated("million-pods.json", "a list of 500,000 pods", `{"apiVersion":"v1","kind":"List","items":[`, million/2, format(
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a%[1]d","namespace":"n%[1]d","uid":"u%[1]d"},"spec":{"nodeName":"node%[1]d"},`+
				`"status":{"phase":"Running","containerStatuses":[{"name":"c%[1]d","restartCount":3,"state":{"waiting":{"reason":"R%[1]d"}}}]}},`),
			"{}]}"),
		repeated("million-events.json", "500,000 events, each of its own", `{"apiVersion":"v1","kind":"List","items":[`, million/2, format(
			`{"apiVersion":"v1","kind":"Event","metadata":{"name":"e%[1]d","namespace":"n%[1]d"},"reason":"R%[1]d","message":"m %[1]d failed",`+
				`"type":"Warning","count":5,"involvedObject":{"kind":"Pod","name":"p%[1]d","namespace":"n%[1]d"},"lastTimestamp":"2026-03-04T04:47:00Z"},`),
			"{}]}"),
		repeated("million-docs.yaml", "10^6 documents", "", million,
			format("---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a%[1]d\n  namespace: b%[1]d\nstatus:\n  phase: Running\n"), ""),
		text("deep-10m.json", "JSON nested 10^7 deep", `{"apiVersion":"v1","kind":"Pod","metadata":`+strings.Repeat(`{"a":`, 10*million)),
		repeated("million-keys.json", "an object of 5 million keys", `{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{`, 5*million,
			format(`"k%[1]d":"v%[1]d",`), `"a":"b"}}}`),
		repeated("million-rows.txt", "a table of 10^6 rows", table, million,
			format("b           a%07d 0/1     CrashLoopBackOff   12 (3m ago)     40m\n"), ""),
		repeated("million-describe.txt", "100,000 descriptions", "", million/10, func(w io.Writer, i int) {
			io.WriteString(w, strings.Replace(describe, "Name:             a\n", fmt.Sprintf("Name:             a%d\n", i), 1)+"\n\n")
		}, ""),
		repeated("million-rows.csv", "a CSV of 2 million rows of a writer each", "_time,pod,namespace,_raw\n", 2*million,
			format("2026-03-04T04:47:00Z,p%[1]d,b,\"line %[1]d\"\n"), ""),
	}
}
